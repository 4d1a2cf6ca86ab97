// A small server with everything that a page has: notes that are written, subscriptions, prompts,
// completion, questions and progress.
import { definePrompt, defineTool, McpServer, ResourceNotFoundError } from '@inpage-mcp/protocol';
import { setTimeout as delay } from 'node:timers/promises';

/** @param {{ notes?: Map<string, string> }} [options] notes that several servers share, as tabs do */
export function notesServer({ notes = new Map([['first', 'The first note.']]) } = {}) {
  /** @type {Set<import('@inpage-mcp/protocol').ResourceChangeListener>} */
  const listeners = new Set();
  const uriOf = (/** @type {string} */ name) => `note:///${name}`;
  /** @param {string} name @param {string} text */
  const write = (name, text) => {
    const isNew = !notes.has(name);
    notes.set(name, text);
    for (const listener of listeners) listener([{ uri: uriOf(name), listChanged: isNew }]);
  };
  /** @type {Set<AbortController>} */
  const slowCalls = new Set();
  /** Ends the calls of `slow` that have begun; returns how many. */
  const endSlow = () => {
    const { size } = slowCalls;
    for (const ending of slowCalls) ending.abort();
    slowCalls.clear();
    return size;
  };
  const named = {
    type: 'object',
    properties: { name: { type: 'string' }, text: { type: 'string' } },
    required: ['name', 'text'],
  };
  const tools = [
    defineTool({
      name: 'write_note',
      input: /** @type {const} */ (named),
      run: ({ name, text }) => {
        write(String(name), String(text));
        return 'written';
      },
    }),
    defineTool({
      name: 'echo',
      input: /** @type {const} */ ({ type: 'object', properties: { text: { type: 'string' } } }),
      run: ({ text = '' }) => text,
    }),
    defineTool({
      name: 'slow',
      input: /** @type {const} */ ({
        type: 'object',
        properties: { ms: { type: 'number' }, text: { type: 'string' } },
      }),
      run: async ({ ms = 60_000, text = '' }, call) => {
        const ending = new AbortController();
        slowCalls.add(ending);
        call.progress(1, 2);
        const signal = AbortSignal.any([call.signal, ending.signal]);
        await delay(ms, undefined, { signal }).catch(() => call.signal.throwIfAborted());
        if (text) call.log('info', text);
        return 'done';
      },
    }),
    defineTool({
      name: 'ask',
      run: async (_input, call) => {
        const { content } = await call.elicit('color', {
          message: 'Which colour?',
          requestedSchema: { type: 'object', properties: { color: { type: 'string' } } },
        });
        return `You like ${String(content?.['color'])}.`;
      },
    }),
  ];
  const prompts = [
    definePrompt({
      name: 'greet',
      arguments: { who: { required: true, complete: () => ['Ada', 'Alan'] } },
      run: ({ who }) => ({
        messages: [{ role: 'user', content: { type: 'text', text: `Greet ${who}.` } }],
      }),
    }),
  ];
  const server = new McpServer(
    { name: 'notes', version: '1.0.0' },
    {
      tools,
      prompts,
      resources: {
        templates: [{ uriTemplate: 'note:///{name}', name: 'note' }],
        list: () => ({
          resources: [...notes.keys()].map((name) => ({ uri: uriOf(name), name })),
        }),
        read(uri) {
          const text = notes.get(uri.replace('note:///', ''));
          if (text === undefined) throw new ResourceNotFoundError(uri);
          return [{ uri, mimeType: 'text/plain', text }];
        },
        complete: () => ({ values: [...notes.keys()], total: notes.size }),
        listen(listener) {
          listeners.add(listener);
          return () => void listeners.delete(listener);
        },
      },
    },
  );
  return Object.assign(server, { notes, write, endSlow });
}
