import { expect } from '@esm-bundle/chai';
import { countRecords } from '../support/database.js';
import { MIB } from './marked-blob.js';

/** Fails unless a blob is, byte for byte, one of {@link markedBlob}. */
export async function expectMarked(blob: Blob, sizeBytes: number, mark = 0): Promise<void> {
  expect(blob.size).to.equal(sizeBytes);
  for (let offset = 0; offset < sizeBytes; offset += MIB) {
    const bytes = await blob.slice(offset, offset + MIB).arrayBuffer();
    const expected = new Uint8Array(bytes.byteLength).fill(offset / MIB + mark);
    // Of two keys that are bytes the browser itself says whether they are the same, and far sooner.
    expect(indexedDB.cmp(bytes, expected)).to.equal(0);
  }
}

/** The digest of a file as the documentation has it, of bytes that are in memory as a whole. */
export async function digestOf(blob: Blob): Promise<string> {
  const bytes = new Uint8Array(await blob.arrayBuffer());
  const digests = new Uint8Array(Math.ceil(bytes.length / MIB) * 32);
  for (let piece = 0; piece * MIB < bytes.length; piece++) {
    const digest = await crypto.subtle.digest(
      'SHA-256',
      bytes.slice(piece * MIB, (piece + 1) * MIB),
    );
    digests.set(new Uint8Array(digest), piece * 32);
  }
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', digests));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Fails unless there are so many files, with as many pieces, and nothing is left of others. */
export async function expectStored(
  databaseName: string,
  { files, pieces }: { files: number; pieces: number },
): Promise<void> {
  const counts = await countRecords(databaseName);
  expect(counts).to.include({ files, 'file-bytes': files, 'file-pieces': pieces, uploads: 0 });
}

/** Calls `look` at the success of every request of one kind to one object store while `run` runs. */
export async function watchingRequests<Value>(
  method: 'put' | 'delete' | 'count' | 'getKey',
  storeName: string,
  look: () => void,
  run: () => Promise<Value>,
): Promise<Value> {
  type Request = (this: IDBObjectStore, ...args: never[]) => IDBRequest;
  const prototype = IDBObjectStore.prototype as unknown as { [method: string]: Request };
  const original = prototype[method]!;
  prototype[method] = function watched(...args) {
    const request = original.apply(this, args);
    if (this.name === storeName) request.addEventListener('success', look);
    return request;
  };
  try {
    return await run();
  } finally {
    prototype[method] = original;
  }
}
