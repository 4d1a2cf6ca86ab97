import { expect } from '@esm-bundle/chai';
import { failureOf } from '../support/failure.js';
import { digestOf } from './large-blobs.js';
import { markedBlob, MIB, PIECE } from './marked-blob.js';
import { codeOf, useStore } from './store-under-test.js';

/** Puts or deletes one value past all code of ours. */
async function tamper(
  name: string,
  store: string,
  change: (store: IDBObjectStore) => void,
): Promise<void> {
  const database = await new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open(name);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  const transaction = database.transaction(store, 'readwrite');
  change(transaction.objectStore(store));
  await new Promise((resolve, reject) => {
    transaction.oncomplete = resolve;
    transaction.onabort = () => reject(transaction.error);
  });
  database.close();
}

describe('verifying a file', () => {
  const test = useStore();

  const stateOf = async (path: string) => (await test.store.files.verify(path)).state;

  it('reads all of it, reports how far it is, and finds it intact', async () => {
    const file = await test.store.files.write('a', markedBlob(2 * MIB + 5));
    const progress: [number, number][] = [];
    const found = await test.store.files.verify('a', {
      onProgress: (done, total) => progress.push([done, total]),
    });
    expect(found).to.deep.equal({ state: 'intact', file });
    expect(progress).to.deep.equal([MIB, 2 * MIB, 2 * MIB + 5].map((done) => [done, 2 * MIB + 5]));
  });

  it('finds other bytes of the same length damaged, and leaves them readable', async () => {
    await test.store.files.write('a', new Blob(['one']));
    await tamper(test.name, 'file-bytes', (store) => store.put(new Blob(['two']), 'a'));
    expect(await stateOf('a')).to.equal('damaged');
    expect(await (await test.store.files.read('a')).blob.text()).to.equal('two');
  });

  it('finds one piece of many exchanged', async () => {
    await test.store.files.write('a', markedBlob(2 * PIECE));
    await tamper(test.name, 'file-pieces', (store) => {
      store.openCursor().onsuccess = ({ target }) => {
        const cursor = (target as IDBRequest<IDBCursorWithValue>).result;
        if ((cursor.key as [string, number])[1] === 0) cursor.continue();
        else cursor.update(markedBlob(PIECE, 99));
      };
    });
    expect(await stateOf('a')).to.equal('damaged');
  });

  it('finds another length, missing bytes and missing pieces damaged, which reading refuses', async () => {
    const { files } = test.store;
    for (const name of ['short', 'none', 'other']) await files.write(name, new Blob(['one']));
    await files.write('large', markedBlob(PIECE + 1));
    await tamper(test.name, 'file-bytes', (store) => store.put(new Blob(['on']), 'short'));
    await tamper(test.name, 'file-bytes', (store) => store.delete('none'));
    await tamper(test.name, 'file-bytes', (store) => store.put('one', 'other'));
    await tamper(test.name, 'file-pieces', (store) => store.clear());
    for (const name of ['short', 'none', 'other', 'large']) {
      expect(await stateOf(name)).to.equal('damaged');
      expect(await codeOf(files.read(name))).to.equal('unreadable');
    }
    await files.write('none', new Blob(['again']));
    await files.write('large', new Blob(['again']));
    expect(await stateOf('none')).to.equal('intact');
    expect(await stateOf('large')).to.equal('intact');
  });

  it('says nothing of a file without a digest, and gives it none', async () => {
    const { digest: _digest, ...file } = await test.store.files.write('a', new Blob(['one']));
    await tamper(test.name, 'files', (store) => store.put(file));
    expect(await test.store.files.verify('a')).to.deep.equal({ state: 'unknown', file });
    expect(await test.store.files.get('a')).to.deep.equal(file);
  });

  it('can be cancelled, and rejects where there is no file', async () => {
    const reason = new Error('enough');
    const controller = new AbortController();
    await test.store.files.write('a', markedBlob(3 * MIB));
    const verifying = test.store.files.verify('a', {
      signal: controller.signal,
      onProgress: () => controller.abort(reason),
    });
    expect(await failureOf(verifying)).to.equal(reason);
    expect(await codeOf(test.store.files.verify('b'))).to.equal('not-found');
  });
});

describe('restoring a file', () => {
  const test = useStore();
  const RECORD = {
    path: 'a/b.txt',
    mediaType: 'text/x-own',
    createdAt: 1_000,
    updatedAt: 2_000,
    revision: 17,
    audience: ['user' as const],
    priority: 0.5,
  };

  for (const size of [5, PIECE + 1]) {
    it(`keeps the record as it was, with ${size} bytes`, async () => {
      const { files } = test.store;
      const blob = markedBlob(size);
      await files.write(RECORD.path, new Blob(['before']), { priority: 1 });
      const options = { expectedRevision: 1, idempotencyKey: 'key' };
      const digest = await digestOf(blob);
      const file = await files.restore({ ...RECORD, digest }, blob, options);
      expect(file).to.deep.equal({ ...RECORD, size, digest });
      expect(await files.get(RECORD.path)).to.deep.equal(file);
      expect((await files.read(RECORD.path)).blob.type).to.equal('text/x-own');
      expect(await files.verify(RECORD.path)).to.deep.equal({ state: 'intact', file });
      expect(await files.restore({ ...RECORD, digest }, blob, options)).to.deep.equal(file);
      expect(await codeOf(files.restore(RECORD, blob, { expectedRevision: 1 }))).to.equal(
        'conflict',
      );
      expect(test.changes.map(({ type }) => type)).to.deep.equal(['created', 'updated']);
    });

    it(`refuses ${size} bytes that are not those of the record`, async () => {
      const digest = await digestOf(new Blob(['others']));
      const restoring = test.store.files.restore({ ...RECORD, digest }, markedBlob(size));
      expect(await codeOf(restoring)).to.equal('unreadable');
      expect(await test.store.files.count()).to.equal(0);
    });
  }

  it('refuses what is no record', async () => {
    const bad: object[] = [
      { path: '../a' },
      { mediaType: 'text' },
      { revision: 0 },
      { revision: 1.5 },
      { createdAt: Number.NaN },
      { updatedAt: '1' },
      { priority: 2 },
      { digest: 1 },
    ];
    for (const change of bad) {
      const record = { ...RECORD, ...change };
      expect(await codeOf(test.store.files.restore(record, new Blob([])))).to.equal(
        'invalid-argument',
      );
    }
  });
});
