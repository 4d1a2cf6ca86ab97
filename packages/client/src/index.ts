// The client.
export { connectClient } from './connect-client.js';
export type { ConnectOptions } from './connect-client.js';
export type { ClientState } from './connection/client-state.js';
export type { OpenTransport } from './connection/open-connection.js';
export { eachPage } from './results/each-page.js';
export type { McpClient } from './interface/mcp-client.js';
export { DEFAULT_TIMEOUT_MS, DEFAULT_TOTAL_TIMEOUT_MS } from './api/request-options.js';
export type {
  CallOptions,
  CompleteOptions,
  PageOptions,
  ReadOptions,
  RequestOptions,
  WatchOptions,
} from './api/request-options.js';
export type { ClientTransport } from './connection/rpc-connection.js';
export type { Watch, WatchListener } from './subscriptions/subscriptions.js';
export { ClientError, McpError, type ClientErrorCode } from './api/client-error.js';

// Resources, and types that all features share.
export { blobOf, bytesOf, isBlobContents, rangeOf } from './results/resource-contents.js';
export type { ByteRange, ContentRange } from './api/binary-extension.js';
export { PROTOCOL_VERSION } from './api/protocol-types.js';
export type {
  CacheHint,
  Checked,
  ListPage,
  ListResourcesResult,
  ListResourceTemplatesResult,
  Progress,
  ReadResourceResult,
  ServerCapabilities,
} from './api/protocol-types.js';
export type {
  Annotations,
  AudioContent,
  BlobResourceContents,
  ContentBlock,
  EmbeddedResource,
  Icon,
  ImageContent,
  Implementation,
  Listed,
  Meta,
  PromptMessage,
  Resource,
  ResourceContents,
  ResourceLink,
  ResourceTemplate,
  TextContent,
  TextResourceContents,
  ToolAnnotations,
} from '@inpage-mcp/protocol/types';

// Tools and prompts.
export type { CallToolResult, ListToolsResult, Tool } from './api/tool-types.js';
export type {
  CompleteArgument,
  CompleteResult,
  GetPromptResult,
  ListPromptsResult,
  Prompt,
  PromptArgument,
  PromptReference,
  ResourceTemplateReference,
} from './api/prompt-types.js';

// Questions to the user.
export type {
  BooleanField,
  Choice,
  ChoicesField,
  Elicit,
  ElicitRequest,
  ElicitResult,
  NumberField,
  StringField,
} from './api/elicitation-types.js';
