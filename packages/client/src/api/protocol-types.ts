import type {
  Meta,
  Resource,
  ResourceContents,
  ResourceTemplate,
} from '@inpage-mcp/protocol/types';

/**
 * The part of MCP 2026-07-28 that only a client needs: results as this client returns them. Types
 * that servers need too are in `@inpage-mcp/protocol/types`. A test compares both with the official
 * SDK's. This file has the types of resources and those that all features share; the other features
 * have separate files.
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

/** The time for which a result is valid, and its users. Without `ttlMs`, it may change at once. */
export interface CacheHint {
  /** The validity in milliseconds; 0 means that the result may change at once. */
  ttlMs?: number | undefined;
  /** Whether the result is the same for all users (`public`). Default: `private`. */
  cacheScope?: 'public' | 'private' | undefined;
}

/** A report of the client about an answer that has entries. */
export interface Checked {
  /**
   * The number of entries that the client has omitted, because they violate the specification, or because the
   * answer has more than 10,000. If `nextCursor` is not a string, the unreachable rest of the list counts as
   * one. Absent if no entry is omitted.
   */
  unusable?: number | undefined;
}

/** One page of a list. */
export interface ListPage extends CacheHint, Checked {
  /** The opaque cursor of the next page; absent on the last page. */
  nextCursor?: string | undefined;
}

/** The answer to `resources/list`. */
export interface ListResourcesResult extends ListPage {
  /** The valid entries of the page. */
  resources: Resource[];
}

/** The answer to `resources/templates/list`. */
export interface ListResourceTemplatesResult extends ListPage {
  /** The valid entries of the page. */
  resourceTemplates: ResourceTemplate[];
}

/** The answer to `resources/read`. */
export interface ReadResourceResult extends CacheHint, Checked {
  /** The valid contents: one item, or several, such as the files of a folder. */
  contents: ResourceContents[];
}

/** The capabilities that the server declares; typed as far as this client uses them. */
export interface ServerCapabilities {
  /**
   * Present if the server has resources; `subscribe`: it reports changes of one, `listChanged`: of
   * the list.
   */
  resources?: { subscribe?: boolean | undefined; listChanged?: boolean | undefined } | undefined;
  /** Present if the server has tools; `listChanged`: it reports changes of the list. */
  tools?: { listChanged?: boolean | undefined } | undefined;
  /** Present if the server has prompts; `listChanged`: it reports changes of the list. */
  prompts?: { listChanged?: boolean | undefined } | undefined;
  /** Present if the server can complete arguments. */
  completions?: object | undefined;
  [capability: string]: unknown;
}

export interface DiscoverResult {
  supportedVersions: string[];
  capabilities?: ServerCapabilities | undefined;
  instructions?: string | undefined;
  _meta?: Meta | undefined;
}

/** The notifications that a `subscriptions/listen` stream requests. */
export interface SubscriptionFilter {
  resourceSubscriptions?: string[] | undefined;
  resourcesListChanged?: boolean | undefined;
  toolsListChanged?: boolean | undefined;
  promptsListChanged?: boolean | undefined;
}

/** The progress of a request (Utilities › Progress). */
export interface Progress {
  /** The progress so far. It increases with each report. */
  progress: number;
  /** The final value of `progress`, if it is known. */
  total?: number | undefined;
  /** The message for people. */
  message?: string | undefined;
}
