// The client.
export { connectClient } from './connect-client.js';
export type { ConnectOptions } from './connect-client.js';
export type { ClientState } from './client-state.js';
export type { OpenTransport } from './introduction.js';
export { eachPage } from './each-page.js';
export type { McpClient } from './mcp-client.js';
export { DEFAULT_TIMEOUT_MS, DEFAULT_TOTAL_TIMEOUT_MS } from './request-options.js';
export type {
  CallOptions,
  CompleteOptions,
  PageOptions,
  ReadOptions,
  RequestOptions,
  WatchOptions,
} from './request-options.js';
export type { ClientTransport } from './rpc-connection.js';
export type { Watch } from './subscriptions.js';
export { ClientError, McpError, type ClientErrorCode } from './client-error.js';

// Resources, and what all features share.
export { blobOf, bytesOf, isBlobContents, rangeOf } from './resource-contents.js';
export type { ByteRange, ContentRange } from './binary-extension.js';
export { PROTOCOL_VERSION } from './protocol-types.js';
export type {
  CacheHint,
  Checked,
  ListPage,
  ListResourcesResult,
  ListResourceTemplatesResult,
  Progress,
  ReadResourceResult,
  ServerCapabilities,
} from './protocol-types.js';
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
export type { CallToolResult, ListToolsResult, Tool } from './tool-types.js';
export type {
  CompleteArgument,
  CompleteResult,
  GetPromptResult,
  ListPromptsResult,
  Prompt,
  PromptArgument,
  PromptReference,
  ResourceTemplateReference,
} from './prompt-types.js';

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
} from './elicitation-types.js';
