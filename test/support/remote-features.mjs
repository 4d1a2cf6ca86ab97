// What the remote server offers (remote-server.mjs): something of every feature of the protocol.
import { readFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import {
  acceptedContent,
  completable,
  inputRequired,
  McpServer,
  ResourceNotFoundError,
  ResourceTemplate,
} from '@modelcontextprotocol/server';
import * as z from 'zod';
import { inRoot } from '../../scripts/project/project.mjs';

/** @typedef {import('@modelcontextprotocol/server').ServerContext} ServerContext */
/** @typedef {{ updated: (uri: string) => void, listChanged: () => void }} Changes */

const TEXT = 'remote:///text';
const IMAGE = 'remote:///photo';
const LANGUAGES = ['German', 'Greek', 'Italian'];

/** @param {string} text */
const textResult = (text) => ({ content: [{ type: /** @type {const} */ ('text'), text }] });

/** @param {readonly string[]} words @param {string} typed */
const matching = (words, typed) =>
  words.filter((word) => word.toLowerCase().startsWith(typed.toLowerCase()));

/** The state of a remote server, which all its connections share. */
export class RemoteFeatures {
  #changes;
  #text = 'The first text.';
  /** @type {string[]} */
  #items = ['apple', 'apricot', 'banana'];
  /** How many calls of `wait` were aborted. */
  #aborted = 0;

  /** @param {Changes} changes notifies the clients */
  constructor(changes) {
    this.#changes = changes;
  }

  /** @param {Set<string>} uris the subscriptions of a connection of the legacy era */
  createServer(uris) {
    const server = new McpServer(
      { name: 'remote', version: '1.0.0', title: 'A remote server' },
      { capabilities: { resources: { subscribe: true, listChanged: true } } },
    );
    this.#addResources(server, uris);
    this.#addPlainTools(server);
    this.#addLongTools(server);
    addPrompts(server);
    return server;
  }

  /** @param {McpServer} server @param {Set<string>} uris */
  #addResources(server, uris) {
    server.registerResource('text', TEXT, { title: 'A text', mimeType: 'text/plain' }, () => ({
      contents: [{ uri: TEXT, mimeType: 'text/plain', text: this.#text }],
    }));
    server.registerResource('photo', IMAGE, { mimeType: 'image/png' }, async () => ({
      contents: [{ uri: IMAGE, mimeType: 'image/png', blob: await photo() }],
    }));
    const template = new ResourceTemplate('remote:///items/{item}', {
      list: () => ({
        resources: this.#items.map((name) => ({ uri: `remote:///items/${name}`, name })),
      }),
      complete: { item: (typed) => matching(this.#items, typed) },
    });
    server.registerResource('item', template, { title: 'An item' }, ({ href: uri }, { item }) => {
      if (!this.#items.includes(String(item))) throw new ResourceNotFoundError(uri);
      return { contents: [{ uri, text: `The ${String(item)}.` }] };
    });
    // The SDK leaves the subscriptions of the legacy era to the app.
    server.server.setRequestHandler('resources/subscribe', ({ params }) => {
      uris.add(params.uri);
      return {};
    });
    server.server.setRequestHandler('resources/unsubscribe', ({ params }) => {
      uris.delete(params.uri);
      return {};
    });
  }

  /** @param {McpServer} server */
  #addPlainTools(server) {
    server.registerTool(
      'order',
      {
        title: 'Order',
        description: 'Repeats its arguments, which have a field of each type.',
        inputSchema: z.object({
          dish: z.string().min(1).describe('What to cook'),
          size: z.enum(['small', 'large']).default('small'),
          count: z.int().min(1).max(9),
          price: z.number().optional(),
          spicy: z.boolean().optional(),
          date: z.iso.date().optional(),
          extras: z.array(z.string()).optional(),
          address: z.object({ street: z.string(), floor: z.int().optional() }).optional(),
        }),
        outputSchema: z.object({ order: z.record(z.string(), z.unknown()) }),
        annotations: { readOnlyHint: true },
      },
      (order) => ({ ...textResult(JSON.stringify(order)), structuredContent: { order } }),
    );
    const change = { inputSchema: z.object({ text: z.string() }) };
    server.registerTool('change_text', change, ({ text }) => {
      this.#text = text;
      this.#changes.updated(TEXT);
      return textResult('Changed.');
    });
    server.registerTool('add_item', { inputSchema: z.object({ name: z.string() }) }, ({ name }) => {
      this.#items.push(name);
      this.#changes.listChanged();
      return textResult('Added.');
    });
    const annotations = { destructiveHint: true, idempotentHint: true };
    server.registerTool('delete_items', { description: 'Deletes all items.', annotations }, () => {
      this.#items = [];
      this.#changes.listChanged();
      return textResult('Deleted.');
    });
    server.registerTool('fail', {}, () => ({ ...textResult('It has failed.'), isError: true }));
    server.registerTool('show_media', {}, async () => ({
      content: [
        { type: 'image', data: await photo(), mimeType: 'image/png' },
        { type: 'resource', resource: { uri: TEXT, text: this.#text } },
        { type: 'resource_link', uri: IMAGE, name: 'photo' },
      ],
    }));
  }

  /** @param {McpServer} server */
  #addLongTools(server) {
    server.registerTool('wait', { description: 'Waits for ever.' }, async (context) => {
      const { signal } = context.mcpReq;
      const aborted = new Promise((resolve) => {
        signal.addEventListener('abort', () => resolve(undefined));
      });
      await report(context, { progress: 0 });
      await aborted;
      this.#aborted += 1;
      return textResult('Aborted.');
    });
    server.registerTool('count_aborted', {}, async () => {
      // HTTP delivers the end of a request whenever it does.
      while (this.#aborted === 0) await setTimeout(5);
      return textResult(String(this.#aborted));
    });
    server.registerTool('ask_name', {}, ({ mcpReq }) => {
      const answer = acceptedContent(mcpReq.inputResponses, 'name');
      if (answer) return textResult(`Hello, ${String(answer['name'])}.`);
      const form = { message: 'Who are you?', requestedSchema: z.object({ name: z.string() }) };
      return inputRequired({ inputRequests: { name: inputRequired.elicit(form) } });
    });
  }
}

/** @param {McpServer} server */
function addPrompts(server) {
  server.registerPrompt(
    'translate',
    {
      title: 'Translate',
      description: 'Translates a text.',
      argsSchema: z.object({
        language: completable(z.string(), (typed) => matching(LANGUAGES, typed)),
        text: z.string().optional(),
      }),
    },
    ({ language, text = 'Hello.' }) => ({
      messages: [
        { role: 'user', content: { type: 'text', text: `Translate into ${language}: ${text}` } },
      ],
    }),
  );
}

/**
 * Reports progress, if the client wants it.
 * @param {ServerContext} context
 * @param {{ progress: number, total?: number, message?: string }} progress
 */
async function report({ mcpReq }, progress) {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return;
  const params = { progressToken, ...progress };
  await mcpReq.notify({ method: 'notifications/progress', params });
}

async function photo() {
  return await readFile(inRoot('test/fixtures/photo.png'), 'base64');
}
