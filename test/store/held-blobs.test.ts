import { expect } from '@esm-bundle/chai';
import { usedHeapBytes } from '../scenarios/browser.js';
import { markedBlob, PIECE } from './marked-blob.js';
import { useStore } from './store-under-test.js';
import { itInAll } from '../support/it-in-all.js';
import { eventually } from '../support/within.js';

/** Of how many files they are held at most. */
const MAX_HELD = 256;

/** A file of fewer bytes is read as a whole. */
const SMALL = 256 * 1024;

/** How long after it was read a Blob is given to anyone, a millisecond less: clocks are rounded. */
const USABLE_AFTER_MS = 19;

describe('the Blobs that were read', () => {
  const test = useStore();

  /** References to all Blobs that come out of the database while `run` runs. */
  async function read(run: () => Promise<unknown>): Promise<WeakRef<Blob>[]> {
    const found: WeakRef<Blob>[] = [];
    const { get, getAll } = IDBObjectStore.prototype;
    const look = <Value>(request: IDBRequest<Value>): IDBRequest<Value> => {
      request.addEventListener('success', () => {
        for (const value of [request.result].flat())
          if (value instanceof Blob) found.push(new WeakRef(value));
      });
      return request;
    };
    Object.assign(IDBObjectStore.prototype, {
      get(this: IDBObjectStore, key: IDBValidKey) {
        return look(get.call(this, key));
      },
      getAll(this: IDBObjectStore, ...args: [IDBKeyRange]) {
        return look(getAll.apply(this, args));
      },
    });
    try {
      await run();
    } finally {
      Object.assign(IDBObjectStore.prototype, { get, getAll });
    }
    return found;
  }

  /** How many of them there are once everything was collected that nobody has. */
  async function held(references: WeakRef<Blob>[]): Promise<number> {
    await usedHeapBytes();
    return references.filter((reference) => reference.deref() !== undefined).length;
  }

  /** Fails where this does not come to be. */
  const until = (count: number, references: WeakRef<Blob>[]): Promise<true> =>
    eventually(async () => (await held(references)) === count);

  before(async function () {
    // Only Chromium can be made to collect.
    if ((await usedHeapBytes()) === undefined) this.skip();
  });

  it('are held when nobody has them, until their file is another', async () => {
    const { files } = test.store;
    for (const path of ['deleted', 'overwritten', 'moved'])
      await files.write(path, markedBlob(PIECE + 1));
    await files.write('one', markedBlob(SMALL));
    const blobsOf = (path: string) => read(() => files.read(path));
    const one = await blobsOf('one');
    const deleted = await blobsOf('deleted');
    const overwritten = await blobsOf('overwritten');
    const moved = await blobsOf('moved');
    expect([one, deleted, overwritten, moved].map(({ length }) => length)).to.deep.equal([
      1, 2, 2, 2,
    ]);
    const all = [...one, ...deleted, ...overwritten, ...moved];
    expect(await held(all)).to.equal(7);

    await files.delete('deleted');
    await until(0, deleted);
    await files.write('overwritten', new Blob(['two']));
    await until(0, overwritten);
    await files.move('moved', 'elsewhere');
    await until(0, moved);
    expect(await held(one)).to.equal(1);
    const other = await test.openTab();
    await other.files.delete('one');
    await until(0, one);
  });

  it('are held no more when everything is deleted', async () => {
    await test.store.files.write('a', markedBlob(SMALL));
    const blobs = await read(() => test.store.files.read('a'));
    expect(await held(blobs)).to.equal(1);
    await test.store.clear();
    await until(0, blobs);
  });

  itInAll(`are held of ${MAX_HELD} files, those that were read last`, async () => {
    const { files } = test.store;
    const large = markedBlob(SMALL);
    const paths = Array.from({ length: MAX_HELD + 1 }, (_, index) => `${index}`);
    // Not all at once: on a slow disk the last would wait longer than the store lets a write wait.
    for (const path of paths) await files.write(path, large);
    const references = await read(() =>
      Promise.all(paths.slice(0, MAX_HELD).map((path) => files.read(path))),
    );
    expect(await held(references)).to.equal(MAX_HELD);
    references.push(...(await read(() => files.read(paths.at(-1)!))));
    await until(MAX_HELD, references);
    expect(references[0]!.deref()).to.equal(undefined);
    expect(references.at(-1)!.deref()).not.to.equal(undefined);
  });

  it('are not held of a file of less than 256 KiB, which is read as a whole', async () => {
    await test.store.files.write('a', markedBlob(SMALL - 1));
    const blobs = await read(() => test.store.files.read('a'));
    expect(blobs).to.have.length(1);
    await until(0, blobs);
  });
});

describe('a Blob that was read for the first time', () => {
  const test = useStore();

  /** When the first request of the database has succeeded since this was undefined. */
  let readAt: number | undefined;
  const { get } = IDBObjectStore.prototype;

  beforeEach(() => {
    IDBObjectStore.prototype.get = function noted(key) {
      const request = get.call(this, key);
      request.addEventListener('success', () => (readAt ??= performance.now()));
      return request;
    };
  });

  afterEach(() => {
    IDBObjectStore.prototype.get = get;
  });

  const expectGivenLater = async (): Promise<void> => {
    await test.store.files.read('a');
    expect(performance.now() - readAt!).to.be.at.least(USABLE_AFTER_MS);
  };

  it('is given a moment later, to all who read it then', async () => {
    // In pieces: WebKit stores smaller ones as bytes.
    await test.store.files.write('a', markedBlob(PIECE + 1));
    readAt = undefined;
    await Promise.all([expectGivenLater(), expectGivenLater()]);
    await test.store.files.write('a', markedBlob(PIECE + 2));
    readAt = undefined;
    await expectGivenLater();
  });
});
