// The client.
export { connectClient } from './mcp-client.js';
export type { ConnectOptions, McpClient, PageOptions } from './mcp-client.js';
export { DEFAULT_TIMEOUT_MS } from './rpc-connection.js';
export type { ClientTransport, RequestOptions } from './rpc-connection.js';
export type { Watch } from './subscriptions.js';
export { ClientError, McpError, type ClientErrorCode } from './client-error.js';

// What it brings.
export { bytesOf, isBlobContents } from './resource-contents.js';
export { PROTOCOL_VERSION } from './protocol-types.js';
export type {
  Annotations,
  BlobResourceContents,
  CacheHint,
  Implementation,
  ListResourcesResult,
  ListResourceTemplatesResult,
  Meta,
  ReadResourceResult,
  Resource,
  ResourceContents,
  ResourceTemplate,
  ServerCapabilities,
  TextResourceContents,
} from './protocol-types.js';
