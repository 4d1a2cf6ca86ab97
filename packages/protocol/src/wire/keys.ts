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
 * The two families of revisions: `legacy` begins with a handshake (`initialize`); in `modern` each
 * request says in its `_meta` what its client is.
 */
export type Era = 'legacy' | 'modern';

/** The revisions of each era, the newest first. */
export const REVISIONS: { readonly [era in Era]: readonly [string, ...string[]] } = {
  modern: ['2026-07-28'],
  legacy: ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'],
};

/** The one revision that has batches: servers must take them (Base Protocol › Messages). */
export const REVISION_WITH_BATCHES = '2025-03-26';

/** Before it, no client could be asked anything of its user. */
export const ELICITATION_SINCE = '2025-06-18';

/** Everything that a server of this package ever sends or takes by name. */
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

/** The method of a stream of the modern era, which stays open. */
export const LISTEN = 'subscriptions/listen';
