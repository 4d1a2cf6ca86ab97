import { expect } from '@esm-bundle/chai';
import { bytesOf, connectClient } from '@inpage-mcp/client';
import { startRuntime, type Runtime } from '@inpage-mcp/runtime';
import { MessagePortTransport } from '@inpage-mcp/transport';
import { sdkV1, sdkV2, type AnyClient } from '../protocol/any-client.js';
import { deleteDatabase, freshDatabaseName, putRecords } from '../support/database.js';
import { failureOf } from '../support/failure.js';

type TestedClient = Pick<
  AnyClient,
  'protocolVersion' | 'listTools' | 'callTool' | 'listPrompts' | 'getPrompt' | 'complete' | 'close'
> & {
  listResources(): Promise<{ uri: string; title?: string | undefined }[]>;
  read(uri: string): Promise<{ uri: string; text?: string; blob?: string }[]>;
  /** Resolves once subscribed. */
  subscribe(uri: string, onUpdated: (uri: string) => void): Promise<unknown>;
  watch(list: 'resources', onChanged: () => void): Promise<void>;
};

async function own(port: MessagePort): Promise<TestedClient> {
  const client = await connectClient(new MessagePortTransport(port));
  return {
    protocolVersion: client.protocolVersion,
    async listResources() {
      const all = [];
      for await (const page of client.resources()) all.push(...page);
      return all;
    },
    read: async (uri) => (await client.readResource(uri)).contents as never,
    subscribe: (uri, onUpdated) => client.watch(uri, onUpdated).ready,
    watch: (_list, onChanged) => client.watchList(onChanged).ready,
    listTools: async () => (await client.listTools()).tools,
    callTool: async (name, args) => (await client.callTool(name, args)) as never,
    listPrompts: async () => (await client.listPrompts()).prompts,
    getPrompt: async (name, args) => await client.getPrompt(name, args),
    complete: async (ref, name, value) =>
      (await client.complete(ref as never, { name, value })) as never,
    close: () => client.close(),
  };
}

/** Every server of this project lists them, behind what the user has. */
const RUNTIME_URIS = ['inpage:///storage', 'inpage:///activity'];

/** The newest and the oldest revision: test/protocol/official-clients.test.ts has those between, without the worker. */
const CLIENTS: [
  name: string,
  version: string,
  connect: (port: MessagePort) => Promise<TestedClient>,
][] = [
  ['the official SDK v2 client, negotiating', '2026-07-28', (port) => sdkV2(port, 'auto')],
  [
    'the official SDK v2 client of 2024-11-05',
    '2024-11-05',
    (port) => sdkV2(port, 'legacy', '2024-11-05'),
  ],
  ['the official SDK v1 client', '2025-11-25', (port) => sdkV1(port)],
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
    let client: TestedClient;

    beforeEach(async () => {
      databaseName = freshDatabaseName();
      runtime = await startRuntime({ databaseName });
      client = await connect(await runtime.openPort());
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
      const listed = await client.listResources();
      expect(listed.map(({ uri }) => uri)).to.deep.equal([
        `note:///${note.id}`,
        'file:///a/',
        'file:///a/b.bin',
        ...RUNTIME_URIS,
      ]);
      expect((await client.read(`note:///${note.id}`))[0]?.text).to.equal('# Hello');
      const [contents] = await client.read('file:///a/b.bin');
      expect([...bytesOf({ uri: contents!.uri, blob: contents!.blob! })]).to.deep.equal([...bytes]);
    });

    it('is notified of an update and of the list', async () => {
      const note = await runtime.notes.create({ title: 'Note', text: 'one' });
      const uri = `note:///${note.id}`;
      const text = new Promise<string | undefined>((resolve) => {
        void client
          .subscribe(
            uri,
            (updated) => void client.read(updated).then((read) => resolve(read[0]?.text)),
          )
          .then(() => runtime.notes.update(note.id, { text: 'two' }));
      });
      expect(await text).to.equal('two');
      const changed = new Promise<void>((resolve) => {
        void client
          .watch('resources', resolve)
          .then(() => runtime.files.write('new', new Blob([])));
      });
      await changed;
      expect(await client.listResources()).to.have.length(2 + RUNTIME_URIS.length);
    });

    it('lists everything of a list of several pages', async () => {
      const paths = Array.from({ length: 1_500 }, (_, index) => `${index}`.padStart(5, '0'));
      const record = { mediaType: 'text/plain', size: 0, createdAt: 0, updatedAt: 0, revision: 1 };
      const records = paths.map((path) => ({ path, ...record }));
      await putRecords(databaseName, 'files', records);
      const uris = (await client.listResources()).map(({ uri }) => uri);
      expect(uris).to.deep.equal([...paths.map((path) => `file:///${path}`), ...RUNTIME_URIS]);
    });

    it('learns that a resource is missing', async () => {
      const error = await failureOf(client.read('note:///01ARZ3NDEKTSV4RRFFQ69G5FAV'));
      // The second client of the SDK turns the −32002 of a legacy server into its own error.
      expect(error).to.include({ code: name.includes('v1') ? -32002 : -32602 });
    });

    it('lists, reads and watches resources of any name', async () => {
      for (const name of NAMES) {
        await runtime.notes.create({ title: name, text: `note ${name}` });
        await runtime.files.write(`${name}/${name}.txt`, new Blob([`file ${name}`]));
      }
      const listed = await client.listResources();
      const titles = listed.map(({ title }) => title);
      for (const name of NAMES) {
        expect(titles).to.include(name).and.include(`${name}/${name}.txt`);
      }
      for (const { uri, title } of listed) {
        const [{ text, uri: answered } = { uri: '' }] = await client.read(uri);
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
      expect((await client.read(file.uri))[0]?.text).to.equal('new');
    });

    it('calls tools, by their lists, and learns what went wrong', async () => {
      const names = (await client.listTools()).map(({ name }) => name);
      expect(names).to.include.members(['create_note', 'search_notes', 'save_file']);
      const created = await client.callTool('create_note', { title: 'A', text: 'from a tool' });
      const { id, uri } = created.structuredContent as { id: string; uri: string };
      const link = version < '2025-06-18' ? 'text' : 'resource_link';
      expect(created.content.map(({ type }) => type)).to.deep.equal(['text', link]);
      expect((await client.read(uri))[0]?.text).to.equal('from a tool');
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
      const kinds = (messages as { content: { type: string } }[]).map(
        ({ content }) => content.type,
      );
      expect(kinds).to.include('resource');
    });

    it('completes templates and prompts', async () => {
      const { id } = await runtime.notes.create({ title: 'Shopping list', text: '' });
      const template = { type: 'ref/resource', uri: 'note:///{id}' };
      expect(await client.complete(template, 'id', 'shop')).to.deep.include({
        values: [id],
        total: 1,
      });
      const prompt = { type: 'ref/prompt', name: 'summarize_note' };
      expect((await client.complete(prompt, 'note', 'shop')).values).to.deep.equal([
        'Shopping list',
      ]);
    });
  });
}
