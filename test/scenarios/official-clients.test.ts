import { expect } from '@esm-bundle/chai';
import { bytesOf, connectClient } from '@inpage-mcp/client';
import { startRuntime, type Runtime } from '@inpage-mcp/runtime';
import { MessagePortTransport } from '@inpage-mcp/transport';
import { Client } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import {
  ResourceListChangedNotificationSchema,
  ResourceUpdatedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { deleteDatabase, freshDatabaseName, putRecords } from '../support/database.js';
import { failureOf } from '../support/failure.js';

const INFO = { name: 'scenario', version: '1' };

interface Args {
  [name: string]: unknown;
}

interface ToolResult {
  content: { type: string; text?: string }[];
  structuredContent?: unknown;
  isError?: boolean;
}

interface PromptResult {
  messages: { role: string; content: { type: string } }[];
}

type Ref = { type: 'ref/resource'; uri: string } | { type: 'ref/prompt'; name: string };

/** What every kind of client can do, in one shape. */
interface AnyClient {
  protocolVersion: string | undefined;
  listAll(): Promise<{ uri: string; title?: string | undefined }[]>;
  read(uri: string): Promise<{ uri: string; text?: string; blob?: string }>;
  /** Resolves once subscribed. */
  subscribe(uri: string, onUpdated: (uri: string) => void): Promise<void>;
  watchList(onChanged: () => void): Promise<void>;
  listTools(): Promise<{ name: string }[]>;
  callTool(name: string, args: Args): Promise<ToolResult>;
  listPrompts(): Promise<{ name: string }[]>;
  getPrompt(name: string, args: { [name: string]: string }): Promise<PromptResult>;
  complete(ref: Ref, name: string, value: string): Promise<{ values: string[]; total?: number }>;
  missingCode: number;
  close(): Promise<void>;
}

async function sdkV2(
  runtime: Runtime,
  mode: 'auto' | 'legacy',
  version?: string,
): Promise<AnyClient> {
  const versions = version === undefined ? {} : { supportedProtocolVersions: [version] };
  const client = new Client(INFO, { versionNegotiation: { mode }, ...versions });
  await client.connect(new MessagePortTransport(await runtime.openPort()));
  return {
    protocolVersion: client.getNegotiatedProtocolVersion(),
    listAll: async () => (await client.listResources()).resources,
    read: async (uri) => (await client.readResource({ uri })).contents[0] as never,
    async subscribe(uri, onUpdated) {
      client.setNotificationHandler('notifications/resources/updated', ({ params }) =>
        onUpdated(params.uri),
      );
      if (mode === 'legacy') await client.subscribeResource({ uri });
      else await client.listen({ resourceSubscriptions: [uri] });
    },
    async watchList(onChanged) {
      client.setNotificationHandler('notifications/resources/list_changed', () => onChanged());
      if (mode === 'auto') await client.listen({ resourcesListChanged: true });
    },
    listTools: async () => (await client.listTools()).tools,
    callTool: async (name, args) => (await client.callTool({ name, arguments: args })) as never,
    listPrompts: async () => (await client.listPrompts()).prompts,
    getPrompt: async (name, args) => await client.getPrompt({ name, arguments: args }),
    complete: async (ref, name, value) =>
      (await client.complete({ ref, argument: { name, value } })).completion as never,
    // The SDK's client turns the −32002 of a legacy server into its own error of −32602.
    missingCode: -32602,
    close: () => client.close(),
  };
}

async function sdkV1(runtime: Runtime): Promise<AnyClient> {
  const client = new ClientV1(INFO);
  await client.connect(new MessagePortTransport(await runtime.openPort()) as never);
  return {
    protocolVersion: '2025-11-25',
    async listAll() {
      const all = [];
      let cursor: string | undefined;
      do {
        const page = await client.listResources(cursor === undefined ? {} : { cursor });
        all.push(...page.resources);
        cursor = page.nextCursor;
      } while (cursor !== undefined);
      return all;
    },
    read: async (uri) => (await client.readResource({ uri })).contents[0] as never,
    async subscribe(uri, onUpdated) {
      client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) =>
        onUpdated(params.uri),
      );
      await client.subscribeResource({ uri });
    },
    async watchList(onChanged) {
      client.setNotificationHandler(ResourceListChangedNotificationSchema, () => onChanged());
    },
    listTools: async () => (await client.listTools()).tools,
    callTool: async (name, args) => (await client.callTool({ name, arguments: args })) as never,
    listPrompts: async () => (await client.listPrompts()).prompts,
    getPrompt: async (name, args) => await client.getPrompt({ name, arguments: args }),
    complete: async (ref, name, value) =>
      (await client.complete({ ref, argument: { name, value } })).completion as never,
    missingCode: -32002,
    close: () => client.close(),
  };
}

async function own(runtime: Runtime): Promise<AnyClient> {
  const client = await connectClient(new MessagePortTransport(await runtime.openPort()));
  return {
    protocolVersion: client.protocolVersion,
    async listAll() {
      const all = [];
      for await (const page of client.resources()) all.push(...page);
      return all;
    },
    read: async (uri) => (await client.readResource(uri)).contents[0] as never,
    subscribe: (uri, onUpdated) => client.watch(uri, onUpdated).ready,
    watchList: (onChanged) => client.watchList(onChanged).ready,
    listTools: async () => (await client.listTools()).tools,
    callTool: async (name, args) => (await client.callTool(name, args)) as never,
    listPrompts: async () => (await client.listPrompts()).prompts,
    getPrompt: async (name, args) => await client.getPrompt(name, args),
    complete: async (ref, name, value) => (await client.complete(ref, { name, value })) as never,
    missingCode: -32602,
    close: () => client.close(),
  };
}

/** Every server of this project lists them, behind what the user has. */
const RUNTIME_URIS = ['inpage:///storage', 'inpage:///activity'];

const CLIENTS: [
  name: string,
  version: string,
  connect: (runtime: Runtime) => Promise<AnyClient>,
][] = [
  ['the official SDK v2 client, negotiating', '2026-07-28', (runtime) => sdkV2(runtime, 'auto')],
  ['the official SDK v2 client, legacy', '2025-11-25', (runtime) => sdkV2(runtime, 'legacy')],
  ...['2025-06-18', '2025-03-26', '2024-11-05'].map((version): (typeof CLIENTS)[number] => [
    `the official SDK v2 client of ${version}`,
    version,
    (runtime) => sdkV2(runtime, 'legacy', version),
  ]),
  ['the official SDK v1 client', '2025-11-25', sdkV1],
  ['the client of this project', '2026-07-28', own],
];

/** Names that break what is not careful with them. */
const NAMES = [
  '中文 笔记',
  '日本語のノート',
  '😀👩‍👩‍👧‍👦',
  'with  spaces ',
  '100% %41 %zz',
  '#hash?query&a=b',
  `"double" 'single' \`back\``,
  'שלום עולם',
  'مرحبا',
  'a\\b:c*d|e<f>g',
  '__proto__',
  'é (composed) é (decomposed)',
  '.hidden',
  '~tilde+plus,comma;semi=equals@at!$()[]{}^',
];

for (const [name, version, connect] of CLIENTS) {
  describe(`${name}, through the real worker`, () => {
    let databaseName: string;
    let runtime: Runtime;
    let client: AnyClient;

    beforeEach(async () => {
      databaseName = freshDatabaseName();
      runtime = await startRuntime({ databaseName });
      client = await connect(runtime);
    });

    afterEach(async () => {
      await client.close();
      await runtime.close();
      await deleteDatabase(databaseName);
    });

    it(`speaks ${version}`, () => {
      expect(client.protocolVersion).to.equal(version);
    });

    it('lists and reads text and bytes', async () => {
      const note = await runtime.notes.create({ title: 'Note', text: '# Hello' });
      const bytes = crypto.getRandomValues(new Uint8Array(10_000));
      await runtime.files.write('a/b.bin', new Blob([bytes]));
      const listed = await client.listAll();
      expect(listed.map(({ uri }) => uri)).to.deep.equal([
        `note:///${note.id}`,
        'file:///a/',
        'file:///a/b.bin',
        ...RUNTIME_URIS,
      ]);
      expect((await client.read(`note:///${note.id}`)).text).to.equal('# Hello');
      const { uri, blob } = await client.read('file:///a/b.bin');
      expect([...bytesOf({ uri, blob: blob! })]).to.deep.equal([...bytes]);
    });

    it('is notified of an update and of the list', async () => {
      const note = await runtime.notes.create({ title: 'Note', text: 'one' });
      const uri = `note:///${note.id}`;
      const text = new Promise<string | undefined>((resolve) => {
        void client
          .subscribe(uri, (updated) => void client.read(updated).then((read) => resolve(read.text)))
          .then(() => runtime.notes.update(note.id, { text: 'two' }));
      });
      expect(await text).to.equal('two');
      const changed = new Promise<void>((resolve) => {
        void client.watchList(resolve).then(() => runtime.files.write('new', new Blob([])));
      });
      await changed;
      expect(await client.listAll()).to.have.length(2 + RUNTIME_URIS.length);
    });

    it('lists everything of a list of several pages', async () => {
      const paths = Array.from({ length: 1_500 }, (_, index) => `${index}`.padStart(5, '0'));
      const record = { mediaType: 'text/plain', size: 0, createdAt: 0, updatedAt: 0, revision: 1 };
      const records = paths.map((path) => ({ path, ...record }));
      await putRecords(databaseName, 'files', records);
      const uris = (await client.listAll()).map(({ uri }) => uri);
      expect(uris).to.deep.equal([...paths.map((path) => `file:///${path}`), ...RUNTIME_URIS]);
    });

    it('learns that a resource is missing', async () => {
      const error = await failureOf(client.read('note:///01ARZ3NDEKTSV4RRFFQ69G5FAV'));
      expect(error).to.include({ code: client.missingCode });
    });

    it('lists, reads and watches resources of any name', async () => {
      for (const name of NAMES) {
        await runtime.notes.create({ title: name, text: `note ${name}` });
        await runtime.files.write(`${name}/${name}.txt`, new Blob([`file ${name}`]));
      }
      const listed = await client.listAll();
      const titles = listed.map(({ title }) => title);
      for (const name of NAMES) {
        expect(titles).to.include(name).and.include(`${name}/${name}.txt`);
      }
      for (const { uri, title } of listed) {
        const { text, uri: answered } = await client.read(uri);
        if (RUNTIME_URIS.includes(uri)) continue;
        if (uri.endsWith('/')) {
          expect(answered.startsWith(uri)).to.equal(true);
          continue;
        }
        expect(answered).to.equal(uri);
        const expected = uri.startsWith('note:')
          ? `note ${title}`
          : `file ${title!.slice(0, (title!.length - '/.txt'.length) / 2)}`;
        expect(text).to.equal(expected);
        expect(new URL(uri).href).to.be.a('string');
      }
      const file = listed.find(({ title }) => title === `${NAMES[2]}/${NAMES[2]}.txt`)!;
      const updated = new Promise<string>((resolve) => {
        void client
          .subscribe(file.uri, resolve)
          .then(() => runtime.files.write(file.title!, new Blob(['new'])));
      });
      expect(await updated).to.equal(file.uri);
      expect((await client.read(file.uri)).text).to.equal('new');
    });

    it('calls tools, by their lists, and learns what went wrong', async () => {
      const names = (await client.listTools()).map(({ name }) => name);
      expect(names).to.include.members(['create_note', 'search_notes', 'save_file']);
      const created = await client.callTool('create_note', { title: 'A', text: 'from a tool' });
      const { id, uri } = created.structuredContent as { id: string; uri: string };
      const link = version < '2025-06-18' ? 'text' : 'resource_link';
      expect(created.content.map(({ type }) => type)).to.deep.equal(['text', link]);
      expect((await client.read(uri)).text).to.equal('from a tool');
      const found = await client.callTool('search_notes', { query: 'tool' });
      expect(found.structuredContent).to.have.nested.property('matches.0.id', id);
      const failed = await client.callTool('delete_note', { id: 'none' });
      expect(failed.isError).to.equal(true);
      expect(failed.content[0]!.text).to.match(/none/);
    });

    it('gets prompts, by their lists', async () => {
      const names = (await client.listPrompts()).map(({ name }) => name);
      expect(names).to.include('summarize_note');
      const { id } = await runtime.notes.create({ title: 'A', text: 'text' });
      const { messages } = await client.getPrompt('summarize_note', { note: id });
      expect(messages.map(({ content }) => content.type)).to.include('resource');
    });

    it('completes templates and prompts', async () => {
      const { id } = await runtime.notes.create({ title: 'Shopping list', text: '' });
      const template: Ref = { type: 'ref/resource', uri: 'note:///{id}' };
      expect(await client.complete(template, 'id', 'shop')).to.deep.include({
        values: [id],
        total: 1,
      });
      const prompt: Ref = { type: 'ref/prompt', name: 'summarize_note' };
      expect((await client.complete(prompt, 'note', 'shop')).values).to.deep.equal([
        'Shopping list',
      ]);
    });
  });
}
