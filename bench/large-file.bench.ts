import { openStore, type Store } from '@inpage-mcp/store';
import { answerOf } from './databases.js';
import { measure, must, timed, type Results } from './measure.js';

const ROUNDS = 5;
const MIB = 1024 * 1024;
const PIECE_BYTES = 16 * MIB;
const WRITTEN_BYTES = 64 * MIB;
const READ_BYTES = 1024 * MIB;
const SLICE_BYTES = 64 * 1024;

/**
 * What a large file costs: written, beside bare puts of pieces of the same size; verified; and a
 * slice in the middle of 1 GiB, beside one of a file of 1 MiB. Where the browser keeps the database
 * in memory, as in a private window, so it does the file.
 */
export async function run(): Promise<Results> {
  const store = await openStore(`bench-${crypto.randomUUID()}`);
  const bare = await bareDatabase();
  const written = blobOf(WRITTEN_BYTES);
  await store.files.write('small.bin', blobOf(MIB));
  await store.files.write('verified.bin', written);
  await store.files.write('large.bin', blobOf(READ_BYTES));

  const candidates = [
    timed('bare puts, 64 MiB', () => putPieces(bare, written)),
    timed('files.write, 64 MiB', () => store.files.write('written.bin', written)),
    timed('files.verify, 64 MiB', async () => {
      const { state } = await store.files.verify('verified.bin');
      must(state === 'intact', `the file is ${state}`);
    }),
    timed('64 KiB of a file of 1 MiB', () => readSlice(store, 'small.bin'), { times: 10 }),
    timed('64 KiB of a file of 1 GiB', () => readSlice(store, 'large.bin'), { times: 10 }),
  ];
  return {
    name: 'large-file',
    baseline: 'bare puts, 64 MiB',
    rows: await measure(candidates, { rounds: ROUNDS }),
    comparisons: [['64 KiB of a file of 1 GiB', '64 KiB of a file of 1 MiB']],
  };
}

/** The same bytes again and again, so that they are in memory once. */
function blobOf(sizeBytes: number): Blob {
  const part = new Blob([new Uint8Array(MIB).fill(7)]);
  return new Blob(Array.from({ length: sizeBytes / MIB }, () => part));
}

async function readSlice(store: Store, path: string): Promise<void> {
  const { blob } = await store.files.read(path);
  const middle = blob.size / 2;
  const bytes = await blob.slice(middle, middle + SLICE_BYTES).arrayBuffer();
  must(bytes.byteLength === SLICE_BYTES, `${bytes.byteLength} bytes came`);
}

async function bareDatabase(): Promise<IDBDatabase> {
  const opening = indexedDB.open(`bench-${crypto.randomUUID()}`);
  opening.onupgradeneeded = () => opening.result.createObjectStore('pieces');
  return await answerOf(opening);
}

async function putPieces(database: IDBDatabase, blob: Blob): Promise<void> {
  for (let offset = 0; offset < blob.size; offset += PIECE_BYTES) {
    const transaction = database.transaction('pieces', 'readwrite', { durability: 'strict' });
    transaction.objectStore('pieces').put(blob.slice(offset, offset + PIECE_BYTES), offset);
    await new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error);
    });
  }
}
