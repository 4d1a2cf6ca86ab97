import { expect } from '@esm-bundle/chai';
import type { FileWriteOptions } from '@inpage-mcp/store';
// Internal to the package: when the store does it by itself is a matter of time.
import { Database } from '../../packages/store/src/database/database.js';
import { removeAbandoned } from '../../packages/store/src/files/file-uploads.js';
import type { PiecedBytes } from '../../packages/store/src/schema/schema.js';
import { answerOf, completionOf, countRecords } from '../support/database.js';
import { failureOf } from '../support/failure.js';
import { expectMarked, expectStored, watchingRequests } from './large-blobs.js';
import { markedBlob, MIB, PIECE } from './marked-blob.js';
import { codeOf, useStore } from './store-under-test.js';
import { casesOf } from '../support/test-size.js';
import { eventually } from '../support/within.js';

const SIZE = 2 * PIECE + 1;
const DAY_MS = 24 * 60 * 60 * 1000;

describe('the upload of a large file', () => {
  const test = useStore();

  const write = (options: FileWriteOptions = {}, path = 'a') =>
    test.store.files.write(path, markedBlob(SIZE, 3), options);
  const clean = async (): Promise<void> => {
    const database = new Database(test.name);
    await removeAbandoned(database);
    database.close();
  };
  const uploads = async (): Promise<string[]> => {
    const database = await answerOf(indexedDB.open(test.name));
    const keys = await answerOf(
      database.transaction('uploads').objectStore('uploads').getAllKeys(),
    );
    database.close();
    return keys as string[];
  };

  it('reports how far it is, and all of it only once the file is there', async () => {
    const progress: number[] = [];
    let whenWritten = 0;
    test.store.changes.listen(() => (whenWritten = progress.length));
    await write({
      onProgress: (done, total) => {
        expect(total).to.equal(SIZE);
        progress.push(done);
      },
    });
    const expected = Array.from({ length: SIZE / MIB }, (_, index) => (index + 1) * MIB);
    expect(progress).to.deep.equal([...expected, SIZE]);
    expect(whenWritten).to.equal(progress.length - 1);
  });

  it('reports a small file and an empty one, too, and outlives a listener that throws', async () => {
    const { reportError } = globalThis;
    const reported: unknown[] = [];
    globalThis.reportError = (error) => reported.push(error);
    const progress: [number, number][] = [];
    const onProgress = (done: number, total: number): void => {
      progress.push([done, total]);
      throw new Error('broken');
    };
    try {
      await test.store.files.write('a', new Blob(['one']), { onProgress });
      await test.store.files.write('a', new Blob([]), { onProgress });
      expect(progress.map(String)).to.deep.equal(['3,3', '0,0']);
      await write({ onProgress });
    } finally {
      globalThis.reportError = reportError;
    }
    expect(reported).to.have.length(progress.length);
    await expectStored(test.name, { files: 1, pieces: 3 });
  });

  it('shows nothing of itself before it is done, and lets others write until then', async () => {
    await test.store.files.write('a', new Blob(['before']));
    const other = await test.openTab();
    const seen: Promise<number>[] = [];
    const read = async (count: number): Promise<number> => {
      await other.files.write(`small/${count}`, new Blob(['small']));
      return (await other.files.read('a')).blob.size;
    };
    // Long enough that the last read ends before it does.
    const size = 6 * PIECE;
    await test.store.files.write('a', markedBlob(size, 3), {
      onProgress: (done) => done < 4 * MIB && done % MIB === 0 && seen.push(read(done)),
    });
    expect(await Promise.all(seen)).to.deep.equal(Array(3).fill('before'.length));
    await expectMarked((await other.files.read('a')).blob, size, 3);
    expect(await other.files.count()).to.equal(4);
  });

  const moments: [name: string, doneBytes: number][] = [
    ['after the first MiB', MIB],
    ['in the middle of a piece', PIECE + MIB],
    ['at the end of a piece', PIECE],
    ['when all but the last byte are stored', 2 * PIECE],
  ];
  for (const [name, at] of casesOf(moments)) {
    it(`leaves nothing when it is cancelled ${name}`, async () => {
      const reason = new Error('cancelled');
      const controller = new AbortController();
      const onProgress = (done: number): void => {
        if (done === at) controller.abort(reason);
      };
      const before = await test.store.files.write('a', new Blob(['before']));
      const writing = write({ signal: controller.signal, onProgress });
      expect(await failureOf(writing)).to.equal(reason);
      await expectStored(test.name, { files: 1, pieces: 0 });
      expect((await test.store.files.read('a')).file).to.deep.equal(before);
      expect(test.changes).to.have.length(1);
    });
  }

  for (const storeName of ['uploads', 'file-pieces', 'files', 'file-bytes', 'head', 'once']) {
    it(`leaves nothing when it is cancelled while it writes to "${storeName}"`, async () => {
      const reason = new Error('cancelled');
      const controller = new AbortController();
      const { signal } = controller;
      await watchingRequests(
        'put',
        storeName,
        () => controller.abort(reason),
        async () => {
          expect(await failureOf(write({ signal, idempotencyKey: 'key' }))).to.equal(reason);
        },
      );
      await expectStored(test.name, { files: 0, pieces: 0 });
      expect(await countRecords(test.name)).to.include({ once: 0 });
    });
  }

  it('leaves nothing when the bytes change while they are read', async function () {
    // WebKitGTK has no files that a script may change.
    if (!('getDirectory' in StorageManager.prototype)) this.skip();
    const folder = await navigator.storage.getDirectory();
    const handle = await folder.getFileHandle(test.name, { create: true });
    const fill = async (mark: number): Promise<void> => {
      const writable = await handle.createWritable();
      await writable.write(markedBlob(SIZE, mark));
      await writable.close();
    };
    await fill(1);
    const file = await handle.getFile();
    const access = await handle.createWritable();
    await access.write(markedBlob(SIZE, 2));
    let closing: Promise<void> | undefined;
    const writing = test.store.files.write('a', file, {
      onProgress: (done) => {
        if (done === MIB) closing = access.close();
      },
    });
    try {
      expect(await codeOf(writing)).to.equal('unreadable');
      await closing;
      await expectStored(test.name, { files: 0, pieces: 0 });
    } finally {
      await folder.removeEntry(test.name);
    }
  });

  it('leaves nothing when the revision is another in the end', async () => {
    const onProgress = (done: number): void => {
      if (done === MIB) void test.store.files.write('a', new Blob(['faster']));
    };
    expect(await codeOf(write({ expectedRevision: 0, onProgress }))).to.equal('conflict');
    await expectStored(test.name, { files: 1, pieces: 0 });
    expect(await (await test.store.files.read('a')).blob.text()).to.equal('faster');
  });

  it('leaves nothing when everything is cleared before its end', async () => {
    let clearing: Promise<void> | undefined;
    const onProgress = (done: number): void => {
      if (done === MIB) clearing = test.store.clear();
    };
    expect(await codeOf(write({ onProgress }))).to.equal('failed');
    await clearing;
    await expectStored(test.name, { files: 0, pieces: 0 });
  });

  it('is not begun again by a retry with its key, which resolves with what it did', async () => {
    const file = await write({ idempotencyKey: 'key' });
    await test.store.files.update('a', { priority: 1 });
    let puts = 0;
    const count = (): void => {
      puts += 1;
    };
    const progress: number[] = [];
    const again = await watchingRequests('put', 'uploads', count, () =>
      write({ idempotencyKey: 'key', onProgress: (done) => progress.push(done) }),
    );
    expect(again).to.deep.equal(file);
    expect(puts).to.equal(0);
    expect(progress).to.deep.equal([SIZE]);
    const other = test.store.files.write('a', markedBlob(SIZE, 4), { idempotencyKey: 'key' });
    expect(await codeOf(other)).to.equal('conflict');
    await expectStored(test.name, { files: 1, pieces: 3 });
  });

  it('is done once when it is called twice at once with a key', async () => {
    const other = await test.openTab();
    const [one, two] = await Promise.all([
      write({ idempotencyKey: 'key' }),
      other.files.write('a', markedBlob(SIZE, 3), { idempotencyKey: 'key' }),
    ]);
    expect(two).to.deep.equal(one);
    expect(one.revision).to.equal(1);
    await expectStored(test.name, { files: 1, pieces: 3 });
  });

  it('is refused past the largest size before anything is stored', async () => {
    let blob = markedBlob(MIB);
    while (blob.size < 64 * 1024 * MIB) blob = new Blob([blob, blob]);
    const writing = test.store.files.write('a', new Blob([blob, 'x']));
    expect(await codeOf(writing)).to.equal('invalid-argument');
    await expectStored(test.name, { files: 0, pieces: 0 });
  });

  it('is deleted later where its store was closed, and not while it goes on', async () => {
    const other = await test.openTab();
    let cleaning: Promise<void> | undefined;
    let isCleaned = false;
    const onProgress = (done: number): void => {
      if (done === PIECE) cleaning = clean().then(() => void (isCleaned = true));
      if (isCleaned) other.close();
    };
    // Long enough that it still goes on when the cleaning is over.
    const writing = other.files.write('a', markedBlob(10 * PIECE), { onProgress });
    expect(await codeOf(writing)).to.equal('closed');
    await cleaning;
    const counts = await countRecords(test.name);
    expect(counts).to.include({ uploads: 1, files: 0 });
    expect(counts['file-pieces']).to.be.above(0);
    await clean();
    await expectStored(test.name, { files: 0, pieces: 0 });
  });

  it('is deleted by the next store that opens when its worker died', async () => {
    const url = new URL('./uploading.worker.js', import.meta.url);
    const worker = new Worker(url, { type: 'module' });
    const half = new Promise((resolve) => (worker.onmessage = ({ data }) => resolve(data)));
    worker.postMessage(test.name);
    expect(await half).to.equal('half');
    await clean();
    expect(await uploads()).to.have.length(1);
    worker.terminate();
    const [content] = await uploads();
    await navigator.locks.request(`inpage-mcp:upload:${content}`, () => undefined);
    await test.reopen();
    // Soon, in the background.
    await eventually(async () => (await uploads()).length === 0);
    await expectStored(test.name, { files: 0, pieces: 0 });
  });

  it('keeps its pieces where it becomes a file at the moment that it would be deleted', async () => {
    await write();
    const database = await answerOf(indexedDB.open(test.name));
    const waiting = database.transaction(['file-bytes', 'uploads'], 'readwrite');
    const { content } = (await answerOf(waiting.objectStore('file-bytes').get('a'))) as PiecedBytes;
    waiting.objectStore('uploads').put(0, content);
    await completionOf(waiting);
    let adoption: Promise<void> | undefined;
    const adopt = (): void => {
      if (adoption) return;
      const adopting = database.transaction('uploads', 'readwrite');
      adopting.objectStore('uploads').delete(content);
      adoption = completionOf(adopting);
    };
    // Between the look whether it is there and its deletion.
    await watchingRequests('getKey', 'uploads', adopt, clean);
    await adoption;
    database.close();
    expect(adoption).to.be.a('promise');
    await expectStored(test.name, { files: 1, pieces: 3 });
    await expectMarked((await test.store.files.read('a')).blob, SIZE, 3);
  });

  it('counts as given up after a day where there are no locks', async () => {
    const database = await answerOf(indexedDB.open(test.name));
    const transaction = database.transaction(['uploads', 'file-pieces'], 'readwrite');
    const now = Date.now();
    for (const [content, since] of [
      ['new', now - DAY_MS + 60_000],
      ['old', now - DAY_MS - 60_000],
    ] as const) {
      transaction.objectStore('uploads').put(since, content);
      transaction.objectStore('file-pieces').put(new Blob(['x']), [content, 0]);
    }
    await completionOf(transaction);
    database.close();
    Object.defineProperty(navigator, 'locks', { value: undefined, configurable: true });
    try {
      await clean();
      expect(await uploads()).to.deep.equal(['new']);
      await write();
      expect(await uploads()).to.deep.equal(['new']);
    } finally {
      Reflect.deleteProperty(navigator, 'locks');
    }
    await clean();
    await expectStored(test.name, { files: 1, pieces: 3 });
  });
});
