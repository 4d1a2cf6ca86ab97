import {
  omitUndefined,
  ResourceNotFoundError,
  type Call,
  type ResourceChangeListener as ChangeListener,
  type ResourcePage as ListPage,
  type Resources as ProtocolResources,
  type ResourceTemplate,
} from '@inpage-mcp/protocol';
import type { Connection, Resources, ResourcePart } from '../access/connection-context.js';
import type { Permission } from '../access/permission.js';
import { RANGE_META_KEY, takesBlobs } from '../resources/contents/binary-extension.js';
import {
  bytesOf,
  deliver,
  encodeBytes,
  withHandle,
  type Delivery,
} from '../resources/contents/content.js';
import {
  cut,
  noRangesError,
  rangeIn,
  tooLargeRangeError,
  type ByteRange,
} from '../resources/contents/content-range.js';
import type { TaskQueue } from '../resources/contents/fair-scheduler.js';
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
import { isHeavyUri } from '../resources/resource-uris.js';
import { beginningOf, expandTemplate } from '../resources/template-expansion.js';

/** The parts of {@link ConnectionResources}. */
export interface ResourceParts {
  permission: Permission;
  /** The router for a connection that may see everything. */
  whole: ResourceRouter;
  /** Creates the router over the resources that the connection may currently see. */
  makePart: () => ResourceRouter;
  /** The maximum size of a content that is sent inside a message, in bytes. */
  inlineBytes: number;
  /** The queue for large contents of the holder. */
  queue: TaskQueue;
}

/**
 * Every resource that one connection may see, with contents as they are sent.
 *
 * `Access.read` is enforced here for reads, lists and completions; for tools, the store is restricted in the
 * same way (`scopeOf`), and for notifications and open calls `InpageServer` asks the permission. A uri that
 * is not permitted gets the same answer as one that does not exist, before any lookup; lists are filtered
 * before they are returned. If a connection may not see everything, its built-in resources come from a router
 * over a part of the store, so that pages, counts and completions are those of the part. The app's own
 * providers get the permission with each call, to skip everything else; the check of each uri here is what
 * enforces the access.
 *
 * The Blobs of providers become text, base64 or a handle here, and a content that is too large for a message
 * is rejected. Tools and prompts, which never request Blobs, get their contents here too.
 */
export class ConnectionResources implements Resources {
  readonly #parts: ResourceParts;
  readonly #permission: Permission;
  #part: ResourceRouter | undefined;

  constructor(parts: ResourceParts) {
    this.#parts = parts;
    this.#permission = parts.permission;
  }

  /** The same resources, as the server of the protocol calls them. */
  get ofProtocol(): ProtocolResources<Connection> {
    const templates = (): ResourceTemplate[] => this.templates;
    return {
      get templates() {
        return templates();
      },
      list: (cursor, call) => this.list(cursor, call),
      isHeavy: isHeavyUri,
      read: (uri, call) => this.#readFor(uri, call),
      complete: (query, call) => this.complete(query, call),
      listen: (listener) => this.listen(listener),
    };
  }

  get templates(): ResourceTemplate[] {
    return this.#router.templates.filter(({ uriTemplate }) => this.#mayExpand(uriTemplate));
  }

  async list(cursor: string | undefined, call: ResourceCall): Promise<ListPage> {
    const own = this.#providerCall(call);
    let page = await this.#router.list(cursor, own);
    for (;;) {
      const resources = page.resources.filter(({ uri }) => this.#permission.permits(uri));
      // An empty page would reveal that an app's own provider ignores the permission.
      if (resources.length > 0 || page.nextCursor === undefined) return { ...page, resources };
      call.signal.throwIfAborted();
      page = await this.#router.list(page.nextCursor, own);
    }
  }

  /**
   * Reads a resource.
   *
   * @throws {ProtocolError} −32603, also if a content is too large.
   */
  async read(uri: string, call: ResourceCall): Promise<ResourceContents[]> {
    const { inlineBytes, queue } = this.#parts;
    const delivery: Delivery = {
      inlineBytes: call.inlineBytes ?? inlineBytes,
      blobs: call.blobs ?? false,
      queue,
      // The signal of a call is created on first use.
      get signal() {
        return call.signal;
      },
    };
    const sent: ResourceContents[] = [];
    // The contents are converted one after the other, because together they may be as large as a content that
    // has to be queued.
    for (const content of await this.#contentsOf(uri, delivery))
      sent.push(await deliver(content, delivery));
    return sent;
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

  /** Reads a resource in the form that a client has requested: in a range, or with Blobs. */
  async #readFor(uri: string, call: Call<Connection>): Promise<ResourceContents[]> {
    const range = rangeIn(call.meta);
    const reading: ResourceCall = {
      // The legacy revisions have no extensions.
      blobs: call.era === 'modern' && takesBlobs(call.clientCapabilities),
      get signal() {
        return call.signal;
      },
    };
    if (range) return [await this.#readRange(uri, range, reading)];
    return await this.read(uri, reading);
  }

  /**
   * A part of the bytes of a resource with a single content, in base64 or as a handle; no other
   * bytes are read.
   *
   * @throws {ProtocolError} −32602 if the range starts after the end, or the resource has several
   *   contents; −32603 if the range is too large for a message.
   */
  async #readRange(uri: string, range: ByteRange, call: ResourceCall): Promise<ResourceContents> {
    const { signal, blobs = false } = call;
    const { inlineBytes: limit, queue } = this.#parts;
    const { content, part, size } = await this.readPart(uri, range, call);
    if (!blobs && part.size > limit) throw tooLargeRangeError(uri, part.size, limit);
    const sent = blobs
      ? withHandle(content, part)
      : await encodeBytes(content, part, { signal, queue });
    const sentRange = { offset: range.offset, length: part.size, size };
    return { ...sent, _meta: { ...sent._meta, [RANGE_META_KEY]: sentRange } };
  }

  async readPart(uri: string, range: ByteRange, { signal }: ResourceCall): Promise<ResourcePart> {
    // With these options, no provider has a reason to read the bytes of a Blob.
    const contents = await this.#contentsOf(uri, { signal, blobs: true, inlineBytes: 0 });
    const [content] = contents;
    if (!content || contents.length > 1 || content.uri !== uri) throw noRangesError();
    const bytes = await bytesOf(content, signal);
    return { content, part: cut(uri, bytes, range), size: bytes.size };
  }

  /** The contents as the provider returns them. */
  async #contentsOf(uri: string, call: ResourceCall): Promise<ResourceContents[]> {
    if (!this.#permission.permits(uri)) {
      this.#permission.reportDenial(uri);
      throw new ResourceNotFoundError(uri);
    }
    const contents = await this.#router.read(uri, this.#providerCall(call));
    // If a provider returns several contents, each has its own uri. The requested uri needs no second check:
    // if it is no longer permitted, the request has ended already.
    return contents.filter(
      (content) => content.uri === uri || this.#permission.permits(content.uri),
    );
  }

  get #router(): ResourceRouter {
    if (this.#permission.seesAll) return this.#parts.whole;
    return (this.#part ??= this.#parts.makePart());
  }

  #providerCall(call: ResourceCall): ProviderCall {
    const { inlineBytes, blobs } = call;
    return {
      ...omitUndefined({ inlineBytes, blobs }),
      permitted: this.#permission,
      get signal() {
        return call.signal;
      },
    };
  }

  #mayExpand(uriTemplate: string): boolean {
    return this.#permission.mayPermit(beginningOf(uriTemplate));
  }
}
