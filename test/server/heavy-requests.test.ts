import { expect } from '@esm-bundle/chai';
import { files, notes, type ResourceProvider } from '@inpage-mcp/server';
import { deleteDatabase } from '../support/database.js';
import { openLinkedServer, type LinkedServer } from '../support/linked-server.js';
import { MODERN_META, type RawClient } from '../support/raw-client.js';
import { resultOf } from '../support/revisions.js';
import { eventually } from '../support/within.js';

/** More than there may be at a time of what looks through everything. */
const MANY = 6;

/** A provider whose contents have to be released before they are read. */
class HeldProvider implements ResourceProvider {
  readonly name = 'held';
  readonly templates = [];
  begunCount = 0;
  release!: () => void;
  readonly #prefix: string;
  readonly #released = new Promise<void>((resolve) => {
    this.release = resolve;
  });

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  async list() {
    return { resources: [] };
  }

  async read(uri: string) {
    if (!uri.startsWith(this.#prefix)) return undefined;
    this.begunCount += 1;
    await this.#released;
    return [{ uri, mimeType: 'text/plain', text: 'state' }];
  }

  listen() {
    return () => undefined;
  }
}

describe('requests that look through everything', () => {
  let held: HeldProvider;
  let linked: LinkedServer;
  let client: RawClient;

  beforeEach(async () => {
    held = new HeldProvider('file:///held');
    linked = await openLinkedServer(undefined, { providers: [held, notes(), files()] });
    client = linked.connectRaw();
    // All places for them are taken.
    for (let count = 0; count < MANY; count += 1) {
      client.post('resources/read', { uri: `file:///held${count}/`, _meta: MODERN_META });
    }
    resultOf(await client.modern('tools/call', { name: 'list_resources' }));
    expect(held.begunCount).to.equal(4);
  });

  afterEach(async () => {
    held.release();
    await linked.server.close();
    await deleteDatabase(linked.databaseName);
  });

  const post = ([method, params]: [string, object]): number =>
    client.post(method, { ...params, _meta: MODERN_META });
  const readsOf = (uri: unknown): [string, object][] => [
    ['resources/read', { uri }],
    ['tools/call', { name: 'read_resource', arguments: { uri } }],
  ];

  it('wait for each other', async () => {
    const { id } = await linked.server.store.notes.create({ title: 'a', text: 'a' });
    const argument = { name: 'path', value: '' };
    const heavy: [string, object][] = [
      ...readsOf('file:///a/'),
      ...readsOf('file:///a%20b/c/'),
      ...readsOf('note:///search?q=a'),
      ...readsOf('disk:///a/'),
      ...readsOf('disk:///a/?from=1000'),
      ['prompts/get', { name: 'no prompt' }],
      ['completion/complete', { ref: { type: 'ref/resource', uri: 'file:///{+path}' }, argument }],
      ['tools/call', { name: 'search_notes', arguments: { query: 'a' } }],
      ['tools/call', { name: 'search_files', arguments: { query: 'a' } }],
    ];
    const ids = heavy.map(post);
    // What is not of them passes.
    for (const read of readsOf(`note:///${id}`)) resultOf(await client.answerTo(post(read)));
    const answered = new Set(
      client.received.map((message) => message && 'id' in message && message.id),
    );
    expect(ids.filter((one) => answered.has(one))).to.deep.equal([]);
    held.release();
    for (const one of ids) await client.answerTo(one);
    expect(held.begunCount).to.equal(MANY);
  });

  it('do not delay any others', async () => {
    const light: [string, object][] = [
      ['resources/list', {}],
      ...readsOf('file:///a'),
      ...readsOf('note:///01ARZ3NDEKTSV4RRFFQ69G5FAV'),
      ...readsOf('note:///searching/'),
      ...readsOf('app://state/'),
      ...readsOf('https://example.org/'),
      ...readsOf('file:///a//'),
      ...readsOf(7),
      ['tools/call', { name: 'create_note', arguments: null }],
      ['tools/call', { name: 'no tool' }],
      ['tools/call', {}],
      ['prompts/list', {}],
    ];
    for (const request of light) await client.answerTo(post(request));
    expect(held.begunCount).to.equal(4);
  });
});

describe('a resource of an app whose uri ends in a slash', () => {
  it('is read by any number of requests at the same time', async () => {
    const app = new HeldProvider('app://state/');
    const linked = await openLinkedServer(undefined, { providers: [notes(), files(), app] });
    const client = linked.connectRaw();
    const reads = Array.from({ length: MANY }, () =>
      client.modern('resources/read', { uri: 'app://state/' }),
    );
    await eventually(() => app.begunCount >= MANY);
    app.release();
    for (const answer of await Promise.all(reads)) {
      expect(resultOf(answer)).to.have.nested.property('contents[0].text', 'state');
    }
    await linked.server.close();
    await deleteDatabase(linked.databaseName);
  });
});
