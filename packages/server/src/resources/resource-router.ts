import {
  badCursorError,
  decodeCursor,
  encodeCursor,
  ResourceNotFoundError,
  type Resource,
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
 * The sizes of the first pages; the last entry applies to all later ones. The small first page
 * comes fast, and a client that stops after 64 pages (the official SDK's) still gets 100,000
 * resources.
 */
export const PAGE_SIZES: readonly number[] = [200, 1_000, 2_000];

/** Where a page of the joined list starts. */
interface PagePosition {
  /** The name of the provider whose list the page starts in. */
  provider: string;
  /** The position in that provider's list; absent at its start. */
  after?: string;
  /** How many pages came before. */
  page: number;
}

/** Joins the providers of a server into one list and one address space. */
export class ResourceRouter {
  readonly #providers: readonly ResourceProvider[];

  /** @param providers In the order in which their resources are listed. */
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
  async list(cursor: string | undefined): Promise<{ resources: Resource[]; nextCursor?: string }> {
    const start = cursor === undefined ? this.#firstPosition() : positionIn(cursor);
    const limit = PAGE_SIZES[Math.min(start.page, PAGE_SIZES.length - 1)]!;
    const resources: Resource[] = [];
    let next: PagePosition | undefined = start;
    while (next && resources.length < limit) {
      const { provider: name, after }: PagePosition = next;
      const page: ResourcePage = await this.#listOne(name, after, limit - resources.length);
      resources.push(...page.resources);
      next = this.#nextPosition(next, page.next);
    }
    if (!next) return { resources };
    return { resources, nextCursor: cursorOf({ ...next, page: start.page + 1 }) };
  }

  /** @throws {ResourceNotFoundError} if no provider has the resource. */
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

  #firstPosition(): PagePosition {
    return { provider: this.#providers[0]?.name ?? '', page: 0 };
  }

  async #listOne(name: string, after: string | undefined, limit: number): Promise<ResourcePage> {
    const provider = this.#providers.find((one) => one.name === name);
    if (!provider) {
      if (this.#providers.length === 0) return { resources: [] };
      throw badCursorError();
    }
    try {
      return await provider.list({ after, limit });
    } catch (error) {
      throw error instanceof BadPositionError ? badCursorError() : error;
    }
  }

  /** Further in the same provider, or at the start of the next one. */
  #nextPosition(current: PagePosition, after: string | undefined): PagePosition | undefined {
    if (after !== undefined) return { ...current, after };
    const index = this.#providers.findIndex(({ name }) => name === current.provider);
    const provider = this.#providers[index + 1]?.name;
    return provider === undefined ? undefined : { provider, page: current.page };
  }
}

function cursorOf({ page, provider, after }: PagePosition): string {
  return encodeCursor(after === undefined ? [page, provider] : [page, provider, after]);
}

/** @throws {ProtocolError} −32602 if {@link cursorOf} did not make the cursor. */
function positionIn(cursor: string): PagePosition {
  const [page, provider, after, ...rest] = decodeCursor(cursor) ?? [];
  const isPosition = typeof page === 'number' && page >= 1 && typeof provider === 'string';
  if (!isPosition || typeof after === 'number' || rest.length > 0) throw badCursorError();
  return after === undefined ? { page, provider } : { page, provider, after };
}
