import {
  type Annotations,
  omitUndefined,
  MAX_URI_LENGTH,
  type Resource,
} from '@inpage-mcp/protocol';
import { callSafely } from '@inpage-mcp/transport';
import { blobContents } from './contents/binary-extension.js';
import type { ProvidedContent, ProvidedDescription, ReadProvided } from './provided-description.js';
import { releaseRemote } from './release-remote.js';
import { withTimeout } from './with-timeout.js';
import type { ProviderCall, ResourceChange, ResourceContents } from './resource-provider.js';

/** The timeout for the page to return the content of a resource, in milliseconds. */
export const PROVIDE_TIMEOUT_MS = 30_000;

/** The maximum number of resources that a page can provide at a time. */
export const MAX_PROVIDED = 1_000;

const UNKNOWN_TYPE = 'application/octet-stream';

/** The schemes of the server's own resources. */
const OWN_SCHEMES: readonly string[] = ['note', 'file', 'disk', 'inpage'];

/**
 * The address of the state of the sync with other devices, which only the page knows: `runtime.sync()`
 * provides it.
 */
const SYNC_URI = 'inpage:///sync';

/** Matches an absolute URI (RFC 3986 section 3): a scheme, then any characters that a uri may contain. */
const ABSOLUTE_URI =
  /^([A-Za-z][A-Za-z0-9+.-]*):(?:[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})+$/;

/** The provided resource is not accepted; the message says why. */
class ProvideError extends Error {
  override readonly name = 'ProvideError';
  readonly code = 'invalid-argument';
}

interface Entry {
  /** The number of resources that were provided before it. */
  number: number;
  resource: Resource;
  read: ReadProvided;
  /** The number of reads that the page has not answered yet. */
  openReads: number;
}

/** The provided resources, or a part of them, for a provider. */
export type ProvidedView = Pick<ProvidedResources, 'serve' | 'numbered' | 'read' | 'listen'>;

/** The resources that the page adds to those of the store while it is open. */
export class ProvidedResources {
  readonly #entries = new Map<string, Entry>();
  readonly #listeners = new Set<(change: ResourceChange) => void>();
  #isServed = false;
  #count = 0;

  /** Records that a provider of the server lists and reads the resources. */
  serve(): void {
    this.#isServed = true;
  }

  /** The resources in the order in which they were provided, each with its number, which is never reused. */
  get numbered(): (readonly [number: number, resource: Resource])[] {
    return [...this.#entries.values()].map(({ number, resource }) => [number, resource] as const);
  }

  /** A view of the permitted resources; the others do not exist in it. */
  within(permits: (uri: string) => boolean): ProvidedView {
    const numbered = (): ProvidedResources['numbered'] =>
      this.numbered.filter(([, { uri }]) => permits(uri));
    return {
      get numbered() {
        return numbered();
      },
      serve: () => this.serve(),
      read: async (uri, call) => (permits(uri) ? await this.read(uri, call) : undefined),
      listen: (listener) =>
        this.listen((change) => {
          if (permits(change.uri)) listener(change);
        }),
    };
  }

  /**
   * Adds a resource.
   *
   * @throws {ProvideError} if the uri is invalid, is taken, or has a scheme of the server.
   */
  add(description: ProvidedDescription, read: ReadProvided): void {
    if (!this.#isServed) {
      throw new ProvideError(
        'The worker does not serve provided resources: add runtimeResources() to its providers.',
      );
    }
    const resource = resourceOf(description);
    const { uri } = resource;
    if (this.#entries.has(uri)) throw new ProvideError(`The resource ${uri} exists already.`);
    if (this.#entries.size >= MAX_PROVIDED) {
      throw new ProvideError(`A page provides at most ${MAX_PROVIDED} resources.`);
    }
    this.#entries.set(uri, { number: this.#count++, resource, read, openReads: 0 });
    this.#announce(uri, true);
  }

  /** Announces that the content has changed. Does nothing if the resource was removed. */
  changed(uri: string): void {
    if (this.#entries.has(uri)) this.#announce(uri, false);
  }

  /** Removes a resource. Further calls do nothing. */
  remove(uri: string): void {
    const entry = this.#entries.get(uri);
    if (!entry) return;
    this.#entries.delete(uri);
    this.#releaseUnused(entry);
    this.#announce(uri, true);
  }

  /** Releases the functions of the page, so that a process in which it runs can end. */
  close(): void {
    for (const { read } of this.#entries.values()) releaseRemote(read);
    this.#entries.clear();
  }

  /** Requests the content from the page; rejects if the page fails or does not answer in time. */
  async read(uri: string, call: ProviderCall): Promise<ResourceContents[] | undefined> {
    const entry = this.#entries.get(uri);
    if (!entry) return undefined;
    entry.openReads += 1;
    try {
      const content = await withTimeout(entry.read, PROVIDE_TIMEOUT_MS, call.signal);
      return [toContents(entry.resource, content)];
    } finally {
      entry.openReads -= 1;
      this.#releaseUnused(entry);
    }
  }

  /** Releases the function of a removed resource, but not during a read: the answer would never arrive. */
  #releaseUnused({ resource: { uri }, read, openReads }: Entry): void {
    if (openReads === 0 && this.#entries.get(uri)?.read !== read) releaseRemote(read);
  }

  /** Calls the listener with each later change. Returns a function that stops it. */
  listen(listener: (change: ResourceChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #announce(uri: string, listChanged: boolean): void {
    for (const listener of this.#listeners) callSafely(() => listener({ uri, listChanged }));
  }
}

/**
 * The resource of a description.
 *
 * @throws {ProvideError} unless it is a valid resource of the specification.
 */
function resourceOf(description: ProvidedDescription): Resource {
  const { uri, name, title, mimeType, annotations } = description;
  const known = { uri, name, title, description: description.description, mimeType, annotations };
  const texts: unknown[] = [title, mimeType, description.description];
  const areTexts = texts.every((text) => text === undefined || typeof text === 'string');
  const isNamed = typeof uri === 'string' && typeof name === 'string' && name !== '';
  if (!isNamed || !areTexts || !areAnnotations(annotations)) {
    throw new ProvideError(
      'A provided resource needs a uri and a name; its other members must be valid for MCP.',
    );
  }
  checkUri(uri);
  return omitUndefined(known);
}

const AUDIENCES: readonly unknown[] = ['user', 'assistant'];

/** Whether a value is valid annotations (Resources › Annotations), or `undefined`. */
function areAnnotations(value: unknown): value is Annotations | undefined {
  if (value === undefined) return true;
  if (typeof value !== 'object' || value === null) return false;
  const { audience, priority, lastModified } = value as { [key in keyof Annotations]?: unknown };
  const isAudienceValid =
    audience === undefined ||
    (Array.isArray(audience) && audience.every((one) => AUDIENCES.includes(one)));
  const isPriorityValid =
    priority === undefined || (typeof priority === 'number' && priority >= 0 && priority <= 1);
  return (
    isAudienceValid &&
    isPriorityValid &&
    (lastModified === undefined || typeof lastModified === 'string')
  );
}

function checkUri(uri: string): void {
  if (uri.length > MAX_URI_LENGTH) {
    throw new ProvideError(`The uri is longer than ${MAX_URI_LENGTH} characters.`);
  }
  const scheme = ABSOLUTE_URI.exec(uri)?.[1]?.toLowerCase();
  if (scheme === undefined) throw new ProvideError(`Not an absolute URI (RFC 3986): ${uri}`);
  if (OWN_SCHEMES.includes(scheme) && uri !== SYNC_URI) {
    throw new ProvideError(`The scheme ${scheme}: belongs to the server; choose another.`);
  }
}

function toContents({ uri, mimeType }: Resource, content: ProvidedContent): ResourceContents {
  if (typeof content === 'string')
    return { uri, mimeType: mimeType ?? 'text/plain', text: content };
  if (content instanceof Blob) {
    return blobContents(uri, mimeType ?? (content.type || UNKNOWN_TYPE), content);
  }
  if (!(content instanceof ArrayBuffer) && !ArrayBuffer.isView(content)) {
    throw new TypeError(`read() of ${uri} returned neither a string nor bytes.`);
  }
  return blobContents(uri, mimeType ?? UNKNOWN_TYPE, new Blob([content]));
}
