import type { McpClient, Resource, ResourceTemplate } from '@inpage-mcp/client';
import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { usableReading } from '../reading/usable-answers.js';
import { nameOf } from '../text/name-of.js';

/** A template whose only variable is a search text, such as `note:///search{?q}`. */
const SEARCH_TEMPLATE = /^(?<address>[^{}]{1,500})\{\?(?<variable>q|query|search|text)\}$/;

/** How long the user must rest before the server searches, in milliseconds. */
const REST_MS = 250;

/** A shorter text is not searched for. */
const MIN_LENGTH = 2;

/** How many templates are looked at, and how many results are shown. */
const MAX_TEMPLATES = 100;
const MAX_RESULTS = 50;

/**
 * The search of the server, where it has one: a resource template whose only variable is `{?q}`,
 * `{?query}`, `{?search}` or `{?text}`. The contents of such a resource are the results.
 */
export class ServerSearch implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  #client: McpClient | undefined;
  #template: Promise<ResourceTemplate | undefined> | undefined;
  #text = '';
  #timer: ReturnType<typeof setTimeout> | undefined;
  #search = new AbortController();
  #results: readonly Resource[] = [];

  constructor(host: ReactiveControllerHost) {
    this.#host = host;
    host.addController(this);
  }

  /** What the server found for the text of the last `find()`; empty until it has answered. */
  get results(): readonly Resource[] {
    return this.#results;
  }

  /** Searches for a text when the user has rested. A failure finds nothing. */
  find(client: McpClient | undefined, typed: string): void {
    const text = typed.trim().length < MIN_LENGTH ? '' : typed.trim();
    if (client !== this.#client) this.#template = undefined;
    else if (text === this.#text) return;
    this.#client = client;
    this.#text = text;
    this.#stop();
    if (this.#results.length > 0) this.#results = [];
    if (client && text) this.#timer = setTimeout(() => void this.#run(client, text), REST_MS);
  }

  hostDisconnected(): void {
    this.#stop();
    this.#client = undefined;
    this.#template = undefined;
    this.#text = '';
  }

  #stop(): void {
    clearTimeout(this.#timer);
    this.#search.abort();
  }

  async #run(client: McpClient, text: string): Promise<void> {
    const search = new AbortController();
    this.#search = search;
    try {
      const { signal } = search;
      this.#template ??= searchTemplateOf(client);
      const template = await this.#template;
      signal.throwIfAborted();
      if (!template) return;
      const results = await resultsOf(client, template, text, signal);
      signal.throwIfAborted();
      this.#results = results;
      this.#host.requestUpdate();
    } catch {
      // The resources that are loaded are searched all the same.
      if (!search.signal.aborted) this.#template = undefined;
    }
  }
}

async function searchTemplateOf(client: McpClient): Promise<ResourceTemplate | undefined> {
  const { resourceTemplates } = await client.listResourceTemplates();
  return resourceTemplates
    .slice(0, MAX_TEMPLATES)
    .find(
      (template) =>
        typeof template?.uriTemplate === 'string' && SEARCH_TEMPLATE.test(template.uriTemplate),
    );
}

async function resultsOf(
  client: McpClient,
  { uriTemplate }: ResourceTemplate,
  text: string,
  signal: AbortSignal,
): Promise<readonly Resource[]> {
  const { address, variable } = SEARCH_TEMPLATE.exec(uriTemplate)!.groups!;
  const uri = `${address}?${variable}=${encodeURIComponent(text.toWellFormed())}`;
  const { contents } = usableReading(await client.readResource(uri, { signal }));
  const results = new Map<string, Resource>();
  for (const content of contents) {
    // A content with the uri of the search says that nothing was found.
    if (content.uri === uri || content.uri === address || results.size >= MAX_RESULTS) continue;
    const { mimeType } = content;
    results.set(content.uri, { uri: content.uri, name: nameOf(content.uri), mimeType });
  }
  return [...results.values()];
}
