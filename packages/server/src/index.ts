// Before everything else: the page waits for it.
import './first-message.js';
// Before the rest: the SDK makes schemas as it is loaded.
import './zod-without-eval.js';

// For the file of a worker.
export { startServer } from './start-server.js';
export type { ServerOptions } from './inpage-server.js';
export type { ResourceCapabilities, RoundTripOptions } from './create-server.js';
export { notes } from './note-resources.js';
export { files } from './file-resources.js';
export { runtimeResources } from './runtime-resources.js';
export { noteTools } from './note-tools.js';
export { fileTools } from './file-tools.js';
export { resourceTools } from './resource-tools.js';
export { notePrompts } from './prompts.js';

// For tools and prompts of an app's own: with the SDK's words for them, so that an app needs no
// second copy of it.
export {
  acceptedContent,
  completable,
  createRequestStateCodec,
  fromJsonSchema,
  inputRequired,
  inputResponse,
  ProtocolError,
  ProtocolErrorCode,
  UrlElicitationRequiredError,
} from '@modelcontextprotocol/server';
export type {
  CallToolResult,
  ContentBlock,
  ElicitRequestFormParams,
  ElicitRequestURLParams,
  ElicitResult,
  GetPromptResult,
  InputRequest,
  InputRequests,
  InputRequiredResult,
  InputRequiredSpec,
  InputResponse,
  InputResponses,
  InputResponseView,
  JsonSchemaType,
  jsonSchemaValidator,
  McpServer,
  PromptMessage,
  ReadResourceResult,
  RequestStateCodec,
  RequestStateCodecOptions,
  Resource,
  ServerContext,
  ToolAnnotations,
} from '@modelcontextprotocol/server';
export type { Connection, Feature } from './connection.js';
export { registerTool, type ToolAnswer, type ToolCall, type ToolDefinition } from './tool.js';
export type { WritePermission } from './write-permission.js';
export { ToolError } from './protocol-errors.js';

// For a provider of an app's own.
export { BadPositionError } from './resource-provider.js';
export { blobContents } from './binary-extension.js';
export type {
  Completion,
  CompletionQuery,
  ProviderCall,
  ProviderHost,
  ProviderSource,
  ResourceChange,
  ResourceChangeListener,
  ResourceContents,
  ResourcePage,
  ResourceProvider,
} from './resource-provider.js';
export type { Resources } from './accessible-resources.js';

// For a server in any other thread.
export { InpageServer } from './inpage-server.js';
export type {
  Access,
  Confirm,
  ConfirmRequest,
  HeldBy,
  LimitsOf,
  ServedPortOptions,
} from './control-plane.js';
export { GUEST_LIMITS, PAGE_LIMITS, type ConnectionLimits } from './limits.js';
export { ActivityLog, MAX_ACTIVITY, type Activity, type ActivityEntry } from './activity-log.js';
export { MAX_PROVIDED, PROVIDE_TIMEOUT_MS, ProvidedResources } from './provided-resources.js';

// How much there may be.
export { MAX_INLINE_BYTES } from './content.js';
export { MAX_GATHERED, MAX_GATHERED_BYTES } from './gathered-contents.js';
export { MAX_ACCESS_URIS } from './access-uris.js';
export { MAX_COMPLETIONS } from './template-completion.js';
export { LIST_PAGE_SIZE } from './list-pages.js';
export { PAGE_SIZES } from './resource-router.js';
export { MAX_URI_LENGTH } from './resource-uris.js';
export { NOTIFICATION_INTERVAL_MS } from './change-notifications.js';
