import type {
  Meta,
  Resource,
  ResourceContents,
  ResourceTemplate,
} from '@inpage-mcp/protocol/types';

/**
 * The part of MCP 2026-07-28 that only a client needs: results as this client returns them. What
 * a server and a client say alike stands in `@inpage-mcp/protocol/types`. A test compares both with
 * the official SDK's. Here: what all features share, and resources; the other features have files
 * of their own.
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

/** What a `subscriptions/listen` stream is to report. */
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
