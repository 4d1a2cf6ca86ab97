import { expect } from '@esm-bundle/chai';
import {
  IDEMPOTENCY_KEY_TTL_MS,
  MAX_IDEMPOTENCY_KEY_LENGTH,
  type FileWriteOptions,
  type NoteUpdate,
  type UpdateOptions,
  type Store,
  type StoreError,
} from '@inpage-mcp/store';
import { countRecords, putRecords, readRecords } from '../support/database.js';
import { failureOf } from '../support/failure.js';
import { everything, everyWrite, prepare } from './every-write.js';
import { PIECE } from './marked-blob.js';
import { codeOf, useStore } from './store-under-test.js';

describe('a write with an idempotency key', () => {
  const test = useStore();
  const idempotencyKey = 'a key';

  for (const { name, run } of everyWrite) {
    it(`of ${name} happens once, however often it is repeated`, async () => {
      const id = await prepare(test.store);
      const first = await run(test.store, id, { idempotencyKey });
      const stored = await everything(test.store);
      const changeCount = test.changes.length;
      expect(await run(test.store, id, { idempotencyKey })).to.deep.equal(first);
      await test.reopen();
      expect(await run(test.store, id, { idempotencyKey })).to.deep.equal(first);
      expect(await everything(test.store)).to.deep.equal(stored);
      expect(test.changes).to.have.length(changeCount);
    });

    it(`of ${name} happens once when two tabs make it at the same time`, async () => {
      const id = await prepare(test.store);
      const other = await test.openTab();
      const writes = [test.store, other, test.store, other].map((store) =>
        run(store, id, { idempotencyKey }),
      );
      const [first, ...others] = await Promise.all(writes);
      for (const result of others) expect(result).to.deep.equal(first);
      expect(await countRecords(test.name)).to.include({ once: 1 });
      // A second deletion or move would have been rejected; these would have shown:
      expect(JSON.stringify(await everything(test.store))).not.to.include('"revision":3');
      expect(await test.store.notes.count()).to.be.at.most(2);
    });

    it(`of ${name} leaves no key behind when there is none`, async () => {
      const id = await prepare(test.store);
      await run(test.store, id, {});
      expect(await countRecords(test.name)).to.include({ once: 0 });
    });
  }

  it('is not repeated because another write has the same arguments', async () => {
    const note = { title: '', text: '' };
    await test.store.notes.create(note, { idempotencyKey });
    await test.store.notes.create(note, { idempotencyKey: 'another' });
    await test.store.notes.create(note);
    expect(await test.store.notes.count()).to.equal(3);
  });

  it('takes arguments in any order, and defaults that are spelled out, for the same', async () => {
    const note = { title: 'a', text: 'b' };
    const { id } = await test.store.notes.create(note, { idempotencyKey });
    const again = await test.store.notes.create({ tags: [], ...note }, { idempotencyKey });
    expect(again.id).to.equal(id);
    await test.store.notes.update(id, { text: 'c', title: 'd' }, { idempotencyKey: 'u' });
    await test.store.notes.update(id, { title: 'd', text: 'c' }, { idempotencyKey: 'u' });
    await test.store.files.write('a', new Blob([]));
    await test.store.files.move('a', 'b', { idempotencyKey: 'm' });
    await test.store.files.move('a', 'b', { idempotencyKey: 'm', overwrite: false });
  });

  it('resolves with the record of then and the text of now', async () => {
    const { notes } = test.store;
    const created = await notes.create({ title: 'a', text: 'then' }, { idempotencyKey });
    await notes.update(created.id, { title: 'b', text: 'now' });
    const again = () => notes.create({ title: 'a', text: 'then' }, { idempotencyKey });
    expect(await again()).to.deep.equal({ ...created, text: 'now' });
    await notes.delete(created.id);
    expect(await again()).to.deep.equal({ ...created, text: '' });
    expect(await notes.count()).to.equal(0);
  });

  it('keeps neither text nor bytes for its retries', async () => {
    const { notes, files } = test.store;
    const secret = 'only in the text';
    await notes.create({ title: 'a', text: `first line\n${secret}` }, { idempotencyKey });
    await files.write('a', new Blob([secret]), { idempotencyKey: 'another' });
    const records = await readRecords(test.name, 'once');
    expect(records).to.have.length(2);
    for (const record of records) {
      expect(record).to.have.all.keys('key', 'at', 'fingerprint', 'result');
      expect(JSON.stringify(record)).not.to.include(secret);
    }
  });

  describe('that another write has used', () => {
    const first = { title: 'a', text: 'b', tags: ['c'] };
    const others: [what: string, write: (store: Store) => Promise<unknown>][] = [
      ['title', ({ notes }) => notes.create({ ...first, title: 'x' }, { idempotencyKey })],
      ['text', ({ notes }) => notes.create({ ...first, text: 'x' }, { idempotencyKey })],
      ['tags', ({ notes }) => notes.create({ ...first, tags: ['x'] }, { idempotencyKey })],
      [
        'audience',
        ({ notes }) => notes.create({ ...first, audience: ['user'] }, { idempotencyKey }),
      ],
      ['priority', ({ notes }) => notes.create({ ...first, priority: 0 }, { idempotencyKey })],
      ['operation', ({ files }) => files.write('a', new Blob(['b']), { idempotencyKey })],
    ];
    for (const [what, write] of others) {
      it(`is refused as a conflict with another ${what}`, async () => {
        await test.store.notes.create(first, { idempotencyKey });
        const stored = await everything(test.store);
        const error = (await failureOf(write(test.store))) as StoreError;
        expect(error.code).to.equal('conflict');
        expect(error.message).to.include('"a key"').and.include('another write');
        expect(await everything(test.store)).to.deep.equal(stored);
        expect(test.changes).to.have.length(1);
      });
    }

    const noteUpdates: [update: NoteUpdate, options: UpdateOptions][] = [
      [{}, {}],
      [{ title: 'x' }, {}],
      [{ text: 'x' }, {}],
      [{ tags: ['x'] }, {}],
      [{ audience: ['user'] }, {}],
      [{ audience: null }, {}],
      [{ priority: 1 }, {}],
      [{ priority: null }, {}],
      [{}, { expectedRevision: 1 }],
    ];
    it('is refused for any two updates of a note that differ', async () => {
      const { notes } = test.store;
      for (const [index, written] of noteUpdates.entries()) {
        const { id } = await notes.create(first);
        const key = { idempotencyKey: `update ${index}` };
        const update = (of: string, [change, options]: (typeof noteUpdates)[number]) =>
          notes.update(of, change, { ...options, ...key });
        await update(id, written);
        for (const other of noteUpdates.filter((one) => one !== written)) {
          const what = JSON.stringify([written, other]);
          expect(await codeOf(update(id, other)), what).to.equal('conflict');
        }
        const { id: anotherId } = await notes.create(first);
        expect(await codeOf(update(anotherId, written))).to.equal('conflict');
      }
    });

    it('is refused for any two additions, deletions or moves that differ', async () => {
      const { notes, files } = test.store;
      const options = { idempotencyKey };
      const { id } = await notes.create(first);
      await notes.append(id, 'x', options);
      expect(await codeOf(notes.append(id, 'y', options))).to.equal('conflict');
      expect(await codeOf(notes.append(id, 'x', { ...options, expectedRevision: 1 }))).to.equal(
        'conflict',
      );
      expect(await codeOf(notes.delete(id, options))).to.equal('conflict');
      await files.write('a', new Blob([]));
      await files.move('a', 'b', { idempotencyKey: 'move' });
      for (const [from, to, more] of [
        ['x', 'b', {}],
        ['a', 'x', {}],
        ['a', 'b', { overwrite: true }],
        ['a', 'b', { expectedRevision: 1 }],
      ] as const) {
        const call = files.move(from, to, { idempotencyKey: 'move', ...more });
        expect(await codeOf(call)).to.equal('conflict');
      }
      await notes.delete(id, { idempotencyKey: 'delete' });
      const other = notes.delete(id, { idempotencyKey: 'delete', expectedRevision: 2 });
      expect(await codeOf(other)).to.equal('conflict');
    });

    it('is refused for another operation with the very same arguments', async () => {
      const { notes, files } = test.store;
      const { id } = await notes.create(first);
      await notes.update(id, {}, { idempotencyKey });
      expect(await codeOf(notes.delete(id, { idempotencyKey }))).to.equal('conflict');
      await files.write('a', new Blob([]));
      await files.update('a', {}, { idempotencyKey: 'file' });
      expect(await codeOf(files.delete('a', { idempotencyKey: 'file' }))).to.equal('conflict');
    });

    const text = (content: string) => new Blob([content], { type: 'text/plain' });
    const fileWrites: [path: string, blob: Blob, options: FileWriteOptions][] = [
      ['a', text('one'), {}],
      ['b', text('one'), {}],
      ['a', text('two'), {}],
      ['a', text('three'), {}],
      ['a', new Blob(['one'], { type: 'text/html' }), {}],
      ['a', text('one'), { mediaType: 'text/css' }],
      ['a', text('one'), { audience: ['user'] }],
      ['a', text('one'), { priority: 0.5 }],
      ['a', text('one'), { expectedRevision: 0 }],
    ];
    it('is refused for any two writes of a file that differ', async () => {
      const { files } = test.store;
      for (const [index, write] of fileWrites.entries()) {
        const key = { idempotencyKey: `write ${index}` };
        await files.write(write[0], write[1], { ...write[2], ...key });
        for (const [path, blob, options] of fileWrites.filter((one) => one !== write)) {
          const call = files.write(path, blob, { ...options, ...key });
          expect(await codeOf(call), `${write[0]}, ${path}`).to.equal('conflict');
        }
        for (const path of ['a', 'b']) await files.delete(path).catch(() => undefined);
      }
    });

    it('is refused for large files that differ in one byte, wherever it is', async () => {
      const { files } = test.store;
      const bytes = new Uint8Array(2 * PIECE + 1);
      await files.write('a', new Blob([bytes]), { idempotencyKey });
      await files.write('a', new Blob([bytes]), { idempotencyKey });
      for (const position of [0, PIECE - 1, PIECE, bytes.length - 1]) {
        const other = bytes.slice();
        other[position] = 1;
        const call = files.write('a', new Blob([other]), { idempotencyKey });
        expect(await codeOf(call)).to.equal('conflict');
      }
    });
  });

  it('stores nothing when it fails, so that the key can be used again', async () => {
    const { notes, files } = test.store;
    const { id } = await notes.create({ title: 'a', text: 'b' });
    const options = { idempotencyKey };
    const wrong = { expectedRevision: 7 };
    await files.write('a', new Blob([]));
    await files.write('b', new Blob([]));
    expect(await codeOf(notes.update(id, { text: 'c' }, { ...wrong, ...options }))).to.equal(
      'conflict',
    );
    expect(await codeOf(notes.append(id, 'c', { ...wrong, ...options }))).to.equal('conflict');
    expect(await codeOf(notes.delete('x', options))).to.equal('not-found');
    expect(await codeOf(files.move('a', 'b', options))).to.equal('conflict');
    expect(await codeOf(files.update('x', {}, options))).to.equal('not-found');
    expect(await countRecords(test.name)).to.include({ once: 0 });
    expect(await notes.update(id, { text: 'd' }, options)).to.include({ revision: 2, text: 'd' });
  });

  it('accepts the longest key, and refuses one past it, none at all, and what is no key', async () => {
    const create = (key: unknown) =>
      test.store.notes.create({ title: '', text: '' }, { idempotencyKey: key as string });
    await create('k');
    await create('k'.repeat(MAX_IDEMPOTENCY_KEY_LENGTH));
    for (const bad of ['', 'k'.repeat(MAX_IDEMPOTENCY_KEY_LENGTH + 1), 1, null, {}]) {
      expect(await codeOf(create(bad))).to.equal('invalid-argument');
    }
    expect(await test.store.notes.count()).to.equal(2);
  });

  describe('that is old', () => {
    const create = () => test.store.notes.create({ title: '', text: '' }, { idempotencyKey });
    /** Makes the key look as if it had been used so long ago. */
    const age = async (ageMs: number): Promise<void> => {
      const [record] = await readRecords(test.name, 'once');
      await putRecords(test.name, 'once', [{ ...(record as object), at: Date.now() - ageMs }]);
    };

    it('is known until it expires, and writes again afterwards', async () => {
      const { id } = await create();
      await age(IDEMPOTENCY_KEY_TTL_MS - 60_000);
      expect((await create()).id).to.equal(id);
      await age(IDEMPOTENCY_KEY_TTL_MS);
      const again = await create();
      expect(again.id).not.to.equal(id);
      expect((await create()).id).to.equal(again.id);
      expect(await test.store.notes.count()).to.equal(2);
    });

    it('may come with other arguments once it has expired', async () => {
      await create();
      await age(IDEMPOTENCY_KEY_TTL_MS);
      await test.store.files.write('a', new Blob([]), { idempotencyKey });
      expect(await countRecords(test.name)).to.include({ once: 1 });
    });

    it('is deleted by later writes, at most a hundred by each', async () => {
      const expired = Array.from({ length: 150 }, (_, index) => ({
        key: `expired ${index}`,
        at: Date.now() - IDEMPOTENCY_KEY_TTL_MS - index,
        fingerprint: '',
        result: null,
      }));
      const young = { ...expired[0]!, key: 'young', at: Date.now() };
      await putRecords(test.name, 'once', [...expired, young]);
      await create();
      expect(await countRecords(test.name)).to.include({ once: 50 + 2 });
      await test.store.notes.create({ title: '', text: '' }, { idempotencyKey: 'another' });
      expect(await countRecords(test.name)).to.include({ once: 3 });
    });
  });

  it('works in an insecure context, where texts and bytes count by their length', async () => {
    const { notes, files } = test.store;
    const { subtle } = crypto;
    Object.defineProperty(crypto, 'subtle', { value: undefined, configurable: true });
    try {
      const secret = { title: 'a', text: 'secret' };
      const { id } = await notes.create(secret, { idempotencyKey });
      expect((await notes.create(secret, { idempotencyKey })).id).to.equal(id);
      const longer = { ...secret, text: 'secrets' };
      expect(await codeOf(notes.create(longer, { idempotencyKey }))).to.equal('conflict');
      await files.write('a', new Blob(['one']), { idempotencyKey: 'file' });
      const write = files.write('a', new Blob(['three']), { idempotencyKey: 'file' });
      expect(await codeOf(write)).to.equal('conflict');
      const fingerprints = (await readRecords(test.name, 'once')).map(
        (record) => (record as { fingerprint: string }).fingerprint,
      );
      expect(fingerprints.join()).not.to.include('secret');
    } finally {
      Reflect.deleteProperty(crypto, 'subtle');
    }
    expect(crypto.subtle).to.equal(subtle);
  });
});
