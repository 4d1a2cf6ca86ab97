import {
  type Annotations,
  callSafely,
  omitUndefined,
  MAX_URI_LENGTH,
  type Resource,
} from '@inpage-mcp/protocol';
import { blobContents } from './contents/binary-extension.js';
import type { ProvidedContent, ProvidedDescription, ReadProvided } from './provided-description.js';
import { inTime } from './in-time.js';
import type { ProviderCall, ResourceChange, ResourceContents } from './resource-provider.js';

/** How long the page has to give the content of a resource, in milliseconds. */
export const PROVIDE_TIMEOUT_MS = 30_000;

/** The most resources that a page can provide at a time. */
export const MAX_PROVIDED = 1_000;

const UNKNOWN_TYPE = 'application/octet-stream';

/** The schemes that this server answers for by itself. */
const OWN_SCHEMES: readonly string[] = ['note', 'file', 'inpage'];

/** RFC 3986 section 3: a scheme, then the characters that any uri may be made of. */
const ABSOLUTE_URI =
  /^([A-Za-z][A-Za-z0-9+.-]*):(?:[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})+$/;

/** What is refused before it is kept. */
class ProvideError extends Error {
  override readonly name = 'ProvideError';
  readonly code = 'invalid-argument';
}

interface Entry {
  /** Counts what was provided before. */
  number: number;
  resource: Resource;
  read: ReadProvided;
}

/** What a provider needs to serve what the page provides, or a part of it. */
export type ProvidedView = Pick<ProvidedResources, 'serve' | 'numbered' | 'read' | 'listen'>;

/** The resources that the page adds to those of the store, for as long as it is open. */
export class ProvidedResources {
  readonly #entries = new Map<string, Entry>();
  readonly #listeners = new Set<(change: ResourceChange) => void>();
  #isServed = false;
  #count = 0;

  /** Says that a provider of the server lists and reads them. */
  serve(): void {
    this.#isServed = true;
  }

  /** In the order in which they were provided, each with its number; none is given twice. */
  get numbered(): (readonly [number: number, resource: Resource])[] {
    return [...this.#entries.values()].map(({ number, resource }) => [number, resource] as const);
  }

  /** A part of them, as if there were no others. */
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

  /** @throws {ProvideError} for a uri that is none, is taken, or belongs to the server itself. */
  add(description: ProvidedDescription, read: ReadProvided): void {
    if (!this.#isServed) {
      throw new ProvideError('The worker serves none of these: add runtimeResources() to it.');
    }
    const resource = resourceOf(description);
    const { uri } = resource;
    if (this.#entries.has(uri)) throw new ProvideError(`There is a resource ${uri} already.`);
    if (this.#entries.size >= MAX_PROVIDED) {
      throw new ProvideError(`A page provides at most ${MAX_PROVIDED} resources.`);
    }
    this.#entries.set(uri, { number: this.#count++, resource, read });
    this.#announce(uri, true);
  }

  /** Its content has changed. One that was removed is no longer spoken of. */
  changed(uri: string): void {
    if (this.#entries.has(uri)) this.#announce(uri, false);
  }

  /** Removing twice is removing once. */
  remove(uri: string): void {
    if (this.#entries.delete(uri)) this.#announce(uri, true);
  }

  /** Asks the page for the content; rejects when it fails or does not answer in time. */
  async read(uri: string, call: ProviderCall): Promise<ResourceContents[] | undefined> {
    const entry = this.#entries.get(uri);
    if (!entry) return undefined;
    const content = await inTime(entry.read, PROVIDE_TIMEOUT_MS, call.signal);
    return [providedContents(entry.resource, content)];
  }

  /** Calls the listener with each later change. Returns what stops that. */
  listen(listener: (change: ResourceChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #announce(uri: string, listChanged: boolean): void {
    for (const listener of this.#listeners) callSafely(() => listener({ uri, listChanged }));
  }
}

/** @throws {ProvideError} unless it is a resource as the specification has it. */
function resourceOf(description: ProvidedDescription): Resource {
  const { uri, name, title, mimeType, annotations } = description;
  const known = { uri, name, title, description: description.description, mimeType, annotations };
  const texts: unknown[] = [title, mimeType, description.description];
  const areTexts = texts.every((text) => text === undefined || typeof text === 'string');
  const isNamed = typeof uri === 'string' && typeof name === 'string' && name !== '';
  if (!isNamed || !areTexts || !areAnnotations(annotations)) {
    throw new ProvideError(
      'A provided resource has a uri, a name, and annotations as MCP has them.',
    );
  }
  checkUri(uri);
  return omitUndefined(known);
}

const AUDIENCES: readonly unknown[] = ['user', 'assistant'];

/** Whether something is what annotations may be (Resources › Annotations), or nothing. */
function areAnnotations(value: unknown): value is Annotations | undefined {
  if (value === undefined) return true;
  if (typeof value !== 'object' || value === null) return false;
  const { audience, priority, lastModified } = value as { [key in keyof Annotations]?: unknown };
  const isFor =
    audience === undefined ||
    (Array.isArray(audience) && audience.every((one) => AUDIENCES.includes(one)));
  const isWeighed =
    priority === undefined || (typeof priority === 'number' && priority >= 0 && priority <= 1);
  return isFor && isWeighed && (lastModified === undefined || typeof lastModified === 'string');
}

function checkUri(uri: string): void {
  if (uri.length > MAX_URI_LENGTH) {
    throw new ProvideError(`The uri is longer than ${MAX_URI_LENGTH} characters.`);
  }
  const scheme = ABSOLUTE_URI.exec(uri)?.[1]?.toLowerCase();
  if (scheme === undefined) throw new ProvideError(`Not an absolute URI (RFC 3986): ${uri}`);
  if (OWN_SCHEMES.includes(scheme)) {
    throw new ProvideError(`The scheme ${scheme}: belongs to the server; choose another.`);
  }
}

function providedContents({ uri, mimeType }: Resource, content: ProvidedContent): ResourceContents {
  if (typeof content === 'string')
    return { uri, mimeType: mimeType ?? 'text/plain', text: content };
  if (content instanceof Blob) {
    return blobContents(uri, mimeType ?? (content.type || UNKNOWN_TYPE), content);
  }
  if (!(content instanceof ArrayBuffer) && !ArrayBuffer.isView(content)) {
    throw new TypeError(`read() of ${uri} gave neither a string nor bytes.`);
  }
  return blobContents(uri, mimeType ?? UNKNOWN_TYPE, new Blob([content]));
}
