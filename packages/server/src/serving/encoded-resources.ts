import type {
  ResourceChangeListener,
  ResourcePage as ListPage,
  ResourceTemplate,
} from '@inpage-mcp/protocol';
import type { Resources } from '../access/accessible-resources.js';
import { RANGE_META_KEY } from '../resources/contents/binary-extension.js';
import {
  bytesOf,
  deliver,
  type Delivery,
  encodeBytes,
  withHandle,
} from '../resources/contents/content.js';
import {
  cut,
  noRangesError,
  tooLargeRangeError,
  type ByteRange,
} from '../resources/contents/content-range.js';
import type { TaskQueue } from '../resources/contents/fair-scheduler.js';
import type {
  Completion,
  CompletionQuery,
  ResourceCall,
  ResourceContents,
} from '../resources/resource-provider.js';

/**
 * The resources of one connection, with their contents as they are sent: the Blobs of providers
 * become text, base64 or a handle here, and a content that is too large for a message is rejected.
 * Tools and prompts, which never request Blobs, get their contents here too.
 */
export class EncodedResources implements Resources {
  readonly #resources: Resources;
  readonly #inlineBytes: number;
  readonly #queue: TaskQueue;

  /**
   * @param inlineBytes The largest content that is sent inside a message, in bytes.
   * @param queue The queue for large contents of the holder.
   */
  constructor(resources: Resources, inlineBytes: number, queue: TaskQueue) {
    this.#resources = resources;
    this.#inlineBytes = inlineBytes;
    this.#queue = queue;
  }

  get templates(): ResourceTemplate[] {
    return this.#resources.templates;
  }

  list(cursor: string | undefined, call: ResourceCall): Promise<ListPage> {
    return this.#resources.list(cursor, call);
  }

  /** @throws {ProtocolError} −32603, also if a content is too large. */
  async read(uri: string, call: ResourceCall): Promise<ResourceContents[]> {
    const delivery: Delivery = {
      inlineBytes: call.inlineBytes ?? this.#inlineBytes,
      blobs: call.blobs ?? false,
      queue: this.#queue,
      // The signal of a call is created on first use.
      get signal() {
        return call.signal;
      },
    };
    const contents = await this.#resources.read(uri, delivery);
    const sent: ResourceContents[] = [];
    // One after the other: together they may be as large as a content that has to be queued.
    for (const content of contents) sent.push(await deliver(content, delivery));
    return sent;
  }

  /**
   * A part of the bytes of a resource with a single content, in base64 or as a handle; no other
   * bytes are read.
   *
   * @throws {ProtocolError} −32602 if the range starts after the end, or the resource has several
   *   contents; −32603 if the range is too large for a message.
   */
  async readRange(uri: string, range: ByteRange, call: ResourceCall): Promise<ResourceContents> {
    const { signal, blobs = false } = call;
    const limit = this.#inlineBytes;
    // With these options, no provider has a reason to read the bytes of a Blob.
    const contents = await this.#resources.read(uri, { signal, blobs: true, inlineBytes: 0 });
    const [content] = contents;
    if (!content || contents.length > 1 || content.uri !== uri) throw noRangesError();
    const bytes = await bytesOf(content, signal);
    const part = cut(uri, bytes, range);
    if (!blobs && part.size > limit) throw tooLargeRangeError(uri, part.size, limit);
    const delivery = { signal, queue: this.#queue };
    const sent = blobs ? withHandle(content, part) : await encodeBytes(content, part, delivery);
    const sentRange = { offset: range.offset, length: part.size, size: bytes.size };
    return { ...sent, _meta: { ...sent._meta, [RANGE_META_KEY]: sentRange } };
  }

  complete(query: CompletionQuery, call: ResourceCall): Promise<Completion> {
    return this.#resources.complete(query, call);
  }

  listen(listener: ResourceChangeListener): () => void {
    return this.#resources.listen(listener);
  }
}
