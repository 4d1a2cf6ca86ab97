import type {
  Completion,
  CompletionQuery,
  Resource,
  ResourceChange,
  ResourceContents,
  ResourceTemplate,
} from '@inpage-mcp/protocol';
import type { ChangeAuthor } from '@inpage-mcp/store';

export type {
  Completion,
  CompletionQuery,
  ResourceChange,
  ResourceContents,
} from '@inpage-mcp/protocol';

/**
 * Called with changes.
 *
 * @param author Who has made them, as a listener of `store.changes` gets it: each client learns as
 *   much of it as it may know. Default: unknown.
 */
export type ResourceChangeListener = (
  changes: readonly ResourceChange[],
  author?: ChangeAuthor,
) => void;

/** A part of a provider's list. */
export interface ResourcePage {
  /** The entries, in the order of the list. */
  resources: Resource[];
  /** The start of the next page, in the provider's own format; absent at the end. */
  next?: string | undefined;
}

/** The options of a call to a provider. */
export interface ProviderCall {
  /** Aborts when the client cancels or its connection ends; the answer is no longer needed then. */
  signal: AbortSignal;
  /**
   * The largest content that is sent inside a message, in bytes: larger ones are sent as a Blob, in
   * ranges, or not at all. A provider may ignore it. Default: that of the connection.
   */
  inlineBytes?: number;
  /**
   * Whether the reader accepts contents as Blobs (`blobContents`). A provider may ignore it too: if
   * Blobs are not accepted, the server encodes them. Default: false.
   */
  blobs?: boolean;
}

/**
 * Lists, reads, completes and watches one kind of resource for the server. This is the interface
 * between MCP and the storage of the data.
 *
 * A provider answers only for its own addresses, and returns `undefined` for unknown ones. Errors
 * that it throws reach the client without their message, unless they are `ProtocolError`s.
 */
export interface ResourceProvider {
  /** The name of the provider in page cursors; unique among the providers of a server. */
  readonly name: string;
  /** The templates of its addresses, for `resources/templates/list`. */
  readonly templates: readonly ResourceTemplate[];
  /**
   * At most `limit` resources in a stable order, without reading more.
   *
   * @throws {BadPositionError} if `after` is not one of its positions.
   */
  list(page: { after: string | undefined; limit: number }): Promise<ResourcePage>;
  /**
   * The contents of an address; `undefined` if it does not exist or is not this provider's. Return
   * `blobContents` for contents that may be large: only the bytes that are sent are then read.
   */
  read(uri: string, call: ProviderCall): Promise<ResourceContents[] | undefined>;
  /** Completes a variable of one of its templates. Absent: there are no completions. */
  complete?: ((query: CompletionQuery, call: ProviderCall) => Promise<Completion>) | undefined;
  /** Calls the listener after each commit. Returns a function that stops it. */
  listen(listener: ResourceChangeListener): () => void;
}

/** Thrown by {@link ResourceProvider.list}: a cursor was made up or altered. */
export class BadPositionError extends Error {
  override readonly name = 'BadPositionError';
}
