import { expect } from '@esm-bundle/chai';
import { MAX_FILE_BYTES, type FileWriteOptions, type Store } from '@inpage-mcp/store';
import { failureOf } from '../support/failure.js';
import { expectMarked, expectStored } from './large-blobs.js';
import { markedBlob, MIB, PIECE, piecesOf, WHOLE } from './marked-blob.js';
import { codeOf, useStore } from './store-under-test.js';
import { casesOf } from '../support/test-size.js';

const SIZE = 2 * PIECE + 1;

/** WebKit (2.50) may delete the bytes of a record that is gone while they can still be asked for. */
const MAY_BE_GONE = WHOLE < PIECE;

/** Fails where other bytes are read than were written. */
async function expectMarkedOrGone(blob: Blob, mark: number): Promise<void> {
  try {
    await expectMarked(blob, SIZE, mark);
  } catch (error) {
    if (!(MAY_BE_GONE && error instanceof DOMException && error.name === 'NotFoundError'))
      throw error;
  }
}

describe('a large file', () => {
  const test = useStore();

  it('is moved without its pieces being written again, over another large one', async () => {
    const { files } = test.store;
    const file = await files.write('a', markedBlob(SIZE, 1));
    await files.write('b', markedBlob(SIZE, 2));
    const { put } = IDBObjectStore.prototype;
    const written: string[] = [];
    IDBObjectStore.prototype.put = function counted(...args) {
      written.push(this.name);
      return put.apply(this, args);
    };
    try {
      await files.move('a', 'b', { overwrite: true });
    } finally {
      IDBObjectStore.prototype.put = put;
    }
    expect(written).not.to.include('file-pieces');
    expect(await files.get('b')).to.include({ size: SIZE, revision: 2, digest: file.digest });
    await expectMarked((await files.read('b')).blob, SIZE, 1);
    await expectStored(test.name, { files: 1, pieces: 3 });
    await files.move('b', 'c/d');
    await expectMarked((await files.read('c/d')).blob, SIZE, 1);
  });

  it('is stored in pieces from one byte past what is stored as a whole', async () => {
    const { files } = test.store;
    await files.write('a', markedBlob(WHOLE, 1));
    await expectStored(test.name, { files: 1, pieces: 0 });
    await files.write('a', markedBlob(WHOLE + 1, 2));
    await expectStored(test.name, { files: 1, pieces: piecesOf(WHOLE + 1) });
    await expectMarked((await files.read('a')).blob, WHOLE + 1, 2);
  });

  it('goes with all its pieces when it is deleted or overwritten, and no others', async () => {
    const { files } = test.store;
    for (const [index, path] of ['a', 'b', 'c'].entries()) {
      await files.write(path, markedBlob(SIZE, index));
    }
    await files.delete('a');
    await expectStored(test.name, { files: 2, pieces: 6 });
    await files.write('b', new Blob(['small']));
    await expectStored(test.name, { files: 2, pieces: 3 });
    await files.write('b', markedBlob(SIZE, 9));
    await files.write('small', new Blob(['small']));
    await files.move('small', 'b', { overwrite: true });
    await expectStored(test.name, { files: 2, pieces: 3 });
    await expectMarked((await files.read('c')).blob, SIZE, 2);
    expect(await codeOf(files.read('a'))).to.equal('not-found');
  });

  it('that is being read stays what it was when it is overwritten or deleted', async () => {
    const { files } = test.store;
    await files.write('a', markedBlob(SIZE, 1));
    const { blob } = await files.read('a');
    await files.write('a', markedBlob(SIZE, 2));
    const second = await files.read('a');
    await files.delete('a');
    await expectMarkedOrGone(blob, 1);
    await expectMarkedOrGone(second.blob, 2);
  });

  it('is read in a range without the rest', async () => {
    await test.store.files.write('a', markedBlob(SIZE, 1));
    const { arrayBuffer } = Blob.prototype;
    const read: number[] = [];
    Blob.prototype.arrayBuffer = async function counted(this: Blob) {
      read.push(this.size);
      return await arrayBuffer.call(this);
    };
    try {
      const { blob } = await test.store.files.read('a');
      const bytes = new Uint8Array(await blob.slice(PIECE - 1, PIECE + 1).arrayBuffer());
      expect([...bytes]).to.deep.equal([PIECE / MIB, PIECE / MIB + 1]);
    } finally {
      Blob.prototype.arrayBuffer = arrayBuffer;
    }
    expect(read).to.deep.equal([2]);
  });

  it('may have as many bytes as the limit says, and not one more', async () => {
    // Refers to the same MiB again and again: it takes no room of its own.
    let largest = new Blob([new Uint8Array(MIB)]);
    while (largest.size < MAX_FILE_BYTES) largest = new Blob(Array(16).fill(largest));
    expect(largest.size).to.equal(MAX_FILE_BYTES);
    const { files } = test.store;
    const larger = new Blob([largest, new Uint8Array(1)]);
    expect(await codeOf(files.write('a', larger))).to.equal('invalid-argument');
    // Begun, and no more than that.
    const enough = new AbortController();
    const onProgress = (): void => enough.abort();
    const writing = files.write('a', largest, { signal: enough.signal, onProgress });
    expect(await failureOf(writing)).to.equal(enough.signal.reason);
    expect((await files.list()).files).to.deep.equal([]);
  });

  describe('of two that are written to one path at once', () => {
    let other: Store;

    beforeEach(async () => {
      other = await test.openTab();
    });

    /** Writes one from each tab, the first given a start of so many bytes. */
    const race = async (
      headStartBytes: number,
      [first, second]: [Store, Store],
      sizes: [number, number],
      options: FileWriteOptions = {},
    ): Promise<PromiseSettledResult<{ revision: number }>[]> => {
      let started!: () => void;
      const start = new Promise<void>((resolve) => (started = resolve));
      const one = first.files.write('a', markedBlob(sizes[0], 1), {
        ...options,
        onProgress: (done) => done >= headStartBytes && started(),
      });
      if (headStartBytes > 0) await start;
      const two = second.files.write('a', markedBlob(sizes[1], 101), options);
      return await Promise.allSettled([one, two]);
    };

    /** Two pieces: enough to be mixed up. */
    const raced = PIECE + MIB;
    const cases: [name: string, headStart: number, sizes: [number, number]][] = [
      ['both large', 0, [raced, raced]],
      ['both large, the first ahead', PIECE + MIB, [raced, raced]],
      ['the first larger and overtaken', MIB, [2 * PIECE + 1, PIECE + 1]],
      ['the second small', MIB, [raced, 10]],
    ];
    for (const [name, headStart, sizes] of casesOf(cases)) {
      for (const isOther of casesOf([false, true])) {
        const order = isOther ? ', from the other tab' : '';

        it(`the last one to be done stays, and never a mixture (${name}${order})`, async () => {
          const tabs: [Store, Store] = isOther ? [other, test.store] : [test.store, other];
          const outcomes = await race(headStart, tabs, sizes);
          const revisions = outcomes.map(
            (outcome) => outcome.status === 'fulfilled' && outcome.value.revision,
          );
          expect(revisions).to.have.members([1, 2]);
          const last = revisions.indexOf(2);
          const { blob } = await other.files.read('a');
          await expectMarked(blob, sizes[last]!, [1, 101][last]!);
          expect((await test.store.files.verify('a')).state).to.equal('intact');
          const pieces = sizes[last]! > PIECE ? Math.ceil(sizes[last]! / PIECE) : 0;
          await expectStored(test.name, { files: 1, pieces });
        });

        it(`one is a conflict where a revision is expected (${name}${order})`, async () => {
          const tabs: [Store, Store] = isOther ? [other, test.store] : [test.store, other];
          const outcomes = await race(headStart, tabs, sizes, { expectedRevision: 0 });
          const kept = outcomes.findIndex(({ status }) => status === 'fulfilled');
          const refused = outcomes[1 - kept] as PromiseRejectedResult;
          expect(await codeOf(Promise.reject(refused.reason as Error))).to.equal('conflict');
          const { file, blob } = await other.files.read('a');
          expect(file.revision).to.equal(1);
          await expectMarked(blob, sizes[kept]!, [1, 101][kept]!);
          const pieces = sizes[kept]! > PIECE ? Math.ceil(sizes[kept]! / PIECE) : 0;
          await expectStored(test.name, { files: 1, pieces });
        });
      }
    }
  });
});
