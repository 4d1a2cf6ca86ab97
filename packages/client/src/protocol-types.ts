/**
 * The part of MCP 2026-07-28 that this client speaks, as plain types: no schema library reaches the
 * page. A test compares them with the official SDK's. Here: what all features share, and resources;
 * the other features have files of their own.
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

/** A picture that stands for something (Base Protocol › icons). */
export interface Icon {
  /** An `https:` or a `data:` URI. Whoever shows it has to refuse any other scheme. */
  src: string;
  mimeType?: string | undefined;
  /** Such as `48x48`, or `any`. */
  sizes?: string[] | undefined;
  /** The ground that it is drawn for. */
  theme?: 'light' | 'dark' | undefined;
}

/** Who a client or server is. */
export interface Implementation {
  name: string;
  version: string;
  title?: string | undefined;
  description?: string | undefined;
  websiteUrl?: string | undefined;
  icons?: Icon[] | undefined;
}

/** Hints for whoever shows or ranks a resource (Resources › Annotations). */
export interface Annotations {
  audience?: ('user' | 'assistant')[] | undefined;
  /** 0 (optional) to 1 (required). */
  priority?: number | undefined;
  /** ISO 8601. */
  lastModified?: string | undefined;
}

/** What everything that a server lists has. */
export interface Listed {
  name: string;
  /** For people; without it they are shown the name. */
  title?: string | undefined;
  description?: string | undefined;
  icons?: Icon[] | undefined;
  _meta?: Meta | undefined;
}

/** An entry of `resources/list`. */
export interface Resource extends Listed {
  uri: string;
  mimeType?: string | undefined;
  /** In bytes, before any encoding. */
  size?: number | undefined;
  annotations?: Annotations | undefined;
}

/** An entry of `resources/templates/list`. */
export interface ResourceTemplate extends Listed {
  /** RFC 6570. */
  uriTemplate: string;
  mimeType?: string | undefined;
  annotations?: Annotations | undefined;
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

/** How long a result holds, and for whom; where the server does not say, for no time. */
export interface CacheHint {
  /** Milliseconds; 0 means that it may be another at once. */
  ttlMs?: number | undefined;
  cacheScope?: 'public' | 'private' | undefined;
}

/** What the client says of an answer that has entries. */
export interface Checked {
  /**
   * How many of its entries the client has left out, as they are not what the specification
   * requires. What follows a `nextCursor` that is no string counts as one. Absent for none.
   */
  unusable?: number | undefined;
}

/** One page of a list. */
export interface ListPage extends CacheHint, Checked {
  /** Opaque; absent on the last page. */
  nextCursor?: string | undefined;
}

export interface ListResourcesResult extends ListPage {
  resources: Resource[];
}

export interface ListResourceTemplatesResult extends ListPage {
  resourceTemplates: ResourceTemplate[];
}

export interface ReadResourceResult extends CacheHint, Checked {
  contents: ResourceContents[];
}

/** What the server says it can do; only what this client asks about. */
export interface ServerCapabilities {
  resources?: { subscribe?: boolean | undefined; listChanged?: boolean | undefined } | undefined;
  tools?: { listChanged?: boolean | undefined } | undefined;
  prompts?: { listChanged?: boolean | undefined } | undefined;
  /** Present when arguments can be completed. */
  completions?: object | undefined;
  [capability: string]: unknown;
}

export interface DiscoverResult {
  supportedVersions: string[];
  capabilities?: ServerCapabilities | undefined;
  instructions?: string | undefined;
  _meta?: Meta | undefined;
}

/** What a `subscriptions/listen` stream is to tell. */
export interface SubscriptionFilter {
  resourceSubscriptions?: string[] | undefined;
  resourcesListChanged?: boolean | undefined;
  toolsListChanged?: boolean | undefined;
  promptsListChanged?: boolean | undefined;
}

/** How far a request is (Utilities › Progress). */
export interface Progress {
  /** More each time. */
  progress: number;
  /** What `progress` comes to in the end, where that is known. */
  total?: number | undefined;
  /** For people. */
  message?: string | undefined;
}
