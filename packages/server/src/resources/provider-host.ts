import type { StoreView } from '@inpage-mcp/store';
import type { Activity } from '../activity/activity-log.js';
import type { KeptChanges } from './kept-changes.js';
import type { ProvidedView } from './provided-resources.js';
import type { ResourceProvider } from './resource-provider.js';

/**
 * The data for a provider. If the provider is created for a connection with restricted access, it contains
 * only the data that this connection may currently see.
 */
export interface ProviderHost {
  /** The user's notes and files. */
  readonly store: StoreView;
  /** The requests of connections. */
  readonly activity: Activity;
  /** The changes that clients have made; absent with restricted access. */
  readonly history?: KeptChanges;
  /** The resources that the page provides while it is open. */
  readonly provided: ProvidedView;
  /** The folders of the disk that the page mounts. */
  readonly disk: { serve(): ResourceProvider };
}

/**
 * A provider, or a function that creates one: called once for all connections that may see everything, and
 * once for each other connection.
 */
export type ProviderSource = ResourceProvider | ((host: ProviderHost) => ResourceProvider);
