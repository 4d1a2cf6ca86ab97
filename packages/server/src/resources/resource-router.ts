import {
  badCursorError,
  decodeCursor,
  encodeCursor,
  ResourceNotFoundError,
  type Resource,
  type ResourcePage as ListPage,
  type ResourceTemplate,
} from '@inpage-mcp/protocol';
import { noSuchTemplateError } from './protocol-errors.js';
import {
  BadPositionError,
  type Completion,
  type CompletionQuery,
  type ProviderCall,
  type ResourceChangeListener,
  type ResourceContents,
  type ResourcePage,
  type ResourceProvider,
} from './resource-provider.js';

/**
 * The sizes of the first pages; the last entry applies to all later ones. The small first page arrives fast,
 * and a client that stops after 64 pages (such as the official SDK's) still gets 100,000 resources.
 */
export const PAGE_SIZES: readonly number[] = [200, 1_000, 2_000];

/** The start of a page of the joined list. */
interface PagePosition {
  /** The number of the provider whose list the page starts in. */
  index: number;
  /** The position in that provider's list; `undefined` at its start. */
  after: string | undefined;
  /** The number of pages before it. */
  page: number;
}

/** Joins the providers of a server into one list and one address space. */
export class ResourceRouter {
  readonly #providers: readonly ResourceProvider[];

  /** @param providers The providers, in the order in which their resources are listed. */
  constructor(providers: readonly ResourceProvider[]) {
    if (new Set(providers.map(({ name }) => name)).size !== providers.length) {
      throw new TypeError('Two resource providers have the same name.');
    }
    this.#providers = providers;
  }

  /** All templates of all providers. */
  get templates(): ResourceTemplate[] {
    return this.#providers.flatMap(({ templates }) => templates);
  }

  /**
   * One page of the joined list; reads no more than that page.
   *
   * @throws {ProtocolError} −32602 for a bad cursor.
   */
  async list(cursor: string | undefined, call: ProviderCall): Promise<ListPage> {
    const { page, ...start } = this.#startOf(cursor);
    let { index, after } = start;
    const limit = PAGE_SIZES[Math.min(page, PAGE_SIZES.length - 1)]!;
    const resources: Resource[] = [];
    for (;;) {
      const provider = this.#providers[index];
      if (!provider) return { resources };
      if (resources.length >= limit) {
        return { resources, nextCursor: cursorOf(page + 1, provider, after) };
      }
      const part = await listOne(provider, after, limit - resources.length, call);
      resources.push(...part.resources);
      after = part.next;
      if (after === undefined) index += 1;
    }
  }

  /**
   * Reads a resource.
   *
   * @throws {ResourceNotFoundError} if no provider has the resource.
   */
  async read(uri: string, call: ProviderCall): Promise<ResourceContents[]> {
    for (const provider of this.#providers) {
      const contents = await provider.read(uri, call);
      if (contents) return contents;
    }
    throw new ResourceNotFoundError(uri);
  }

  /**
   * Completes a variable of a template; empty if the provider has no completions for it.
   *
   * @throws {ProtocolError} −32602 if no provider has this template.
   */
  async complete(query: CompletionQuery, call: ProviderCall): Promise<Completion> {
    const provider = this.#providers.find(({ templates }) =>
      templates.some(({ uriTemplate }) => uriTemplate === query.uriTemplate),
    );
    if (!provider) throw noSuchTemplateError();
    return (await provider.complete?.(query, call)) ?? { values: [], total: 0 };
  }

  /** Calls the listener with the changes of every provider. Returns a function that stops it. */
  listen(listener: ResourceChangeListener): () => void {
    const stops = this.#providers.map((provider) => provider.listen(listener));
    return () => {
      for (const stop of stops) stop();
    };
  }

  /**
   * The start of the page of a cursor.
   *
   * @throws {ProtocolError} −32602 if {@link cursorOf} did not create the cursor.
   */
  #startOf(cursor: string | undefined): PagePosition {
    if (cursor === undefined) return { index: 0, after: undefined, page: 0 };
    const [page, name, after, ...rest] = decodeCursor(cursor) ?? [];
    const index = this.#providers.findIndex((provider) => provider.name === name);
    const isPosition = typeof page === 'number' && page >= 1 && index >= 0;
    if (!isPosition || typeof after === 'number' || rest.length > 0) throw badCursorError();
    return { index, after, page };
  }
}

/** A page of one provider, starting at a position of a cursor. */
async function listOne(
  provider: ResourceProvider,
  after: string | undefined,
  limit: number,
  call: ProviderCall,
): Promise<ResourcePage> {
  try {
    return await provider.list({ after, limit }, call);
  } catch (error) {
    throw error instanceof BadPositionError ? badCursorError() : error;
  }
}

function cursorOf(page: number, { name }: ResourceProvider, after: string | undefined): string {
  return encodeCursor(after === undefined ? [page, name] : [page, name, after]);
}
