import { expect } from '@esm-bundle/chai';
import type { StoredFile } from '@inpage-mcp/store';
import { putRecords } from '../support/database.js';
import { failureOf } from '../support/failure.js';
import { codeOf, useStore } from './store-under-test.js';

describe('searching the files', () => {
  const test = useStore();

  const add = async (...paths: string[]): Promise<void> => {
    for (const path of paths) await test.store.files.write(path, new Blob([]));
  };
  const find = async (query: string, options = {}): Promise<string[]> =>
    (await test.store.files.search(query, options)).matches.map(({ path }) => path);
  const fileAt = (path: string): StoredFile => {
    const times = { createdAt: 1, updatedAt: 1, revision: 1 };
    return { path, mediaType: 'text/plain', size: 0, ...times };
  };

  it('ranks whole words in the name first, then beginnings there, then words in folders', async () => {
    const paths = [
      'tram/tram.jpg',
      'x/tram.jpg',
      'tram trams/trams.jpg',
      'x/trams.jpg',
      'tram/x.jpg',
      'tramway/x.jpg',
    ];
    await add(...paths.toReversed());
    expect(await find('tram')).to.deep.equal(paths);
    expect(await find('tram jpg')).to.deep.equal(paths);
  });

  it('puts equal ones in the order of their paths, and counts those past the limit', async () => {
    await add('b/word', 'c/word', 'a/word', 'word', 'sword');
    expect(await find('word')).to.deep.equal(['a/word', 'b/word', 'c/word', 'word']);
    const { matches, total } = await test.store.files.search('word', { limit: 2 });
    expect(matches.map(({ path }) => path)).to.deep.equal(['a/word', 'b/word']);
    expect(total).to.equal(4);
  });

  it('returns whole records', async () => {
    const file = await test.store.files.write('a/b.txt', new Blob(['c']), { priority: 1 });
    expect((await test.store.files.search('b')).matches).to.deep.equal([file]);
  });

  it('finds words in any case, width and script', async () => {
    await add('ＡＢＣ/Été.txt', 'STRASSE/園芸の本.txt', '東京/大学.txt', '😀.txt');
    expect(await find('abc e\u0301te\u0301')).to.deep.equal(['ＡＢＣ/Été.txt']);
    expect(await find('strasse 園芸')).to.deep.equal(['STRASSE/園芸の本.txt']);
    expect(await find('大学')).to.deep.equal(['東京/大学.txt']);
    expect(await find('😀')).to.deep.equal(['😀.txt']);
    expect(await find('rasse')).to.deep.equal([]);
    expect(await find('/.')).to.deep.equal([]);
  });

  it('finds at once what another tab has changed', async () => {
    const tab = await test.openTab();
    await add('word.txt');
    for (let round = 0; round < 20; round += 1) {
      expect(await find('word')).to.deep.equal(['word.txt']);
      await tab.notes.create({ title: '', text: '' });
      await tab.files.move('word.txt', 'other.txt');
      expect(await find('word')).to.deep.equal([]);
      expect(await find('other')).to.deep.equal(['other.txt']);
      await tab.files.move('other.txt', 'word.txt');
    }
  });

  it('reads the paths once, until a file changes', async () => {
    await add('word.txt');
    const { getAllKeys } = IDBObjectStore.prototype;
    let reads = 0;
    IDBObjectStore.prototype.getAllKeys = function count(...args) {
      if (this.name === 'files') reads += 1;
      return getAllKeys.apply(this, args);
    };
    try {
      for (const query of ['w', 'wo', 'wor']) {
        expect(await find(query)).to.deep.equal(['word.txt']);
        await test.store.notes.create({ title: 'a note', text: '' });
      }
      expect(reads).to.equal(1);
      await add('word 2.txt');
      expect(await find('word')).to.have.length(2);
      expect(reads).to.equal(2);
    } finally {
      IDBObjectStore.prototype.getAllKeys = getAllKeys;
    }
  });

  it('finds each of very many files', async () => {
    const files = Array.from({ length: 5_500 }, (_, index) => fileAt(`f${index}/word`));
    await putRecords(test.name, 'files', files);
    expect((await test.store.files.search('word')).total).to.equal(5_500);
    for (const index of [0, 4_999, 5_000, 5_499]) {
      expect(await find(`f${index} word`, { limit: 1 })).to.deep.equal([`f${index}/word`]);
    }
  });

  it('skips a file that cannot be read', async () => {
    await add('good word.txt');
    await putRecords(test.name, 'files', [{ path: 'bad word.txt' }]);
    expect(await test.store.files.search('word')).to.have.property('total', 1);
    expect(await find('word')).to.deep.equal(['good word.txt']);
  });

  it('ends with the reason of its signal', async () => {
    await add('word.txt');
    const reason = new Error('enough');
    expect(
      await failureOf(test.store.files.search('w', { signal: AbortSignal.abort(reason) })),
    ).to.equal(reason);
    const controller = new AbortController();
    const search = test.store.files.search('word', { signal: controller.signal });
    controller.abort(reason);
    expect(await failureOf(search)).to.equal(reason);
  });

  it('is not possible once the store is closed', async () => {
    await add('word.txt');
    await find('word');
    test.store.close();
    expect(await codeOf(test.store.files.search('word'))).to.equal('closed');
  });
});
