import { blobOf, rangeOf } from '@inpage-mcp/client';
import { startRuntime, type Runtime } from '@inpage-mcp/runtime';
import { expect } from '@open-wc/testing';
import { deleteDatabase, freshDatabaseName } from '../support/database.js';

const MIB = 1024 * 1024;
const COUNT = 64;
const URI = 'file:///large.bin';

describe('a file that is larger than a message', () => {
  let runtime: Runtime;
  let databaseName: string;

  beforeEach(async () => {
    databaseName = freshDatabaseName();
    runtime = await startRuntime({ databaseName });
    const pieces = Array.from({ length: COUNT }, (_, index) => new Uint8Array(MIB).fill(index));
    await runtime.files.write('large.bin', new Blob(pieces));
  });

  afterEach(async () => {
    await runtime.close();
    await deleteDatabase(databaseName);
  });

  const around = async (blob: Blob, at: number): Promise<number[]> => [
    ...new Uint8Array(await blob.slice(at - 1, at + 1).arrayBuffer()),
  ];

  it('comes from the worker as a Blob, which outlives the worker', async () => {
    const client = await runtime.connect({ blobs: true });
    const { contents } = await client.readResource(URI);
    const blob = blobOf(contents[0]!);
    expect(blob.size).to.equal(COUNT * MIB);
    await runtime.close();
    expect(await around(blob, 41 * MIB)).to.deep.equal([40, 41]);
  });

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
});
