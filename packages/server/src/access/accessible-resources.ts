import {
  omitUndefined,
  ResourceNotFoundError,
  type ResourceChangeListener as ChangeListener,
  type ResourcePage as ListPage,
  type ResourceTemplate,
} from '@inpage-mcp/protocol';
import type { Permission } from './permission.js';
import { noSuchTemplateError } from '../resources/protocol-errors.js';
import type {
  Completion,
  CompletionQuery,
  ProviderCall,
  ResourceCall,
  ResourceChangeListener,
  ResourceContents,
} from '../resources/resource-provider.js';
import type { ResourceRouter } from '../resources/resource-router.js';
import { beginningOf, expandTemplate } from '../resources/template-expansion.js';

/** Every resource that one connection may see. */
export interface Resources {
  /** The templates of all providers. */
  readonly templates: ResourceTemplate[];
  /** One page of the resources; `cursor` is the `nextCursor` of the page before. */
  list(cursor: string | undefined, call: ResourceCall): Promise<ListPage>;
  /** @throws {ResourceNotFoundError} if the resource does not exist. */
  read(uri: string, call: ResourceCall): Promise<ResourceContents[]>;
  /** Completes a variable of a template. */
  complete(query: CompletionQuery, call: ResourceCall): Promise<Completion>;
  /** Calls the listener after each change. Returns a function that stops it. */
  listen(listener: ChangeListener): () => void;
}

/**
 * Enforces `Access.read` for reads and lists of resources; for tools, the store is restricted in the
 * same way (`scopeOf`), and for notifications and open calls `InpageServer` asks the permission. A uri that is not permitted gets the
 * same answer as one that does not exist, before any lookup; lists are filtered before they are
 * returned.
 *
 * If a connection may not see everything, its built-in resources come from a router over a part of
 * the store, so that pages, counts and completions are those of the part. The app's own providers
 * get the permission with each call, to skip everything else; the check of each uri here is what
 * enforces the access.
 */
export class AccessibleResources implements Resources {
  readonly #permission: Permission;
  readonly #whole: ResourceRouter;
  readonly #makePart: () => ResourceRouter;
  #part: ResourceRouter | undefined;

  /**
   * @param whole The router for a connection that may see everything.
   * @param makePart Makes the router over what the connection may currently see.
   */
  constructor(permission: Permission, whole: ResourceRouter, makePart: () => ResourceRouter) {
    this.#permission = permission;
    this.#whole = whole;
    this.#makePart = makePart;
  }

  get templates(): ResourceTemplate[] {
    return this.#router.templates.filter(({ uriTemplate }) => this.#mayExpand(uriTemplate));
  }

  async list(cursor: string | undefined, call: ResourceCall): Promise<ListPage> {
    const own = this.#providerCall(call);
    let page = await this.#router.list(cursor, own);
    for (;;) {
      const resources = page.resources.filter(({ uri }) => this.#permission.permits(uri));
      // An empty page would reveal that an app's own provider ignores what is permitted.
      if (resources.length > 0 || page.nextCursor === undefined) return { ...page, resources };
      call.signal.throwIfAborted();
      page = await this.#router.list(page.nextCursor, own);
    }
  }

  async read(uri: string, call: ResourceCall): Promise<ResourceContents[]> {
    this.#check(uri);
    const contents = await this.#router.read(uri, this.#providerCall(call));
    // Several contents have uris of their own. The requested uri needs no second check: if it is no
    // longer permitted, the request has ended already.
    return contents.filter(
      (content) => content.uri === uri || this.#permission.permits(content.uri),
    );
  }

  async complete(query: CompletionQuery, call: ResourceCall): Promise<Completion> {
    const { uriTemplate, argument, chosen } = query;
    if (!this.#mayExpand(uriTemplate)) {
      this.#permission.reportDenial(uriTemplate);
      throw noSuchTemplateError();
    }
    const found = await this.#router.complete(query, this.#providerCall(call));
    const values = found.values.filter((value) =>
      this.#permission.mayPermit(expandTemplate(uriTemplate, { ...chosen, [argument]: value })),
    );
    // The total must not reveal how many values were filtered out.
    return values.length === found.values.length ? found : { values, total: values.length };
  }

  listen(listener: ChangeListener): () => void {
    const permitted: ResourceChangeListener = (changes, author) => {
      const own = changes.filter(({ uri, andLonger }) =>
        andLonger ? this.#permission.mayPermit(uri) : this.#permission.permits(uri),
      );
      if (own.length > 0) listener(own, this.#permission.changedBy(author));
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

  #providerCall(call: ResourceCall): ProviderCall {
    const { inlineBytes, blobs } = call;
    return {
      ...omitUndefined({ inlineBytes, blobs }),
      permitted: this.#permission,
      // The signal of a call is created on first use.
      get signal() {
        return call.signal;
      },
    };
  }

  #mayExpand(uriTemplate: string): boolean {
    return this.#permission.mayPermit(beginningOf(uriTemplate));
  }

  #check(uri: string): void {
    if (this.#permission.permits(uri)) return;
    this.#permission.reportDenial(uri);
    throw new ResourceNotFoundError(uri);
  }
}
