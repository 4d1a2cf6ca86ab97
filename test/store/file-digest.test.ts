import { expect } from '@esm-bundle/chai';
import { codeOf, useStore } from './store-under-test.js';
import { digestOf, expectMarked, expectStored } from './large-blobs.js';
import { markedBlob, MIB, PIECE, piecesOf } from './marked-blob.js';

describe('the digest of a file', () => {
  const test = useStore();

  const sizes: [name: string, sizeBytes: number][] = [
    ['no byte', 0],
    ['one byte', 1],
    ['a byte less than a digested piece', MIB - 1],
    ['exactly a digested piece', MIB],
    ['a byte more than a digested piece', MIB + 1],
    ['exactly a stored piece', PIECE],
    ['a byte more than a stored piece', PIECE + 1],
    ['exactly two stored pieces', 2 * PIECE],
    ['a byte more than two stored pieces', 2 * PIECE + 1],
  ];
  for (const [name, size] of sizes) {
    it(`is that of its bytes with ${name}, which all come back`, async () => {
      const blob = markedBlob(size, 7);
      const file = await test.store.files.write('a.bin', blob);
      expect(file).to.include({ size, digest: await digestOf(blob) });
      await expectStored(test.name, { files: 1, pieces: piecesOf(size) });
      await test.reopen();
      const read = await test.store.files.read('a.bin');
      expect(read.file).to.deep.equal(file);
      expect(read.blob.type).to.equal('application/octet-stream');
      await expectMarked(read.blob, size, 7);
      expect((await test.store.files.verify('a.bin')).state).to.equal('intact');
    });
  }

  it('of nothing is the SHA-256 of nothing', async () => {
    const { digest } = await test.store.files.write('a', new Blob([]));
    expect(digest).to.equal('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  });

  it('stays with the bytes, and goes with them', async () => {
    const { files } = test.store;
    const { digest } = await files.write('a', new Blob(['one']));
    expect(await files.update('a', { priority: 1 })).to.include({ digest });
    expect(await files.move('a', 'b')).to.include({ digest });
    expect((await files.list()).files[0]).to.include({ digest });
    const overwritten = await files.write('b', new Blob(['two']));
    expect(overwritten.digest).to.equal(await digestOf(new Blob(['two'])));
    expect(overwritten.digest).not.to.equal(digest);
  });

  it('is absent in an insecure context, also where there was one before', async () => {
    const { files } = test.store;
    await files.write('small', new Blob(['one']));
    await files.write('large', markedBlob(PIECE + 1));
    Object.defineProperty(crypto, 'subtle', { value: undefined, configurable: true });
    try {
      expect(await files.write('small', new Blob(['two']))).not.to.have.property('digest');
      expect(await files.write('large', markedBlob(PIECE + 2))).not.to.have.property('digest');
      expect((await files.verify('small')).state).to.equal('unknown');
    } finally {
      Reflect.deleteProperty(crypto, 'subtle');
    }
    await expectMarked((await files.read('large')).blob, PIECE + 2);
    expect((await files.verify('large')).state).to.equal('unknown');
    expect(await files.get('large')).not.to.have.property('digest');
  });

  it('is that of the bytes that were read, and unreadable ones are refused', async function () {
    // WebKitGTK has no files that a script may change.
    if (!('getDirectory' in StorageManager.prototype)) this.skip();
    const folder = await navigator.storage.getDirectory();
    const handle = await folder.getFileHandle(test.name, { create: true });
    const write = async (bytes: Blob) => {
      const writable = await handle.createWritable();
      await writable.write(bytes);
      await writable.close();
    };
    try {
      await write(new Blob(['before']));
      const file = await handle.getFile();
      await write(new Blob(['later.']));
      expect(await codeOf(test.store.files.write('a.txt', file))).to.equal('unreadable');
      await expectStored(test.name, { files: 0, pieces: 0 });
    } finally {
      await folder.removeEntry(test.name);
    }
  });
});
