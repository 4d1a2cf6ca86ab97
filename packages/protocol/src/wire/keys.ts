/** Keys that the specification reserves in `_meta` (Base Protocol › `_meta`). */
export const META = {
  protocolVersion: 'io.modelcontextprotocol/protocolVersion',
  clientInfo: 'io.modelcontextprotocol/clientInfo',
  clientCapabilities: 'io.modelcontextprotocol/clientCapabilities',
  logLevel: 'io.modelcontextprotocol/logLevel',
  serverInfo: 'io.modelcontextprotocol/serverInfo',
  subscriptionId: 'io.modelcontextprotocol/subscriptionId',
} as const;

/**
 * The key in `_meta` of a log message of the modern era that names its request. Over HTTP, a message is part of
 * the response to its request; a port does not show which request a message is about.
 */
export const REQUEST_META_KEY = 'io.github.inpage-mcp/request';

/**
 * The two families of revisions: `legacy` begins with a handshake (`initialize`); in `modern` each
 * request describes its client in `_meta`.
 */
export type Era = 'legacy' | 'modern';

/** The revisions of each era, the newest first. */
export const REVISIONS: { readonly [era in Era]: readonly [string, ...string[]] } = {
  modern: ['2026-07-28'],
  legacy: ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'],
};

/** The only revision with batches: servers must accept them (Base Protocol › Messages). */
export const REVISION_WITH_BATCHES = '2025-03-26';

/** The first revision with audio as content. */
export const AUDIO_SINCE = '2025-03-26';

/** The first revision with elicitation. */
export const ELICITATION_SINCE = '2025-06-18';

/** The first revision in which elicitation has modes, and sampling has tools. */
export const MODES_SINCE = '2025-11-25';

/** All notifications that a server of this package sends or accepts. */
export const NOTIFICATIONS = {
  acknowledged: 'notifications/subscriptions/acknowledged',
  cancelled: 'notifications/cancelled',
  message: 'notifications/message',
  progress: 'notifications/progress',
  promptsChanged: 'notifications/prompts/list_changed',
  resourcesChanged: 'notifications/resources/list_changed',
  resourceUpdated: 'notifications/resources/updated',
  toolsChanged: 'notifications/tools/list_changed',
} as const;

/** The method that opens a stream in the modern era. */
export const LISTEN = 'subscriptions/listen';
