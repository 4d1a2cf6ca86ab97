// This import comes first, because the page waits for its message.
import './first-message.js';

// The start of the server, for a worker file.
export { startServer } from './start-server.js';
export type { ResourceCapabilities, ServerOptions } from './serving/server-options.js';
export { notes } from './resources/notes/note-resources.js';
export { files } from './resources/files/file-resources.js';
export { disk } from './resources/disk/disk.js';
export { runtimeResources } from './resources/runtime-resources.js';
export { noteTools } from './tools/note-tools.js';
export { fileTools } from './tools/file-tools.js';
export { resourceTools } from './tools/resource-tools.js';
export { notePrompts } from './prompts/prompts.js';

// The definition of an app's own tools and prompts.
export {
  acceptedContent,
  createRequestStateCodec,
  ErrorCode,
  inputRequired,
  inputResponse,
  invalidParams,
  ProtocolError,
  ResourceNotFoundError,
  ToolError,
  UrlElicitationRequiredError,
} from '@inpage-mcp/protocol';
export type {
  App,
  Call,
  CallToolResult,
  ContentBlock,
  ElicitFormParams,
  ElicitParams,
  ElicitResult,
  ElicitUrlParams,
  GetPromptResult,
  InputRequest,
  InputRequiredOptions,
  InputRequiredResult,
  InputResponse,
  InputResponses,
  InputResponseView,
  JsonSchema,
  McpServer,
  Method,
  Prompt,
  PromptArgument,
  PromptDefinition,
  PromptMessage,
  RequestStateCodec,
  RequestStateCodecOptions,
  RequestStateOptions,
  Resource,
  ResourceTemplate,
  SchemaSource,
  StandardSchema,
  Tool,
  ToolAnnotations,
  ToolAnswer,
  ToolDefinition,
  ToolOutcome,
  ToolVisibility,
} from '@inpage-mcp/protocol';
export { definePrompt } from './prompts/define-prompt.js';
export { defineTool } from './tools/define-tool.js';
export type { FeatureParts, FeatureScript } from './serving/page-features.js';
export type { Connection, Feature, Resources } from './access/connection-context.js';

// The types of an app's own provider.
export { BadPositionError } from './resources/resource-provider.js';
export { blobContents } from './resources/contents/binary-extension.js';
export type {
  Completion,
  CompletionQuery,
  PermittedUris,
  ProviderCall,
  ResourceCall,
  ResourceChange,
  ResourceChangeListener,
  ResourceContents,
  ResourcePage,
  ResourceProvider,
} from './resources/resource-provider.js';
export type { ProviderHost, ProviderSource } from './resources/provider-host.js';

// The server for another thread.
export { InpageServer } from './serving/inpage-server.js';
export type {
  Access,
  Confirm,
  ConfirmRequest,
  HeldBy,
  LimitsOf,
  ServedPortOptions,
} from './control/control-plane.js';
export {
  ActivityLog,
  MAX_ACTIVITY,
  type Activity,
  type ActivityEntry,
} from './activity/activity-log.js';
export {
  MAX_PROVIDED,
  PROVIDE_TIMEOUT_MS,
  ProvidedResources,
} from './resources/provided-resources.js';

// The limits.
export { MAX_INLINE_BYTES } from './resources/contents/content.js';
export { MAX_GATHERED, MAX_GATHERED_BYTES } from './resources/contents/gathered-contents.js';
export { MAX_ACCESS_URIS } from './access/uri-patterns.js';
export { PAGE_SIZES } from './resources/resource-router.js';
export {
  GUEST_LIMITS,
  LIST_PAGE_SIZE,
  MAX_COMPLETIONS,
  MAX_URI_LENGTH,
  NOTIFICATION_INTERVAL_MS,
  PAGE_LIMITS,
  type ChangedLimits,
  type ConnectionLimits,
} from '@inpage-mcp/protocol';
