import { blobOf, rangeOf } from '@inpage-mcp/client';
import { startRuntime, type Runtime } from '@inpage-mcp/runtime';
import { expect } from '@esm-bundle/chai';
import { countRecords, deleteDatabase, freshDatabaseName } from '../../support/database.js';
import { sizeOf } from '../../support/test-size.js';
import { eventually } from '../../support/within.js';
import { ownOrigin, Tab, usedHeapBytes } from '../browser.js';

const MIB = 1024 * 1024;
const COUNT = 64;
const URI = 'file:///large.bin';

describe('a file that is larger than a message', () => {
  let runtime: Runtime;
  let databaseName: string;

  before(async () => {
    databaseName = freshDatabaseName();
    runtime = await startRuntime({ databaseName });
    const pieces = Array.from({ length: COUNT }, (_, index) => new Uint8Array(MIB).fill(index));
    await runtime.files.write('large.bin', new Blob(pieces));
  });

  after(async () => {
    await runtime.close();
    await deleteDatabase(databaseName);
  });

  const around = async (blob: Blob, at: number): Promise<number[]> => [
    ...new Uint8Array(await blob.slice(at - 1, at + 1).arrayBuffer()),
  ];

  it('comes in ranges to a client that takes no Blobs', async () => {
    const client = await runtime.connect();
    const pieces: Blob[] = [];
    for (let offset = 0; offset < COUNT * MIB; offset += 16 * MIB) {
      const range = { offset, length: 16 * MIB };
      const { contents } = await client.readResource(URI, { range });
      expect(rangeOf(contents[0]!)).to.deep.equal({ ...range, size: COUNT * MIB });
      pieces.push(blobOf(contents[0]!));
    }
    const whole = new Blob(pieces);
    expect(whole.size).to.equal(COUNT * MIB);
    for (const mib of [16, 32, 63]) {
      expect(await around(whole, mib * MIB)).to.deep.equal([mib - 1, mib]);
    }
  });

  // The last one, as it ends the worker.
  it('comes from the worker as a Blob, which outlives the worker', async () => {
    const client = await runtime.connect({ blobs: true });
    const { contents } = await client.readResource(URI);
    const blob = blobOf(contents[0]!);
    expect(blob.size).to.equal(COUNT * MIB);
    await runtime.close();
    expect(await around(blob, 41 * MIB)).to.deep.equal([40, 41]);
  });
});

const SIZE_MIB = sizeOf({ ci: 128, soak: 1_024 });

describe(`a file of ${SIZE_MIB} MiB`, () => {
  const PIECE = 16 * MIB;
  const SIZE = SIZE_MIB * MIB;
  let runtime: Runtime;
  let databaseName: string;

  beforeEach(async () => {
    databaseName = freshDatabaseName();
    runtime = await startRuntime({ databaseName });
  });

  afterEach(async () => {
    await runtime.close();
    await deleteDatabase(databaseName);
  });

  /** As large as is wanted, of which the page holds little: always the same two pieces in turn. */
  const largeBlob = (): Blob => {
    const pieces = [1, 2].map((value) => new Blob([new Uint8Array(PIECE).fill(value)]));
    return new Blob(Array.from({ length: SIZE / PIECE }, (_, index) => pieces[index % 2]!));
  };

  // Needs as much room on the disk.
  it('is written with progress, read in ranges, verified, and never in memory', async () => {
    const progress: number[] = [];
    const file = await runtime.files.write('large.bin', largeBlob(), {
      onProgress: (done, total) => {
        expect(total).to.equal(SIZE);
        progress.push(done);
      },
    });
    expect(file).to.include({ size: SIZE, revision: 1 });
    expect(progress.length).to.be.greaterThan(10);
    expect(progress).to.deep.equal(progress.toSorted((a, b) => a - b));
    expect(progress.at(-1)).to.equal(SIZE);
    const { blob } = await runtime.files.read('large.bin');
    expect(blob.size).to.equal(SIZE);
    const pieces = SIZE / PIECE;
    for (const piece of [1, pieces / 2, pieces - 1]) {
      const bytes = new Uint8Array(
        await blob.slice(piece * PIECE - 1, piece * PIECE + 64 * 1024).arrayBuffer(),
      );
      expect(bytes.length).to.equal(64 * 1024 + 1);
      expect([bytes[0], bytes[1], bytes.at(-1)]).to.deep.equal(
        piece % 2 === 1 ? [1, 2, 2] : [2, 1, 1],
      );
    }
    const client = await runtime.connect();
    const range = { offset: SIZE / 2 - 1, length: 2 };
    const { contents } = await client.readResource('file:///large.bin', { range });
    expect([...new Uint8Array(await blobOf(contents[0]!).arrayBuffer())]).to.deep.equal([2, 1]);
    expect((await runtime.files.verify('large.bin')).state).to.equal('intact');
    expect(await usedHeapBytes()).to.be.lessThan(128 * MIB);
  });

  it('leaves nothing of itself when it is cancelled on the way', async () => {
    const controller = new AbortController();
    const reason = new Error('no longer wanted');
    const writing = runtime.files.write('large.bin', largeBlob(), {
      signal: controller.signal,
      onProgress: (done) => done > 3 * PIECE && controller.abort(reason),
    });
    expect(await writing.catch((error: unknown) => error)).to.equal(reason);
    // The page knows at once, the worker a message later.
    await eventually(async () => (await countRecords(databaseName))['uploads'] === 0);
    expect(await countRecords(databaseName)).to.include({
      files: 0,
      'file-bytes': 0,
      'file-pieces': 0,
    });
  });
});

describe('a large file without room for all of it', () => {
  it('is refused in the middle, leaves nothing, and is written once there is room', async () => {
    const databaseName = freshDatabaseName();
    const tab = await Tab.open(ownOrigin());
    try {
      // First: Chromium remembers for a while how much room there is.
      await tab.limitRoom(80 * MIB);
      await tab.call('start', { databaseName });
      expect(await tab.call('writeFile', { path: 'first', mib: 30 })).to.equal('written');
      const counts = async (): Promise<object> => {
        const counted = await tab.call<{ [store: string]: number }>('countRecords', {
          databaseName,
        });
        // The others come and go by themselves, a moment after the start and after a change.
        const names = ['files', 'file-bytes', 'file-pieces', 'uploads', 'head', 'log', 'once'];
        return Object.fromEntries(names.map((name) => [name, counted[name]]));
      };
      const before = await counts();
      expect(await tab.call('writeFile', { path: 'second', mib: 70 })).to.equal('quota-exceeded');
      expect(await counts()).to.deep.equal(before);
      // The browser deletes the bytes of what was refused or deleted some time after.
      const writeUntilThereIsRoom = async (path: string, mib: number): Promise<void> => {
        const write = () => tab.call<string>('writeFile', { path, mib });
        await eventually(async () => (await write()) === 'written');
      };
      await writeUntilThereIsRoom('small', 1);
      await tab.call('deleteFile', { path: 'first' });
      await writeUntilThereIsRoom('second', 40);
    } finally {
      await tab.close();
    }
  });
});
