import { expect } from '@esm-bundle/chai';
import type { Access } from '@inpage-mcp/server';
import { IDEMPOTENCY_KEY_TTL_MS, MAX_TEXT_BYTES, type Store } from '@inpage-mcp/store';
import { putRecords } from '../support/database.js';
import { useLinkedServer } from '../support/linked-server.js';
import { RawClient } from '../support/raw-client.js';
import { errorOf } from '../support/revisions.js';
import { ToolCaller } from '../support/tool-caller.js';

const MISSING_ID = '01ARZ3NDEKTSV4RRFFQ69G5FAV';

describe('the question about a write', () => {
  const linked = useLinkedServer();
  let asked: string[];
  let tools: ToolCaller;

  beforeEach(() => {
    asked = [];
    linked.server.confirm = ({ message }) => asked.push(message) > 0;
    tools = new ToolCaller(linked.connectRaw({ write: 'ask' }), 'modern');
  });

  it('says what is about to happen to which note', async () => {
    const { notes } = linked.server.store;
    const { id } = await notes.create({ title: '', text: 't' });
    await tools.call('update_note', { id, text: 'x', priority: null });
    await tools.call('append_to_note', { id: `note:///${id}`, text: 'x' });
    await tools.call('delete_note', { id });
    const note = `the note "Untitled note" (note:///${id})`;
    expect(asked).to.deep.equal([
      `Change the text, priority of ${note}?`,
      `Add to ${note}?`,
      `Delete ${note}?`,
    ]);
  });

  it('says what is about to happen to which file, and whether one is lost', async () => {
    const path = `${'x'.repeat(100)}/a.txt`;
    await tools.call('save_file', { path, text: '' });
    await tools.call('save_file', { path: `file:///${path}`, text: '' });
    await tools.call('move_file', { from: path, to: 'b', overwrite: true });
    await tools.call('save_file', { path, text: '' });
    await tools.call('move_file', { from: path, to: 'b', overwrite: true });
    await tools.call('delete_file', { path: 'b' });
    expect(asked).to.deep.equal([
      `Save a new file "${path}"?`,
      `Save over the file "${path}"?`,
      `Move the file "${path}" to "b"?`,
      `Save a new file "${path}"?`,
      `Move the file "${path}" over the file "b"?`,
      'Delete the file "b"?',
    ]);
  });

  it('holds a title on one line, cut, and unable to pass for our own words', async () => {
    const title = 'x" (safe)?\r\n\u202eDelete\0 \u{1f600}';
    await tools.call('create_note', { title: title + '\u{1f600}'.repeat(100), text: '' });
    const shown = `x' (safe)? Delete ${'\u{1f600}'.repeat(80 - 18)}`;
    expect(asked).to.deep.equal([`Create the note "${shown}…"?`]);
  });

  it('is not put for what is missing, which is said instead', async () => {
    for (const [name, args] of [
      ['update_note', { id: MISSING_ID, text: 'x' }],
      ['append_to_note', { id: MISSING_ID, text: 'x' }],
      ['delete_note', { id: MISSING_ID }],
      ['move_file', { from: 'a', to: 'b' }],
      ['delete_file', { path: 'a' }],
    ] as const) {
      expect(await tools.failure(name, args), name).to.match(/^There is no (note|file) /);
    }
    expect(await tools.failure('save_file', { path: '/', text: '' })).to.match(/single slashes/);
    expect(asked).to.deep.equal([]);
  });

  it('names what cannot be read by its uri or path', async () => {
    const id = MISSING_ID;
    await putRecords(linked.databaseName, 'notes', [{ id }]);
    await putRecords(linked.databaseName, 'files', [{ path: 'a' }]);
    await tools.call('save_file', { path: 'a', text: '' });
    await tools.call('delete_note', { id });
    expect(asked).to.deep.equal(['Save over the file "a"?', `Delete the note note:///${id}?`]);
  });

  it('is put before anything is written, whatever the size', async () => {
    const { store } = linked.server;
    const written: string[] = [];
    const { transaction } = IDBDatabase.prototype;
    IDBDatabase.prototype.transaction = function (stores, mode, options) {
      if (mode === 'readwrite') written.push(...(typeof stores === 'string' ? [stores] : stores));
      return transaction.call(this, stores, mode, options);
    };
    try {
      // More than one record can hold.
      const large = new Blob([new Uint8Array(17 * 1024 * 1024)]);
      const answer = await store.rehearse(({ files }) => files.write('a', large));
      expect(answer).to.equal(undefined);
    } finally {
      IDBDatabase.prototype.transaction = transaction;
    }
    expect(written).not.to.include('uploads');
    expect(await store.files.count()).to.equal(0);
  });

  it('is put for a write that another holder has done with the same key', async () => {
    const { notes } = linked.server.store;
    const { id } = await notes.create({ title: 'a', text: 't' });
    const guest = (holder: string): ToolCaller => {
      const { port1, port2 } = new MessageChannel();
      linked.server.servePort(port2, { access: { write: 'ask' }, holder });
      return new ToolCaller(new RawClient(port1), 'modern');
    };
    const [one, two] = [guest('https://one.example'), guest('https://two.example')];
    const append = { id, text: 'x', idempotencyKey: 'k' };
    await one.call('append_to_note', append);
    await one.call('append_to_note', append);
    expect(asked).to.have.length(1);
    await two.call('append_to_note', append);
    expect(asked).to.have.length(2);
    expect((await notes.get(id)).text).to.equal('t\nx\nx');
    await one.call('delete_note', { id, idempotencyKey: 'd' });
    expect(await two.failure('delete_note', { id, idempotencyKey: 'd' })).to.match(/^There is no/);
    expect(asked).to.have.length(3);
  });

  it('is not needed for a retry whose key expires before its answer: nothing is written', async () => {
    const { store } = linked.server;
    const { id } = await store.notes.create({ title: 'a', text: 't' });
    const append = { id, text: 'x', idempotencyKey: 'k' };
    await tools.call('append_to_note', append);
    const { now } = Date;
    const { within } = store;
    // Once the call is known to be a retry, the key is too old.
    store.within = (scope) => {
      const view = within(scope);
      const rehearse: typeof view.rehearse = async (work) => {
        const answer = await view.rehearse(work);
        Date.now = () => now() + 2 * IDEMPOTENCY_KEY_TTL_MS;
        return answer;
      };
      return { ...view, rehearse };
    };
    try {
      await new ToolCaller(linked.connectRaw({ write: 'ask' }), 'modern').call(
        'append_to_note',
        append,
      );
    } finally {
      Date.now = now;
    }
    expect(asked).to.have.length(1);
    expect((await store.notes.get(id)).text).to.equal('t\nx');
  });
});

type ToolCall = [name: string, args: { [name: string]: unknown }];

/** More UTF-16 code units than a title may have, and fewer characters. */
const LONG_TITLE = '\u{1f600}'.repeat(600);

/** Calls of each tool that can only be refused. */
async function refusedCalls({ notes, files }: Store): Promise<ToolCall[]> {
  const { id } = await notes.create({ title: 'a', text: 't' }, { idempotencyKey: 'used' });
  await notes.update(id, { text: 'u' });
  const full = await notes.create({ title: 'full', text: 'x'.repeat(MAX_TEXT_BYTES) });
  for (const path of ['a', 'a', 'b']) await files.write(path, new Blob([]));
  const note = { title: 'a', text: '' };
  return [
    ['create_note', { ...note, title: LONG_TITLE }],
    ['create_note', { ...note, tags: [LONG_TITLE.slice(0, 120)] }],
    ['create_note', { ...note, idempotencyKey: 'used' }],
    ['create_note', { ...note, idempotencyKey: 'with\na line break' }],
    ['update_note', { id: MISSING_ID, text: 'x' }],
    ['update_note', { id: 'file:///a', text: 'x' }],
    ['update_note', { id }],
    ['update_note', { id, title: LONG_TITLE }],
    ['update_note', { id, text: 'x', expectedRevision: 1 }],
    ['update_note', { id, text: 'x', idempotencyKey: 'used' }],
    ['append_to_note', { id: MISSING_ID, text: 'x' }],
    ['append_to_note', { id: full.id, text: 'x' }],
    ['append_to_note', { id, text: 'x', expectedRevision: 1 }],
    ['append_to_note', { id, text: 'x', idempotencyKey: 'used' }],
    ['delete_note', { id: MISSING_ID }],
    ['delete_note', { id, expectedRevision: 1 }],
    ['delete_note', { id, idempotencyKey: 'used' }],
    ['save_file', { path: '/', text: '' }],
    ['save_file', { path: 'file:///%', text: '' }],
    ['save_file', { path: '\u20ac'.repeat(300), text: '' }],
    ['save_file', { path: 'a' }],
    ['save_file', { path: 'a', text: '', base64: '' }],
    ['save_file', { path: 'a', text: '\ud800' }],
    ['save_file', { path: 'a', base64: '?' }],
    ['save_file', { path: 'a', text: '', expectedRevision: 1 }],
    ['save_file', { path: 'a', text: '', expectedRevision: 0 }],
    ['save_file', { path: 'new', text: '', expectedRevision: 1 }],
    ['save_file', { path: 'a', text: '', idempotencyKey: 'used' }],
    ['move_file', { from: 'none', to: 'new' }],
    ['move_file', { from: 'a', to: 'a' }],
    ['move_file', { from: 'a', to: 'b' }],
    ['move_file', { from: 'a', to: '/' }],
    ['move_file', { from: 'a', to: 'new', expectedRevision: 1 }],
    ['move_file', { from: 'a', to: 'new', idempotencyKey: 'used' }],
    ['delete_file', { path: 'none' }],
    ['delete_file', { path: 'a', expectedRevision: 1 }],
    ['delete_file', { path: 'a', idempotencyKey: 'used' }],
  ];
}

const FORMS = { elicitation: { form: {} } };

/** The page is asked in the same way in both eras. */
for (const [who, era, capabilities] of [
  ['the page', 'modern', {}],
  ['the client', 'modern', FORMS],
  ['the client', 'legacy', FORMS],
] as const) {
  describe(`the question to ${who}, in the ${era} era`, () => {
    const linked = useLinkedServer();
    let asked: string[];

    beforeEach(() => {
      asked = [];
      linked.server.confirm = ({ message }) => asked.push(message) > 0;
    });

    /** Of a client that is asked in the legacy era, the user declines. */
    const callerOf = (access: Access): ToolCaller => {
      const client = linked.connectRaw(access);
      client.port.addEventListener('message', ({ data }) => {
        if (data?.method !== 'elicitation/create') return;
        asked.push(data.params.message);
        const result = { action: 'decline' };
        client.port.postMessage({ jsonrpc: '2.0', id: data.id, result });
      });
      return new ToolCaller(client, era, capabilities);
    };

    it('is not put if the call is refused anyway, with or without a key', async () => {
      const calls = await refusedCalls(linked.server.store);
      const [free, asking] = [callerOf({}), callerOf({ write: 'ask' })];
      for (const [name, args] of calls) {
        for (const more of [{}, { idempotencyKey: 'new' }]) {
          const call = { ...more, ...args };
          const message = await free.failure(name, call);
          const what = `${name} ${JSON.stringify(call)}`;
          expect(await asking.failure(name, call), what).to.equal(message);
          expect(asked, what).to.deep.equal([]);
        }
      }
    });

    it('is not put for what is outside of the access, with or without a key', async () => {
      const { notes, files } = linked.server.store;
      const own = await notes.create({ title: 'own', text: 't' });
      const { id } = await notes.create({ title: 'secret', text: 't' });
      for (const path of ['open/a', 'secret/b']) await files.write(path, new Blob([]));
      const read = [`note:///${own.id}`, 'file:///open/'];
      const [free, asking] = [callerOf({ read }), callerOf({ read, write: 'ask' })];
      const create = { name: 'create_note', arguments: { title: 'a', text: 't' } };
      expect(errorOf(await asking.request('tools/call', create)).code).to.equal(-32602);
      for (const [name, args] of [
        ['update_note', { id, text: 'x' }],
        ['append_to_note', { id, text: 'x' }],
        ['delete_note', { id }],
        ['save_file', { path: 'secret/b', text: 'x' }],
        ['save_file', { path: 'secret/c', text: 'x' }],
        ['move_file', { from: 'open/a', to: 'secret/a' }],
        ['move_file', { from: 'open/a', to: 'secret/b', overwrite: true }],
        ['move_file', { from: 'secret/b', to: 'open/b' }],
        ['delete_file', { path: 'secret/b' }],
      ] as const) {
        for (const more of [{}, { idempotencyKey: 'new' }]) {
          const message = await free.failure(name, { ...args, ...more });
          expect(await asking.failure(name, { ...args, ...more }), name).to.equal(message);
          expect(asked, name).to.deep.equal([]);
        }
      }
    });

    it('is not put for the retry of a write that was done: its answer is repeated', async () => {
      const { store } = linked.server;
      const { id } = await store.notes.create({ title: 'a', text: 't' });
      const [free, asking] = [callerOf({}), callerOf({ write: 'ask' })];
      for (const [name, args] of [
        ['create_note', { title: 'b', text: 't' }],
        ['update_note', { id, text: 'x' }],
        ['append_to_note', { id, text: 'x' }],
        ['delete_note', { id }],
        ['save_file', { path: 'a', text: 'x' }],
        ['move_file', { from: 'a', to: 'b' }],
        ['delete_file', { path: 'b' }],
      ] as const) {
        const call = { ...args, idempotencyKey: name };
        const { content, structuredContent } = await free.call(name, call);
        const { head } = store.changes;
        const again = await asking.call(name, call);
        expect(again).to.deep.include({ content, structuredContent });
        expect(asked, name).to.deep.equal([]);
        expect(store.changes.head).to.deep.equal(head);
      }
    });
  });
}
