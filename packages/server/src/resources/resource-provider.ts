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
 * @param author The author of the changes, as a listener of `store.changes` gets it: each client learns as
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

/** The addresses that a connection may currently see. */
export interface PermittedUris {
  /**
   * The value `all`, or the addresses of its access: one that ends in `/`, `:`, `?` or `=` covers every uri
   * that begins with it, any other exactly that uri. With them, a provider can read only a range of its keys.
   */
  readonly addresses: 'all' | readonly string[];
  /** Whether a uri is permitted, regardless of whether it exists. */
  permits(uri: string): boolean;
  /** Whether some uri with this beginning may be permitted. If not, skip everything below it. */
  mayPermit(beginning: string): boolean;
}

/** The options of a request for resources. */
export interface ResourceCall {
  /** Aborts when the client cancels or its connection ends; the answer is no longer needed then. */
  signal: AbortSignal;
  /**
   * The maximum size of a content that is sent inside a message, in bytes: larger ones are sent as a Blob, in
   * ranges, or not at all. A provider may ignore it. Default: that of the connection.
   */
  inlineBytes?: number;
  /**
   * Whether the reader accepts contents as Blobs (`blobContents`). A provider may ignore it too: if
   * Blobs are not accepted, the server encodes them. Default: false.
   */
  blobs?: boolean;
}

/** The options of a call to a provider. */
export interface ProviderCall extends ResourceCall {
  /**
   * The addresses that the connection may see. For it, nothing else exists: the server removes everything
   * else from the answer, but only the provider can prevent that its time, its pages and its totals depend on
   * it.
   */
  permitted: PermittedUris;
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
   * Lists at most `limit` permitted resources in a stable order, without reading more. The client can read
   * the positions, so they may name only permitted resources.
   *
   * @throws {BadPositionError} if `after` is not one of its positions for this connection.
   */
  list(
    page: { after: string | undefined; limit: number },
    call: ProviderCall,
  ): Promise<ResourcePage>;
  /**
   * Reads the contents of an address; `undefined` if it does not exist or does not belong to this provider.
   * Return `blobContents` for contents that may be large, because then only the bytes that are sent are read.
   */
  read(uri: string, call: ProviderCall): Promise<ResourceContents[] | undefined>;
  /**
   * Completes a variable of one of its templates, to permitted addresses only. Absent if the provider has no
   * completions.
   */
  complete?: ((query: CompletionQuery, call: ProviderCall) => Promise<Completion>) | undefined;
  /** Calls the listener after each commit. Returns a function that stops it. */
  listen(listener: ResourceChangeListener): () => void;
}

/**
 * A cursor is not one of the provider's: it was invented or altered. Thrown by {@link ResourceProvider.list}.
 */
export class BadPositionError extends Error {
  override readonly name = 'BadPositionError';
}
