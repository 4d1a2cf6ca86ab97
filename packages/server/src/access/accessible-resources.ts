import { ResourceNotFoundError, type Resource, type ResourceTemplate } from '@inpage-mcp/protocol';
import type { Permission } from './permission.js';
import { noSuchTemplateError } from '../resources/protocol-errors.js';
import type {
  Completion,
  CompletionQuery,
  ProviderCall,
  ResourceChangeListener,
  ResourceContents,
} from '../resources/resource-provider.js';
import type { ResourceRouter } from '../resources/resource-router.js';
import { beginningOf, expandedWith } from '../resources/template-expansion.js';

/** Every resource that there is for one connection. */
export interface Resources {
  readonly templates: ResourceTemplate[];
  list(
    cursor: string | undefined,
    call: ProviderCall,
  ): Promise<{ resources: Resource[]; nextCursor?: string }>;
  /** @throws {ResourceNotFoundError} when there is nothing. */
  read(uri: string, call: ProviderCall): Promise<ResourceContents[]>;
  complete(query: CompletionQuery, call: ProviderCall): Promise<Completion>;
  listen(listener: ResourceChangeListener): () => void;
}

/**
 * The one place where `Access.read` is held up for resources. What is not permitted is answered
 * like what does not exist, before anything is looked up; what is listed is looked at again before
 * it is given out.
 *
 * Built-in resources of a connection that may not see all come from a router over a part of the
 * store, so that their pages, counts and completions are those of the part. The check of each uri
 * here is what holds for a provider of an app's own.
 */
export class AccessibleResources implements Resources {
  readonly #permission: Permission;
  readonly #whole: ResourceRouter;
  readonly #makePart: () => ResourceRouter;
  #part: ResourceRouter | undefined;

  /**
   * @param whole For a connection that may see everything.
   * @param makePart For one that may not: over what it may see at each moment.
   */
  constructor(permission: Permission, whole: ResourceRouter, makePart: () => ResourceRouter) {
    this.#permission = permission;
    this.#whole = whole;
    this.#makePart = makePart;
  }

  get templates(): ResourceTemplate[] {
    return this.#router.templates.filter(({ uriTemplate }) => this.#mayExpand(uriTemplate));
  }

  async list(
    cursor: string | undefined,
    call: ProviderCall,
  ): Promise<{ resources: Resource[]; nextCursor?: string }> {
    let page = await this.#router.list(cursor);
    for (;;) {
      const resources = page.resources.filter(({ uri }) => this.#permission.permits(uri));
      // An empty page would tell of the provider of an app's own that it lists what is outside.
      if (resources.length > 0 || page.nextCursor === undefined) return { ...page, resources };
      call.signal.throwIfAborted();
      page = await this.#router.list(page.nextCursor);
    }
  }

  async read(uri: string, call: ProviderCall): Promise<ResourceContents[]> {
    this.#check(uri);
    const contents = await this.#router.read(uri, call);
    // Several contents have uris of their own. The one that was asked for needs no second look: a
    // request for what is permitted no longer has ended.
    return contents.filter(
      (content) => content.uri === uri || this.#permission.permits(content.uri),
    );
  }

  async complete(query: CompletionQuery, call: ProviderCall): Promise<Completion> {
    const { uriTemplate, argument, chosen } = query;
    if (!this.#mayExpand(uriTemplate)) {
      this.#permission.denied(uriTemplate);
      throw noSuchTemplateError();
    }
    const found = await this.#router.complete(query, call);
    const values = found.values.filter((value) =>
      this.#permission.mayPermit(expandedWith(uriTemplate, { ...chosen, [argument]: value })),
    );
    // How many there are of what may not be seen is not told either.
    return values.length === found.values.length ? found : { values, total: values.length };
  }

  listen(listener: ResourceChangeListener): () => void {
    const permitted: ResourceChangeListener = (changes) => {
      const own = changes.filter(({ uri, andLonger }) =>
        andLonger ? this.#permission.mayPermit(uri) : this.#permission.permits(uri),
      );
      if (own.length > 0) listener(own);
    };
    let router = this.#router;
    let stop = router.listen(permitted);
    const stopFollowing = this.#permission.listen(() => {
      if (router === this.#router) return;
      stop();
      router = this.#router;
      stop = router.listen(permitted);
    });
    return () => {
      stopFollowing();
      stop();
    };
  }

  get #router(): ResourceRouter {
    if (this.#permission.seesAll) return this.#whole;
    return (this.#part ??= this.#makePart());
  }

  #mayExpand(uriTemplate: string): boolean {
    return this.#permission.mayPermit(beginningOf(uriTemplate));
  }

  #check(uri: string): void {
    if (this.#permission.permits(uri)) return;
    this.#permission.denied(uri);
    throw new ResourceNotFoundError(uri);
  }
}
