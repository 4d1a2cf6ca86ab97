import type { StoreView } from '@inpage-mcp/store';
import type { Activity } from '../activity/activity-log.js';
import type { ProvidedView } from './provided-resources.js';
import type { ResourceProvider } from './resource-provider.js';

/**
 * What a provider may be made of: of one that is made for a connection that may not see all, what
 * that connection may see at each moment.
 */
export interface ProviderHost {
  /** The user's notes and files. */
  readonly store: StoreView;
  /** What connections have asked for. */
  readonly activity: Activity;
  /** What the page provides while it is open. */
  readonly provided: ProvidedView;
}

/**
 * A provider, or what makes one: called once for all connections that may see everything, and once
 * for each other one.
 */
export type ProviderSource = ResourceProvider | ((host: ProviderHost) => ResourceProvider);
