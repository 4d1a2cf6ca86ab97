import { expect } from '@esm-bundle/chai';
import {
  defineTool,
  files,
  notes,
  runtimeResources,
  type Feature,
  type SchemaSource,
} from '@inpage-mcp/server';
import * as z from 'zod';
import { deleteDatabase } from '../support/database.js';
import { openLinkedServer, type LinkedServer } from '../support/linked-server.js';
import type { RawClient } from '../support/raw-client.js';
import { isModern, type Revision } from '../support/revisions.js';

type Params = { [key: string]: unknown };

/** Nearly as large as a message may be. */
const LONG = 'x'.repeat(900_000);
/** How much longer the answer may be than that to the same request with short strings. */
const MAX_REPEATED_LENGTH = 8 * 1024;

const VERSION = 'io.modelcontextprotocol/protocolVersion';
const LOG_LEVEL = 'io.modelcontextprotocol/logLevel';
const CLIENT_INFO = 'io.modelcontextprotocol/clientInfo';
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';
const RANGE = 'io.github.inpage-mcp/range';

const call = (name: string, args: unknown): [string, Params] => [
  'tools/call',
  { name, arguments: args },
];
const complete = (ref: Params, argument: Params, context = {}): [string, Params] => [
  'completion/complete',
  { ref, argument, ...context },
];
const note = { type: 'ref/resource', uri: 'note:///{id}' };
const prompt = { type: 'ref/prompt', name: 'summarize_note' };

/** Every place in which a request can have a string. */
const PLACES: { [place: string]: [method: string, params: Params] } = {
  'a method': [LONG, {}],
  'a key of the params': ['resources/list', { [LONG]: 1 }],
  'a cursor of resources': ['resources/list', { cursor: LONG }],
  'a cursor of templates': ['resources/templates/list', { cursor: LONG }],
  'a cursor of tools': ['tools/list', { cursor: LONG }],
  'a cursor of prompts': ['prompts/list', { cursor: LONG }],
  'a uri': ['resources/read', { uri: `note:///${LONG}` }],
  'a uri to subscribe to': ['resources/subscribe', { uri: `note:///${LONG}` }],
  'a uri to unsubscribe from': ['resources/unsubscribe', { uri: `note:///${LONG}` }],
  'a uri of a stream': [
    'subscriptions/listen',
    { notifications: { resourceSubscriptions: [LONG] } },
  ],
  'a key of a filter': ['subscriptions/listen', { notifications: { [LONG]: true } }],
  'a value of a filter': ['subscriptions/listen', { notifications: { toolsListChanged: LONG } }],
  'a range': ['resources/read', { uri: 'note:///', _meta: { [RANGE]: { offset: LONG } } }],
  'a level of the log': ['logging/setLevel', { level: LONG }],
  'a tool': call(LONG, {}),
  'arguments that are no object': call('create_note', LONG),
  'an argument that does not exist': call('create_note', { title: '', text: '', [LONG]: 1 }),
  'a title': call('create_note', { title: LONG, text: '' }),
  'a tag': call('create_note', { title: '', text: '', tags: [LONG] }),
  'a choice': call('create_note', { title: '', text: '', audience: [LONG] }),
  'a number': call('create_note', { title: '', text: '', priority: LONG }),
  'an idempotency key': call('create_note', { title: '', text: '', idempotencyKey: LONG }),
  'an id': call('update_note', { id: LONG, title: '' }),
  'an id to append to': call('append_to_note', { id: LONG, text: '' }),
  'an id to delete': call('delete_note', { id: LONG }),
  'a text': call('create_note', { title: '', text: LONG }),
  'a path': call('save_file', { path: LONG, text: '' }),
  'a path of many names': call('save_file', { path: LONG.replaceAll('xx', 'x/'), text: '' }),
  'a media type': call('save_file', { path: 'a', text: '', mediaType: LONG }),
  bytes: call('save_file', { path: 'a', base64: `${LONG}!` }),
  'a path to move from': call('move_file', { from: LONG, to: 'b' }),
  'a path to move to': call('move_file', { from: 'a', to: LONG }),
  'a path to delete': call('delete_file', { path: LONG }),
  'a query': call('search_notes', { query: LONG }),
  'a query of files': call('search_files', { query: LONG }),
  'a tag to search': call('search_notes', { query: 'a', tag: LONG }),
  'a cursor of a tool': call('list_resources', { cursor: LONG }),
  'a uri of a tool': call('read_resource', { uri: LONG }),
  "a key of an app's tool": call('strict', { [LONG]: 1 }),
  "a nested key of an app's tool": call('strict', { inner: { [LONG]: 1 } }),
  "a key of an app's record": call('record', { all: { [LONG]: 'no number' } }),
  "a key of an app's tool with a library": call('strict_of_library', { [LONG]: 1 }),
  "a nested key of an app's tool with a library": call('strict_of_library', {
    inner: { [LONG]: 1 },
  }),
  "a key of an app's record with a library": call('record_of_library', {
    all: { [LONG]: 'no number' },
  }),
  'a prompt': ['prompts/get', { name: LONG }],
  'an argument of a prompt': ['prompts/get', { name: 'summarize_note', arguments: { note: LONG } }],
  'an image of a prompt': ['prompts/get', { name: 'describe_image', arguments: { path: LONG } }],
  'a tag of a prompt': [
    'prompts/get',
    { name: 'answer_from_notes', arguments: { question: 'a', tag: LONG } },
  ],
  'a key of the arguments of a prompt': [
    'prompts/get',
    { name: 'summarize_note', arguments: { [LONG]: 'a' } },
  ],
  'a kind of reference': complete({ type: LONG, uri: 'a' }, { name: 'id', value: '' }),
  'a template': complete({ ...note, uri: LONG }, { name: 'id', value: '' }),
  'a variable': complete(note, { name: LONG, value: '' }),
  'what was typed': complete(note, { name: 'id', value: LONG }),
  'a prompt to complete': complete({ ...prompt, name: LONG }, { name: 'note', value: '' }),
  'an argument to complete': complete(prompt, { name: LONG, value: '' }),
  'a value to complete': complete(prompt, { name: 'note', value: LONG }),
  'what is chosen': complete(
    { ...prompt, name: 'compare_notes' },
    { name: 'second', value: '' },
    { context: { arguments: { first: LONG, [LONG]: 'a' } } },
  ),
  'a token of progress': ['tools/call', { name: 'reporting', _meta: { progressToken: LONG } }],
  'a token of a failing call': [
    'tools/call',
    { name: 'delete_note', arguments: {}, _meta: { progressToken: LONG } },
  ],
  'a key of _meta': ['resources/list', { _meta: { [LONG]: 1 } }],
  'a revision': ['resources/list', { _meta: { [VERSION]: LONG } }],
  'a level in _meta': ['tools/call', { name: 'reporting', _meta: { [LOG_LEVEL]: LONG } }],
  'a client': ['resources/list', { _meta: { [CLIENT_INFO]: { name: LONG, version: LONG } } }],
  'a wrong client': ['resources/list', { _meta: { [CLIENT_INFO]: LONG } }],
  'a capability': ['resources/list', { _meta: { [CAPABILITIES]: { [LONG]: {} } } }],
  'a wrong capability': ['resources/list', { _meta: { [CAPABILITIES]: LONG } }],
  'a revision to initialize': [
    'initialize',
    { protocolVersion: LONG, capabilities: {}, clientInfo: { name: 'a', version: '1' } },
  ],
  'a client to initialize': [
    'initialize',
    { protocolVersion: '2025-11-25', capabilities: { [LONG]: {} }, clientInfo: { name: LONG } },
  ],
  'a state': ['tools/call', { name: 'asking', requestState: LONG }],
  'a response': ['tools/call', { name: 'asking', inputResponses: { [LONG]: { action: LONG } } }],
};

for (const revision of ['2026-07-28', '2025-11-25'] as const) {
  describe(`what the server repeats of a request of ${revision}`, () => {
    let linked: LinkedServer;

    before(async () => {
      linked = await openLinkedServer(undefined, {
        providers: [notes(), files(), runtimeResources()],
        configure: appTools,
      });
    });

    after(async () => {
      await linked.server.close();
      await deleteDatabase(linked.databaseName);
    });

    /** How long everything is, in characters of JSON, that comes back for a request. */
    const answerLength = async (
      [method, params]: [string, Params],
      isFirst: boolean,
    ): Promise<number> => {
      const client = linked.connectRaw();
      if (!isFirst) await introduce(client, revision);
      const before = client.received.length;
      client.post(method, isModern(revision) ? modern(params) : params);
      await client.when(() => client.received.slice(before).some(isEnd));
      client.port.postMessage(null);
      return JSON.stringify(client.received.slice(before)).length;
    };

    for (const [place, request] of Object.entries(PLACES)) {
      it(`is short for ${place}`, async () => {
        for (const isFirst of [true, false]) {
          const length = await answerLength(request, isFirst);
          const shortened = JSON.parse(JSON.stringify(request).replaceAll(LONG, 'x'));
          const usual = await answerLength(shortened as [string, Params], isFirst);
          expect(length, isFirst ? 'as the first request' : 'later').to.be.at.most(
            usual + MAX_REPEATED_LENGTH,
          );
        }
      });
    }
  });
}

/** The last message that a request leads to; a stream goes on after it is acknowledged. */
function isEnd(message: object | null): boolean {
  if (message === null || !('method' in message)) return true;
  return message.method === 'notifications/subscriptions/acknowledged';
}

const nothing = { type: 'object', properties: {}, additionalProperties: false } as const;
const numbers = { type: 'object', additionalProperties: { type: 'number' } } as const;

const INPUTS: { [tool: string]: SchemaSource } = {
  strict: { ...nothing, properties: { inner: nothing } },
  record: { type: 'object', properties: { all: numbers }, required: ['all'] },
  strict_of_library: z.strictObject({ inner: z.strictObject({}).optional() }),
  record_of_library: z.object({ all: z.record(z.string(), z.number()) }),
  asking: { type: 'object' },
};

const reporting = defineTool({
  name: 'reporting',
  run(_input, call) {
    for (const progress of [1, 2]) call.progress(progress);
    return { content: [] };
  },
});

const appTools: Feature = (server) => {
  const run = () => ({ content: [] });
  for (const [name, input] of Object.entries(INPUTS))
    server.addTool(defineTool({ name, input, run }));
  server.addTool(reporting);
};

function modern({ _meta, ...params }: Params): Params {
  const envelope = {
    [VERSION]: '2026-07-28',
    [CLIENT_INFO]: { name: 'raw', version: '1' },
    [CAPABILITIES]: {},
  };
  return { ...params, _meta: { ...envelope, ...(_meta as Params | undefined) } };
}

async function introduce(client: RawClient, revision: Revision): Promise<void> {
  if (isModern(revision)) await client.modern('server/discover');
  else await client.initialize(revision);
}
