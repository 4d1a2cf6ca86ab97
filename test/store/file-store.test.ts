import { expect } from '@esm-bundle/chai';
import {
  MAX_MEDIA_TYPE_LENGTH,
  MAX_PATH_BYTES,
  openStore,
  type Store,
  type StoreChange,
} from '@inpage-mcp/store';
import {
  countRecords,
  deleteDatabase,
  deleteRecord,
  freshDatabaseName,
  putRecords,
} from '../support/database.js';
import { codeOf } from './store-under-test.js';

const PNG = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13]);

describe('the file store', () => {
  let name: string;
  let store: Store;
  let changes: StoreChange[];

  beforeEach(async () => {
    name = freshDatabaseName();
    store = await openStore(name);
    changes = [];
    store.changes.listen((batch) => changes.push(...batch));
  });

  afterEach(async () => {
    store.close();
    await deleteDatabase(name);
  });

  const bytesOf = async (path: string): Promise<number[]> => {
    const { blob } = await store.files.read(path);
    return [...new Uint8Array(await blob.arrayBuffer())];
  };

  it('keeps a file byte for byte, also when it is opened again', async () => {
    const bytes = Uint8Array.from({ length: 100_000 }, (_, index) => (index * 7) % 256);
    const file = await store.files.write('a/b.bin', new File([bytes], 'other-name.bin'));
    expect(file).to.include({ path: 'a/b.bin', size: 100_000, revision: 1 });
    store.close();
    store = await openStore(name);
    expect(await store.files.get('a/b.bin')).to.deep.equal(file);
    expect(await bytesOf('a/b.bin')).to.deep.equal([...bytes]);
  });

  it('reads several at once, without those that are gone or can no longer be read', async () => {
    for (const path of ['a', 'b', 'c', 'd']) await store.files.write(path, new Blob([path]));
    await deleteRecord(name, 'file-bytes', 'b');
    await putRecords(name, 'files', [{ path: 'c' }]);
    const found = await store.files.readAll(['d', 'c', 'b', 'gone', 'a']);
    const texts = found.map(async ({ file, blob }) => [file.path, await blob.text()]);
    expect(await Promise.all(texts)).to.deep.equal([
      ['d', 'd'],
      ['a', 'a'],
    ]);
    const files = { paths: new Set(['a']), folders: new Set<string>() };
    const one = store.within(() => ({ notes: 'all', files }));
    expect((await one.files.readAll(['d', 'a'])).map(({ file }) => file.path)).to.deep.equal(['a']);
  });

  it('overwrites a file, counting the revision and keeping its first date', async () => {
    const first = await store.files.write('a.txt', new Blob(['one']));
    const second = await store.files.write('a.txt', new Blob(['three']));
    expect(second).to.include({ size: 5, revision: 2, createdAt: first.createdAt });
    expect(await bytesOf('a.txt')).to.deep.equal([...new TextEncoder().encode('three')]);
    expect(changes).to.deep.equal([
      { kind: 'file', key: 'a.txt', type: 'created', listingChanged: true },
      { kind: 'file', key: 'a.txt', type: 'updated', listingChanged: false },
    ]);
  });

  it('refuses a write of another revision and keeps what there was', async () => {
    await store.files.write('a', new Blob(['one']), { expectedRevision: 0 });
    expect(
      await codeOf(store.files.write('a', new Blob(['two']), { expectedRevision: 0 })),
    ).to.equal('conflict');
    expect(
      await codeOf(store.files.write('b', new Blob(['two']), { expectedRevision: 1 })),
    ).to.equal('conflict');
    await store.files.write('a', new Blob(['three']), { expectedRevision: 1 });
    expect((await store.files.read('a')).blob.size).to.equal(5);
    expect((await store.files.list()).files).to.have.length(1);
  });

  it('deletes a file with its bytes', async () => {
    await store.files.write('a', new Blob(['one']));
    await store.files.delete('a');
    expect(await codeOf(store.files.read('a'))).to.equal('not-found');
    expect(await codeOf(store.files.get('a'))).to.equal('not-found');
    expect(await codeOf(store.files.delete('a'))).to.equal('not-found');
    expect((await store.files.list()).files).to.deep.equal([]);
    expect(await countRecords(name)).to.include({ files: 0, 'file-bytes': 0 });
  });

  const types: [path: string, blob: Blob, mediaType: string][] = [
    ['a.bin', new Blob(['x'], { type: 'Application/JSON; charset=utf-8' }), 'application/json'],
    ['notes.md', new Blob(['x']), 'text/markdown'],
    ['photo.PNG', new Blob(['not really']), 'image/png'],
    ['no-extension', new Blob([PNG]), 'image/png'],
    ['no-extension', new Blob(['plain words, ünïcode']), 'text/plain'],
    ['no-extension', new Blob(['é'.repeat(3000)]), 'text/plain'],
    ['no-extension', new Blob([Uint8Array.from([0, 1, 2, 3, 255])]), 'application/octet-stream'],
    ['no-extension', new Blob([Uint8Array.of(0xff, 0xfe, 0x41, 0)]), 'text/plain'],
    ['no-extension', new Blob([]), 'application/octet-stream'],
    ['a.json', new Blob(['{}'], { type: 'not a type' }), 'application/json'],
    ['a.txt', new Blob(['x'], { type: 'text/html"onload=' }), 'text/plain'],
  ];
  for (const [path, blob, mediaType] of types) {
    it(`takes ${path} of type "${blob.type}" and ${blob.size} bytes for ${mediaType}`, async () => {
      expect((await store.files.write(path, blob)).mediaType).to.equal(mediaType);
    });
  }

  it('takes the media type it is given over all others, in lower case', async () => {
    const blob = new Blob([PNG], { type: 'image/gif' });
    const file = await store.files.write('a.txt', blob, { mediaType: 'Text/X-Given.1+xml' });
    expect(file.mediaType).to.equal('text/x-given.1+xml');
    expect((await store.files.read('a.txt')).blob.type).to.equal('text/x-given.1+xml');
    expect(await bytesOf('a.txt')).to.deep.equal([...PNG]);
    await store.files.write('a.txt', blob);
    expect(changes.at(-1)).to.include({ type: 'updated', listingChanged: true });
  });

  it('accepts the longest media type and refuses one past it', async () => {
    const longest = `text/${'x'.repeat(MAX_MEDIA_TYPE_LENGTH - 5)}`;
    const write = (mediaType: string) => store.files.write('a', new Blob([]), { mediaType });
    expect((await write(longest)).mediaType).to.equal(longest);
    expect(await codeOf(write(`${longest}x`))).to.equal('invalid-argument');
  });

  it('refuses what is no media type, or has parameters', async () => {
    const bad = [
      '',
      'text',
      'text/',
      '/plain',
      'text/plain;charset=utf-8',
      'text/plain ',
      'text/plain\n',
      'text/a/b',
      'text/"html"',
      'text/é',
      7,
      null,
    ];
    for (const mediaType of bad) {
      const call = store.files.write('a', new Blob([]), { mediaType: mediaType as string });
      expect(await codeOf(call), String(mediaType)).to.equal('invalid-argument');
    }
    expect(changes).to.deep.equal([]);
  });

  it('refuses to delete a file of another revision', async () => {
    await store.files.write('a', new Blob(['one']));
    for (const expectedRevision of [0, 2]) {
      expect(await codeOf(store.files.delete('a', { expectedRevision }))).to.equal('conflict');
    }
    expect(await bytesOf('a')).to.have.length(3);
    await store.files.delete('a', { expectedRevision: 1 });
    expect(await codeOf(store.files.get('a'))).to.equal('not-found');
  });

  describe('below a folder', () => {
    const inside = [' ', '0', 'a', 'b/c', 'b/d/e', '\uffff'].map((path) => `photos/${path}`);
    const outside = ['photo', 'photo/a', 'photos', 'photos-b', 'photos!/a', 'photos0', 'photos0/a'];
    const list = async (options: { after?: string; limit?: number; folder?: string }) =>
      (await store.files.list(options)).files.map(({ path }) => path);

    beforeEach(async () => {
      for (const path of [...inside, ...outside]) await store.files.write(path, new Blob([]));
    });

    it('lists and counts what is anywhere in it, and nothing else', async () => {
      expect(await list({ folder: 'photos' })).to.deep.equal(inside);
      expect(await list({ folder: 'photos/b' })).to.deep.equal(['photos/b/c', 'photos/b/d/e']);
      expect(await list({ folder: 'photos/none' })).to.deep.equal([]);
      expect(await list({ folder: 'photos/a' })).to.deep.equal([]);
      expect(await store.files.count({ folder: 'photos' })).to.equal(inside.length);
      expect(await store.files.count({ folder: 'photos/b' })).to.equal(2);
      expect(await store.files.count({ folder: 'none' })).to.equal(0);
      expect(await store.files.count()).to.equal(inside.length + outside.length);
    });

    it('lists page by page', async () => {
      const paths: string[] = [];
      let after: string | undefined;
      do {
        const page = await store.files.list({
          folder: 'photos',
          limit: 2,
          ...(after !== undefined && { after }),
        });
        paths.push(...page.files.map(({ path }) => path));
        after = page.next;
      } while (after !== undefined);
      expect(paths).to.deep.equal(inside);
    });

    it('starts after any path, inside the folder or not', async () => {
      const folder = 'photos';
      expect(await list({ folder, after: 'a' })).to.deep.equal(inside);
      expect(await list({ folder, after: 'photos/' })).to.deep.equal(inside);
      expect(await list({ folder, after: 'photos/b/c' })).to.deep.equal([
        'photos/b/d/e',
        'photos/\uffff',
      ]);
      expect(await list({ folder, after: 'photos/\uffff' })).to.deep.equal([]);
      expect(await list({ folder, after: 'photos0' })).to.deep.equal([]);
      expect(await list({ folder, after: 'z' })).to.deep.equal([]);
    });

    it('refuses what can be no folder', async () => {
      for (const folder of ['', '/', 'photos/', '/photos', 'a//b', '..', 7, null]) {
        const options = { folder: folder as string };
        expect(await codeOf(store.files.list(options))).to.equal('invalid-argument');
        expect(await codeOf(store.files.count(options))).to.equal('invalid-argument');
      }
    });
  });

  it('lists in the order of paths, page by page', async () => {
    const paths = ['a', 'a/b', 'b', 'c/d/e', 'é', '日本'];
    for (const path of paths.toReversed()) await store.files.write(path, new Blob([]));
    const first = await store.files.list({ limit: 4 });
    expect(first.next).to.equal('c/d/e');
    const second = await store.files.list({ after: first.next!, limit: 4 });
    expect([...first.files, ...second.files].map(({ path }) => path)).to.deep.equal(paths);
    expect(second).not.to.have.property('next');
  });

  it('takes names as they are', async () => {
    const paths = [
      '100%',
      'a#b',
      'a?b',
      '"q"',
      "'",
      'ünï',
      'שלום',
      '😀.txt',
      ' ',
      '__proto__',
      '%2e',
      'a\\b',
    ];
    for (const path of paths) await store.files.write(path, new Blob([path]));
    for (const path of paths) {
      expect(await (await store.files.read(path)).blob.text()).to.equal(path);
    }
    expect((await store.files.list()).files).to.have.length(paths.length);
  });

  it('refuses paths that are no names', async () => {
    const bad = [
      '',
      '/',
      '/a',
      'a/',
      'a//b',
      '.',
      '..',
      'a/../b',
      './a',
      'a\0b',
      '\ud800',
      7,
      null,
    ];
    for (const path of bad) {
      expect(await codeOf(store.files.write(path as string, new Blob([])))).to.equal(
        'invalid-argument',
      );
    }
  });

  it('accepts the longest path and refuses one past it', async () => {
    const longest = 'é'.repeat(MAX_PATH_BYTES / 2);
    await store.files.write(longest, new Blob([]));
    expect((await store.files.list()).files[0]?.path).to.equal(longest);
    expect(await codeOf(store.files.write(`${longest}x`, new Blob([])))).to.equal(
      'invalid-argument',
    );
  });

  it('refuses content that is no Blob', async () => {
    expect(await codeOf(store.files.write('a', 'text' as never))).to.equal('invalid-argument');
  });
});
