import {
  BadPositionError,
  type Completion,
  type CompletionQuery,
  type PermittedUris,
  type ProviderCall,
  type Resource,
  type ResourceChangeListener,
  type ResourceContents,
  type ResourcePage,
  type ResourceProvider,
} from '@inpage-mcp/server';

/** An address worth keeping. */
export interface Bookmark {
  /** Any absolute URI (RFC 3986). Two spellings are two bookmarks. */
  uri: string;
  title: string;
  /** What is read at the address. */
  text: string;
}

/** What the addresses of the repository at example.org begin with. */
const REPOSITORY = 'git://example.org/';
/** RFC 6570. With `+` a path goes into the address as it is, slashes and escapes included. */
const REPOSITORY_TEMPLATE = `${REPOSITORY}{+path}`;

const MEDIA_TYPE = 'text/plain';

/**
 * The bookmarks as resources, in the order in which they were added. They are in memory only: the
 * weather beside them shows how an app keeps something.
 */
export class Bookmarks implements ResourceProvider {
  readonly name = 'bookmarks';
  readonly templates = [
    {
      uriTemplate: REPOSITORY_TEMPLATE,
      name: 'repository-file',
      title: 'File in the repository',
      description: 'A bookmarked file of the repository at example.org, by its path.',
      mimeType: MEDIA_TYPE,
    },
  ];
  readonly #shelf: Bookmark[] = [];
  /** Places on the shelf, by address: exact strings, compared as such and never normalised. */
  readonly #places = new Map<string, number>();
  readonly #listeners = new Set<ResourceChangeListener>();

  constructor(first: readonly Bookmark[]) {
    for (const bookmark of first) this.#put(bookmark);
  }

  /** Adds a bookmark, or replaces the one of the same address where it stands. */
  add(bookmark: Bookmark): void {
    this.#put(bookmark);
    const { uri } = bookmark;
    for (const listener of this.#listeners) listener([{ uri, listChanged: true }]);
  }

  /**
   * A position is the address of the last bookmark before the page; nothing moves it. For the
   * connection, the bookmarks that it may not see do not exist: neither on the page nor as a position.
   */
  async list(
    { after, limit }: { after: string | undefined; limit: number },
    { permitted }: ProviderCall,
  ): Promise<ResourcePage> {
    const resources: Resource[] = [];
    const start = after === undefined ? 0 : this.#placeOf(after, permitted) + 1;
    for (let place = start; place < this.#shelf.length; place += 1) {
      const bookmark = this.#shelf[place]!;
      if (!permitted.permits(bookmark.uri)) continue;
      if (resources.length === limit) return { resources, next: resources.at(-1)!.uri };
      resources.push(resourceOf(bookmark));
    }
    return { resources };
  }

  async read(uri: string): Promise<ResourceContents[] | undefined> {
    const place = this.#places.get(uri);
    if (place === undefined) return undefined;
    return [{ uri, mimeType: MEDIA_TYPE, text: this.#shelf[place]!.text }];
  }

  /** The server asks for templates of this provider only, so there is one variable to know. */
  async complete(
    { argument, value }: CompletionQuery,
    { permitted }: ProviderCall,
  ): Promise<Completion> {
    const typed = REPOSITORY + value;
    const found = this.#shelf.filter(
      ({ uri }) => argument === 'path' && uri.startsWith(typed) && permitted.permits(uri),
    );
    const values = found.map(({ uri }) => uri.slice(REPOSITORY.length));
    return { values, total: values.length };
  }

  listen(listener: ResourceChangeListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #put(bookmark: Bookmark): void {
    const place = this.#places.get(bookmark.uri) ?? this.#shelf.length;
    this.#shelf[place] = bookmark;
    this.#places.set(bookmark.uri, place);
  }

  #placeOf(position: string, permitted: PermittedUris): number {
    const place = this.#places.get(position);
    if (place === undefined || !permitted.permits(position)) throw new BadPositionError();
    return place;
  }
}

function resourceOf({ uri, title, text }: Bookmark): Resource {
  return { uri, name: title, title, mimeType: MEDIA_TYPE, size: new Blob([text]).size };
}
