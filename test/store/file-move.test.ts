import { expect } from '@esm-bundle/chai';
import type { Annotations, StoreChange } from '@inpage-mcp/store';
import { countRecords } from '../support/database.js';
import { everything } from './every-write.js';
import { PIECE } from './marked-blob.js';
import { codeOf, useStore } from './store-under-test.js';

describe('moving a file', () => {
  const test = useStore();

  it('gives it the new path and keeps everything else', async () => {
    const { files } = test.store;
    const annotations: Annotations = { audience: ['user'], priority: 0.5 };
    const written = await files.write('a.txt', new Blob(['bytes']), annotations);
    const moved = await files.move('a.txt', 'folder/b.png');
    expect(moved).to.deep.equal({
      ...written,
      path: 'folder/b.png',
      updatedAt: moved.updatedAt,
      revision: 2,
    });
    expect(moved.updatedAt).to.be.at.least(written.updatedAt);
    const { file, blob } = await files.read('folder/b.png');
    expect(file).to.deep.equal(moved);
    expect(await blob.text()).to.equal('bytes');
    expect(blob.type).to.equal('text/plain');
    expect(await codeOf(files.read('a.txt'))).to.equal('not-found');
    expect(await countRecords(test.name)).to.include({ files: 1, 'file-bytes': 1 });
  });

  it('reports both paths together', async () => {
    const { files, changes } = test.store;
    const batches: (readonly StoreChange[])[] = [];
    await files.write('a', new Blob(['a']), { mediaType: 'text/plain' });
    await files.write('b', new Blob(['b']), { mediaType: 'text/plain' });
    changes.listen((batch) => batches.push(batch));
    await files.move('a', 'c');
    await files.move('c', 'b', { overwrite: true });
    await files.write('d', new Blob(['d']), { mediaType: 'text/html' });
    await files.move('d', 'b', { overwrite: true });
    const kind = 'file';
    expect(batches.filter((batch) => batch.length > 1)).to.deep.equal([
      [
        { kind, key: 'a', type: 'deleted', listingChanged: true, revision: 1 },
        { kind, key: 'c', type: 'created', listingChanged: true },
      ],
      [
        { kind, key: 'c', type: 'deleted', listingChanged: true, revision: 2 },
        { kind, key: 'b', type: 'updated', listingChanged: false },
      ],
      [
        { kind, key: 'd', type: 'deleted', listingChanged: true, revision: 3 },
        { kind, key: 'b', type: 'updated', listingChanged: true },
      ],
    ]);
  });

  it('replaces another only when asked to, and counts past both revisions', async () => {
    const { files } = test.store;
    const first = await files.write('a', new Blob(['a']), { priority: 1 });
    for (const content of ['b', 'bb', 'bbb']) {
      await files.write('b', new Blob([content]), { audience: ['user'] });
    }
    const stored = await everything(test.store);
    expect(await codeOf(files.move('a', 'b'))).to.equal('conflict');
    expect(await codeOf(files.move('a', 'b', { overwrite: false }))).to.equal('conflict');
    expect(await everything(test.store)).to.deep.equal(stored);
    const moved = await files.move('a', 'b', { overwrite: true });
    const { createdAt } = first;
    expect(moved).to.deep.include({ path: 'b', size: 1, createdAt, priority: 1, revision: 4 });
    expect(moved).not.to.have.property('audience');
    expect(await (await files.read('b')).blob.text()).to.equal('a');
    expect(await files.count()).to.equal(1);
  });

  it('counts past the revision of the file that moves when that is the higher one', async () => {
    const { files } = test.store;
    for (const content of ['1', '2', '3']) await files.write('a', new Blob([content]));
    await files.write('b', new Blob([]));
    expect((await files.move('a', 'b', { overwrite: true })).revision).to.equal(4);
  });

  it('is refused at another revision, of no file, to its own path, and to no path', async () => {
    const { files } = test.store;
    await files.write('a', new Blob(['a']));
    const stored = await everything(test.store);
    expect(await codeOf(files.move('a', 'b', { expectedRevision: 2 }))).to.equal('conflict');
    expect(await codeOf(files.move('b', 'c'))).to.equal('not-found');
    expect(await codeOf(files.move('a', 'a'))).to.equal('invalid-argument');
    expect(await codeOf(files.move('a', 'a', { overwrite: true }))).to.equal('invalid-argument');
    expect(await codeOf(files.move('a', 'b/'))).to.equal('invalid-argument');
    expect(await codeOf(files.move('../a', 'b'))).to.equal('invalid-argument');
    expect(await everything(test.store)).to.deep.equal(stored);
    await files.move('a', 'b', { expectedRevision: 1 });
  });

  it('keeps the bytes of a large file, also when the store is opened again', async () => {
    const bytes = Uint8Array.from({ length: 2 * PIECE + 5 }, (_, index) => (index * 7) % 251);
    await test.store.files.write('a', new Blob([bytes]));
    await test.store.files.move('a', 'b');
    await test.store.files.move('b', 'c/d');
    await test.reopen();
    const { blob } = await test.store.files.read('c/d');
    const kept = new Uint8Array(await blob.arrayBuffer());
    expect(kept.length).to.equal(bytes.length);
    expect(kept.every((byte, index) => byte === bytes[index])).to.be.true;
  });

  it('reads no bytes into memory', async () => {
    await test.store.files.write('a', new Blob(['bytes']));
    const { arrayBuffer, slice, stream, text } = Blob.prototype;
    const reads: string[] = [];
    const originals = { arrayBuffer, slice, stream, text };
    for (const [name, original] of Object.entries(originals)) {
      Object.assign(Blob.prototype, {
        [name](this: Blob, ...args: never[]) {
          reads.push(name);
          return Reflect.apply(original, this, args);
        },
      });
    }
    try {
      await test.store.files.move('a', 'b', { idempotencyKey: 'key' });
    } finally {
      Object.assign(Blob.prototype, originals);
    }
    expect(reads).to.deep.equal([]);
  });
});
