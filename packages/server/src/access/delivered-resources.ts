import type { Resource, ResourceTemplate } from '@inpage-mcp/protocol';
import type { Resources } from './accessible-resources.js';
import { RANGE_META_KEY } from '../resources/contents/binary-extension.js';
import { bytesOf, delivered, inBase64, withHandle } from '../resources/contents/content.js';
import {
  cut,
  noRangesError,
  tooLargeRangeError,
  type ByteRange,
} from '../resources/contents/content-range.js';
import type { WorkLine } from '../resources/contents/one-at-a-time.js';
import type {
  Completion,
  CompletionQuery,
  ProviderCall,
  ResourceChangeListener,
  ResourceContents,
} from '../resources/resource-provider.js';

/**
 * The resources of one connection, with their contents as they go out: what providers give as
 * Blobs is made text, base64 or a handle here, and what is too large for a message is refused.
 * Tools and prompts, which never ask for Blobs, get their contents here too.
 */
export class DeliveredResources implements Resources {
  readonly #resources: Resources;
  readonly #inlineBytes: number;
  readonly #line: WorkLine;

  /**
   * @param inlineBytes The largest content that is sent inside a message, in bytes.
   * @param line Where large contents of its holder wait for their turn.
   */
  constructor(resources: Resources, inlineBytes: number, line: WorkLine) {
    this.#resources = resources;
    this.#inlineBytes = inlineBytes;
    this.#line = line;
  }

  get templates(): ResourceTemplate[] {
    return this.#resources.templates;
  }

  list(
    cursor: string | undefined,
    call: ProviderCall,
  ): Promise<{ resources: Resource[]; nextCursor?: string }> {
    return this.#resources.list(cursor, call);
  }

  /** @throws {ProtocolError} −32603 also for a content that is too large. */
  async read(uri: string, call: ProviderCall): Promise<ResourceContents[]> {
    const delivery = new Delivery(call, this.#inlineBytes, this.#line);
    const contents = await this.#resources.read(uri, delivery);
    const made: ResourceContents[] = [];
    // One after the other: together they may be as large as one that has to wait for its turn.
    for (const content of contents) made.push(await delivered(content, delivery));
    return made;
  }

  /**
   * A part of the bytes of a resource that is one content, in base64 or by its handle; no other
   * bytes of it are read.
   *
   * @throws {ProtocolError} −32602 for a range behind the end, or of several contents; −32603 for
   * one that is too large for a message.
   */
  async readRange(uri: string, range: ByteRange, call: ProviderCall): Promise<ResourceContents> {
    const { signal, blobs = false } = call;
    const limit = this.#inlineBytes;
    // Asked for like this, no provider has a reason to read what it has as a Blob.
    const contents = await this.#resources.read(uri, { signal, blobs: true, inlineBytes: 0 });
    const [content] = contents;
    if (!content || contents.length > 1 || content.uri !== uri) throw noRangesError();
    const bytes = await bytesOf(content, signal);
    const part = cut(uri, bytes, range);
    if (!blobs && part.size > limit) throw tooLargeRangeError(uri, part.size, limit);
    const delivery = { signal, line: this.#line };
    const sent = blobs ? withHandle(content, part) : await inBase64(content, part, delivery);
    const told = { offset: range.offset, length: part.size, size: bytes.size };
    return { ...sent, _meta: { ...sent._meta, [RANGE_META_KEY]: told } };
  }

  complete(query: CompletionQuery, call: ProviderCall): Promise<Completion> {
    return this.#resources.complete(query, call);
  }

  listen(listener: ResourceChangeListener): () => void {
    return this.#resources.listen(listener);
  }
}

/** How the contents of one read go out. The signal of the call is asked for only where it is needed. */
class Delivery implements Required<ProviderCall> {
  readonly inlineBytes: number;
  readonly blobs: boolean;
  readonly line: WorkLine;
  readonly #call: ProviderCall;

  constructor(call: ProviderCall, inlineBytes: number, line: WorkLine) {
    this.inlineBytes = call.inlineBytes ?? inlineBytes;
    this.blobs = call.blobs ?? false;
    this.line = line;
    this.#call = call;
  }

  get signal(): AbortSignal {
    return this.#call.signal;
  }
}
