/**
 * The part of MCP 2026-07-28 that this client speaks, as plain types: no schema library reaches the
 * page. A test compares them with the official SDK's.
 */

/** The protocol revision of every request. */
export const PROTOCOL_VERSION = '2026-07-28';

/** Keys that the specification reserves in `_meta` (Base Protocol › `_meta`). */
export const META = {
  protocolVersion: 'io.modelcontextprotocol/protocolVersion',
  clientInfo: 'io.modelcontextprotocol/clientInfo',
  clientCapabilities: 'io.modelcontextprotocol/clientCapabilities',
  serverInfo: 'io.modelcontextprotocol/serverInfo',
  subscriptionId: 'io.modelcontextprotocol/subscriptionId',
} as const;

/** Open by design: servers may add what this client does not know. */
export interface Meta {
  [key: string]: unknown;
}

/** Who a client or server is. */
export interface Implementation {
  name: string;
  version: string;
  title?: string | undefined;
}

/** Hints for whoever shows or ranks a resource (Resources › Annotations). */
export interface Annotations {
  audience?: ('user' | 'assistant')[] | undefined;
  /** 0 (optional) to 1 (required). */
  priority?: number | undefined;
  /** ISO 8601. */
  lastModified?: string | undefined;
}

/** An entry of `resources/list`. */
export interface Resource {
  uri: string;
  name: string;
  title?: string | undefined;
  description?: string | undefined;
  mimeType?: string | undefined;
  /** In bytes, before any encoding. */
  size?: number | undefined;
  annotations?: Annotations | undefined;
  _meta?: Meta | undefined;
}

/** An entry of `resources/templates/list`. */
export interface ResourceTemplate {
  /** RFC 6570. */
  uriTemplate: string;
  name: string;
  title?: string | undefined;
  description?: string | undefined;
  mimeType?: string | undefined;
  annotations?: Annotations | undefined;
  _meta?: Meta | undefined;
}

/** Contents that are text. */
export interface TextResourceContents {
  uri: string;
  mimeType?: string | undefined;
  text: string;
  _meta?: Meta | undefined;
}

/** Contents that are bytes. */
export interface BlobResourceContents {
  uri: string;
  mimeType?: string | undefined;
  /** Base64. */
  blob: string;
  _meta?: Meta | undefined;
}

export type ResourceContents = TextResourceContents | BlobResourceContents;

/** How long a result holds, and for whom. */
export interface CacheHint {
  /** Milliseconds; 0 means that it may be another at once. */
  ttlMs: number;
  cacheScope: 'public' | 'private';
}

export interface ListResourcesResult extends CacheHint {
  resources: Resource[];
  /** Opaque; absent on the last page. */
  nextCursor?: string | undefined;
}

export interface ListResourceTemplatesResult extends CacheHint {
  resourceTemplates: ResourceTemplate[];
  /** Opaque; absent on the last page. */
  nextCursor?: string | undefined;
}

export interface ReadResourceResult extends CacheHint {
  contents: ResourceContents[];
}

/** What the server says it can do; only what this client asks about. */
export interface ServerCapabilities {
  resources?: { subscribe?: boolean | undefined; listChanged?: boolean | undefined } | undefined;
  [capability: string]: unknown;
}

export interface DiscoverResult {
  supportedVersions: string[];
  capabilities: ServerCapabilities;
  instructions?: string | undefined;
  _meta?: Meta | undefined;
}

/** What a `subscriptions/listen` stream is to tell. */
export interface SubscriptionFilter {
  resourceSubscriptions?: string[] | undefined;
  resourcesListChanged?: boolean | undefined;
}
