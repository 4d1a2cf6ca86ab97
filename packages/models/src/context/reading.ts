import type {
  ContextFormat,
  ContextOptions,
  OmittedContent,
  ResourceReader,
} from './context-types.js';
import { FORMATS } from './formats.js';
import { failure, namesOf, overBudget, type Found, type Omission } from './omissions.js';
import { inOneLine, sourceOf, type Source } from './source.js';
import { whyNotTaken } from './taken-media.js';
import type { Resource, ResourceContents } from '@inpage-mcp/client';

/** The maximum number of reads in progress. */
const MAX_READS = 8;

/** The reads of one context. */
export class Reading {
  readonly #client: ResourceReader;
  readonly #listed: ReadonlyMap<string, Resource>;
  readonly #options: ContextOptions<ContextFormat>;

  constructor(
    client: ResourceReader,
    listed: ReadonlyMap<string, Resource>,
    options: ContextOptions<ContextFormat>,
  ) {
    this.#client = client;
    this.#listed = listed;
    this.#options = options;
  }

  /** Reads all resources; resolves with the results of each, in the order of the uris. */
  async readAll(uris: readonly string[]): Promise<Found[][]> {
    const found: Found[][] = [];
    // All readers take from one iterator.
    const entries = uris.entries();
    const readNext = async (): Promise<void> => {
      for (const [index, uri] of entries) found[index] = await this.#read(uri);
    };
    await Promise.all(Array.from({ length: MAX_READS }, readNext));
    return found;
  }

  async #read(uri: string): Promise<Found[]> {
    const { signal, timeoutMs } = this.#options;
    signal?.throwIfAborted();
    try {
      const { contents } = await this.#client.readResource(uri, { signal, timeoutMs });
      if (contents.length === 0) {
        return [this.#omit(uri, { reason: 'unsupported', message: 'It has no contents.' })];
      }
      return await Promise.all(contents.map((one) => this.#judge(one)));
    } catch (error) {
      signal?.throwIfAborted();
      return [this.#omit(uri, failure(error))];
    }
  }

  /**
   * Checks a content. The bytes of one that cannot be included are dropped at once: a video may have
   * gigabytes.
   */
  async #judge(contents: ResourceContents): Promise<Found> {
    const { uri } = contents;
    try {
      const source = await sourceOf(contents, this.#listed.get(uri));
      const omission = whyNever(source, this.#options);
      return omission ? { ...namesOf(source), ...omission } : source;
    } catch (error) {
      return this.#omit(uri, failure(error));
    }
  }

  #omit(uri: string, omission: Omission): OmittedContent {
    const { title, name } = this.#listed.get(uri) ?? {};
    const known = inOneLine(title || name || '');
    return { uri, ...(known ? { title: known } : {}), ...omission };
  }
}

/** The reason why a content is omitted, regardless of the other contents; `undefined` if it is not. */
function whyNever(
  source: Source,
  { format, budget = Infinity }: ContextOptions<ContextFormat>,
): Omission | undefined {
  const { audience } = source.annotations;
  if (audience?.includes('user') && !audience.includes('assistant'))
    return { reason: 'audience', message: 'It is only for the user.' };
  const reason = whyNotTaken(source, FORMATS[format]);
  if (reason) return { reason: 'unsupported', message: reason };
  return source.tokens > budget ? overBudget(source.tokens, budget) : undefined;
}
