import type {
  BlobResourceContents,
  Resource,
  ResourceTemplateType,
  TextResourceContents,
} from '@modelcontextprotocol/server';
import type { Store } from '@inpage-mcp/store';

/** One item of a `resources/read` result. */
export type ResourceContents = TextResourceContents | BlobResourceContents;

/** A part of a provider's list. */
export interface ResourcePage {
  resources: Resource[];
  /** Where the next page starts, in the provider's own words; absent at the end. */
  next?: string;
}

/** Something that was committed to a resource. */
export interface ResourceChange {
  uri: string;
  /** Whether `resources/list` differs now in more than size and time. */
  listChanged: boolean;
}

/** Hears what was committed. */
export type ResourceChangeListener = (changes: readonly ResourceChange[]) => void;

/**
 * One kind of resource: what the server needs to list, read and watch it. This is the seam between
 * MCP and whatever holds the data.
 *
 * A provider answers for its own addresses only and never throws for one that it does not know.
 * Errors it does throw reach the client without their message, unless they are `ProtocolError`s.
 */
export interface ResourceProvider {
  /** Names the provider inside page cursors; unique among the providers of a server. */
  readonly name: string;
  /** The templates of its addresses, for `resources/templates/list`. */
  readonly templates: readonly ResourceTemplateType[];
  /**
   * At most `limit` resources in a stable order, at the cost of that many.
   *
   * @throws {BadPositionError} when `after` is none of its positions.
   */
  list(page: { after: string | undefined; limit: number }): Promise<ResourcePage>;
  /** What is at an address; `undefined` when nothing is, or when it is not this provider's. */
  read(uri: string): Promise<ResourceContents[] | undefined>;
  /** Calls the listener after each commit. Returns what stops that. */
  listen(listener: ResourceChangeListener): () => void;
}

/** A provider, or what makes one from the user's store. */
export type ProviderSource = ResourceProvider | ((store: Store) => ResourceProvider);

/** Thrown by {@link ResourceProvider.list}: a cursor was made up or altered. */
export class BadPositionError extends Error {
  override readonly name = 'BadPositionError';
}
