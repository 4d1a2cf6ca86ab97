// The server, and its tools, prompts and resources.
export { McpServer } from './session/mcp-server.js';
export type {
  Added,
  McpServerOptions,
  ServedConnection,
  ServeOptions,
} from './session/mcp-server.js';
export type { Observer } from './session/observer.js';
export { defineTool } from './features/tool.js';
export type {
  Tool,
  ToolAnswer,
  ToolDefinition,
  ToolOutcome,
  ToolVisibility,
} from './features/tool.js';
export type { App } from './features/apps.js';
export { definePrompt } from './features/prompt.js';
export type {
  Completion,
  Prompt,
  PromptArgument,
  PromptDefinition,
  PromptValues,
} from './features/prompt.js';
export type { CompletionQuery, ResourcePage, Resources } from './features/resources.js';
export { joinResources, resourceTemplate } from './features/resource-template.js';
export type { TemplateDefinition } from './features/resource-template.js';
export { UriTemplate } from './features/uri-template.js';
export type { UriValues, UriVariables } from './features/uri-template.js';
export { defineMethod } from './features/methods.js';
export type { Method, MethodDefinition } from './features/methods.js';
export type { ConnectionAccess } from './features/access.js';
export type { Call } from './calls/call.js';
export type {
  ChangedBy,
  ResourceChange,
  ResourceChangeListener,
} from './subscriptions/subscriptions.js';

// Questions of a call to its client.
export { acceptedContent, inputRequired, inputResponse } from './features/input-required.js';
export type {
  InputRequiredOptions,
  InputResponseView,
  RequestStateOptions,
} from './features/input-required.js';
export { createRequestStateCodec } from './features/request-state.js';
export type { RequestStateCodec, RequestStateCodecOptions } from './features/request-state.js';

// Schemas of tools.
export type {
  InputOf,
  JsonSchema,
  OutputOf,
  SchemaSource,
  StandardSchema,
} from './schemas/index.js';

// Messages and errors.
export {
  ErrorCode,
  invalidParams,
  ProtocolError,
  ResourceNotFoundError,
  ToolError,
  UrlElicitationRequiredError,
} from './wire/errors.js';
export { META, REQUEST_META_KEY, REVISIONS, type Era } from './wire/keys.js';
export type * from './types.js';

// Fairness between holders of ports, and limits.
export { FairShare } from './fairness/fair-share.js';
export {
  GUEST_LIMITS,
  limitsWith,
  MAX_URI_LENGTH,
  PAGE_LIMITS,
  type ChangedLimits,
  type ConnectionLimits,
} from './fairness/limits.js';
export { nextTask } from './fairness/next-task.js';
export { startTimer } from './fairness/start-timer.js';
export { omitUndefined } from './wire/omit-undefined.js';

// Limits of lists and notifications.
export { decodeCursor, encodeCursor, MAX_CURSOR_LENGTH } from './features/page-cursor.js';
export { badCursorError, LIST_PAGE_SIZE } from './features/list-pages.js';
export { MAX_COMPLETIONS } from './features/completion.js';
export { NOTIFICATION_INTERVAL_MS } from './subscriptions/change-notifications.js';
