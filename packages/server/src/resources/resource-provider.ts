import type {
  Completion,
  CompletionQuery,
  Resource,
  ResourceChangeListener,
  ResourceContents,
  ResourceTemplate,
} from '@inpage-mcp/protocol';

export type {
  Completion,
  CompletionQuery,
  ResourceChange,
  ResourceChangeListener,
  ResourceContents,
} from '@inpage-mcp/protocol';

/** A part of a provider's list. */
export interface ResourcePage {
  resources: Resource[];
  /** Where the next page starts, in the provider's own words; absent at the end. */
  next?: string;
}

/** What a call of a provider may look at. */
export interface ProviderCall {
  /** Aborts when the client cancels or its connection ends; nobody waits for the answer then. */
  signal: AbortSignal;
  /**
   * The largest content that is sent inside a message, in bytes: what is larger goes as a Blob, or
   * in ranges, or not at all. A provider need not look at it. Default: that of the connection.
   */
  inlineBytes?: number;
  /**
   * Whether whoever reads takes contents as Blobs (`blobContents`). A provider need not look at it
   * either: the server encodes what is not taken. Default: false.
   */
  blobs?: boolean;
}

/**
 * One kind of resource: what the server needs to list, read, complete and watch it. This is the
 * seam between MCP and whatever holds the data.
 *
 * A provider answers for its own addresses only and never throws for one that it does not know.
 * Errors it does throw reach the client without their message, unless they are `ProtocolError`s.
 */
export interface ResourceProvider {
  /** Names the provider inside page cursors; unique among the providers of a server. */
  readonly name: string;
  /** The templates of its addresses, for `resources/templates/list`. */
  readonly templates: readonly ResourceTemplate[];
  /**
   * At most `limit` resources in a stable order, at the cost of that many.
   *
   * @throws {BadPositionError} when `after` is none of its positions.
   */
  list(page: { after: string | undefined; limit: number }): Promise<ResourcePage>;
  /**
   * What is at an address; `undefined` when nothing is, or when it is not this provider's. Give
   * what may be large as `blobContents`: its bytes are then read only as far as they are sent.
   */
  read(uri: string, call: ProviderCall): Promise<ResourceContents[] | undefined>;
  /** What a variable of one of its templates could be. Absent: nothing is known. */
  complete?(query: CompletionQuery, call: ProviderCall): Promise<Completion>;
  /** Calls the listener after each commit. Returns what stops that. */
  listen(listener: ResourceChangeListener): () => void;
}

/** Thrown by {@link ResourceProvider.list}: a cursor was made up or altered. */
export class BadPositionError extends Error {
  override readonly name = 'BadPositionError';
}
