import type { McpClient, Resource } from '@inpage-mcp/client';
import { nameOf } from '../base/text/name-of.js';
import { declares } from './declared.js';
import { usablePage } from './gate.js';

/** The time without typing after which the server is asked, in milliseconds. */
const REST_MS = 250;

/** The maximum number of pages of templates that are searched. */
const MAX_PAGES = 5;

/** A template whose only variable is the text of the search: `note:///search{?q}`. */
const SEARCH_TEMPLATE = /^(?<address>[^{}]{1,500})\{\?(?<name>q|query|search|text)\}$/;

const INPAGE_META = 'io.github.inpage-mcp/resource';
const UNSEARCHED_META = 'io.github.inpage-mcp/unsearched';

type Fields = { readonly [name: string]: unknown };

/**
 * Searches with the server's own search, if one of its templates is a search. After a failure the result is
 * empty, and the element has only the results of its own search.
 */
export class ServerSearch {
  readonly #onfound: () => void;
  #client: McpClient | undefined;
  #template: Promise<string | undefined> | undefined;
  #query = '';
  #asOf: unknown;
  #run = new AbortController();
  #found: readonly Resource[] = [];
  #texts: ReadonlyMap<string, string> = new Map();
  #unsearched = 0;
  #isBusy = false;

  /** @param onfound Called when the result has changed. */
  constructor(onfound: () => void) {
    this.#onfound = onfound;
  }

  /** The results of the server for the last query, the best first. */
  get found(): readonly Resource[] {
    return this.#found;
  }

  /** The number of entries that the server could not search yet. */
  get unsearched(): number {
    return this.#unsearched;
  }

  /** The text of a found resource; `undefined` if the server has sent none. */
  textOf(uri: string): string | undefined {
    return this.#texts.get(uri);
  }

  get isBusy(): boolean {
    return this.#isBusy;
  }

  /**
   * Searches after a delay, and ends the previous search. Fast enough to be called with every render.
   *
   * @param asOf A value that repeats the search for the same query when it changes.
   */
  search(client: McpClient | undefined, query: string, asOf: unknown): void {
    if (client !== this.#client) {
      this.#template = undefined;
      // They may be those of another user.
      this.#texts = new Map();
    }
    if (client === this.#client && query === this.#query && (asOf === this.#asOf || !query)) return;
    if (client !== this.#client || query !== this.#query) [this.#found, this.#unsearched] = [[], 0];
    this.stop();
    this.#client = client;
    this.#query = query;
    this.#asOf = asOf;
    if (query && client) void this.#searchLater(client, query, this.#run.signal);
  }

  /** Ends the search. */
  stop(): void {
    this.#run.abort();
    this.#run = new AbortController();
    this.#isBusy = false;
  }

  async #searchLater(client: McpClient, query: string, signal: AbortSignal): Promise<void> {
    this.#isBusy = true;
    await new Promise((resolve) => setTimeout(resolve, REST_MS));
    if (signal.aborted) return;
    const found = await this.#ask(client, query, signal).catch(() => undefined);
    if (signal.aborted) return;
    // The next search looks for a template again.
    if (!found) this.#template = undefined;
    this.#found = found ?? [];
    this.#isBusy = false;
    this.#onfound();
  }

  async #ask(client: McpClient, query: string, signal: AbortSignal): Promise<Resource[]> {
    this.#template ??= searchTemplateOf(client);
    const template = await this.#template;
    if (template === undefined || signal.aborted) return [];
    const { address = '', name = '' } = SEARCH_TEMPLATE.exec(template)?.groups ?? {};
    const uri = `${address}?${name}=${encodeURIComponent(query.toWellFormed())}`;
    const { contents } = await client.readResource(uri, { signal });
    // A content with the address of the search means that nothing was found.
    if (signal.aborted) return [];
    this.#texts = new Map(contents.flatMap(textIn));
    const unsearched = contents.map((one) => metaOf(one)[UNSEARCHED_META]);
    this.#unsearched = unsearched.find((count) => typeof count === 'number') ?? 0;
    const listed = contents
      .map(listedOf)
      .filter((one) => one['uri'] !== uri && one['uri'] !== address);
    return [...usablePage({ resources: listed as never }).resources];
  }
}

async function searchTemplateOf(client: McpClient): Promise<string | undefined> {
  if (!declares(client, 'resources')) return undefined;
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const result = await client.listResourceTemplates(cursor === undefined ? {} : { cursor });
    const found = result.resourceTemplates.find(
      ({ uriTemplate }) => typeof uriTemplate === 'string' && SEARCH_TEMPLATE.test(uriTemplate),
    );
    if (found || result.nextCursor === undefined) return found?.uriTemplate;
    cursor = result.nextCursor;
  }
  return undefined;
}

/** Contents in the form of an entry of a list, whose facts this project's server sends in `_meta`. */
function listedOf(contents: unknown): Fields {
  const { uri, mimeType } = (contents ?? {}) as Fields;
  const known = (metaOf(contents)[INPAGE_META] ?? {}) as Fields;
  const { title, description, size, annotations } = known;
  const name = typeof uri === 'string' ? nameOf(uri) : uri;
  return { uri, name, title, description, mimeType, size, annotations };
}

function metaOf(contents: unknown): Fields {
  return ((contents as Fields | null)?.['_meta'] ?? {}) as Fields;
}

/** The address and the text of a content, if it has both. */
function textIn(content: unknown): [uri: string, text: string][] {
  const { uri, text } = (content ?? {}) as Fields;
  return typeof uri === 'string' && typeof text === 'string' ? [[uri, text]] : [];
}
