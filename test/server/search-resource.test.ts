import { MAX_GATHERED } from '@inpage-mcp/server';
import { expect } from '@esm-bundle/chai';
import { countingTransactions, deleteRecord, fillBacklog } from '../support/database.js';
import { useLinkedClient } from '../support/linked-server.js';
import { restSearchIndex } from '../support/rest-search-index.js';

describe('note:///search{?q}', () => {
  const setup = useLinkedClient();
  const create = async (title: string, text: string): Promise<string> => {
    const { id } = await setup.linked.server.store.notes.create({ title, text });
    return `note:///${id}`;
  };
  const search = async (q: string) =>
    (await setup.client.readResource(`note:///search?q=${encodeURIComponent(q)}`)).contents;

  it('gives the notes that hold all words, whole, each under its own uri', async () => {
    await create('Other', 'nothing');
    const older = await create('Shopping', 'milk and Bread');
    const newer = await create('Ünïcode 麵包', 'BREAD, milk?');
    const contents = await search('bread milk');
    expect(contents.map(({ uri }) => uri)).to.deep.equal([newer, older]);
    expect(contents[1]).to.deep.include({ text: 'milk and Bread', mimeType: 'text/markdown' });
    expect((await search('麵包')).map(({ uri }) => uri)).to.deep.equal([newer]);
  });

  it('says so when no note does', async () => {
    const uri = 'note:///search?q=a%26b';
    const { contents } = await setup.client.readResource(uri);
    expect(contents).to.deep.equal([
      { uri, mimeType: 'text/plain', text: 'No note holds all these words.' },
    ]);
  });

  it('gives at most the documented number, and says how many there are more', async () => {
    const titles = Array.from({ length: MAX_GATHERED + 1 }, (_, index) => `${index}`);
    await Promise.all(titles.map((title) => create(title, 'word')));
    const contents = await search('word');
    expect(contents).to.have.length(MAX_GATHERED + 1);
    expect((contents.at(-1) as { text: string }).text).to.match(/^Left out: 1 .*\n- and 1 more$/);
  });

  it('is read in as many transactions, however many notes it has', async () => {
    await restSearchIndex(setup.linked.databaseName);
    const counts: number[] = [];
    for (const titles of [['a', 'b'], Array.from({ length: 60 }, (_, n) => `${n}`)]) {
      await setup.linked.server.store.notes.createAll(
        titles.map((title) => ({ title, text: 'word' })),
      );
      counts.push(await countingTransactions(() => search('word'), 'note-texts'));
    }
    expect(await search('word')).to.have.length(62);
    expect(counts[1]).to.equal(counts[0]);
  });

  it('leaves out a note whose text is lost', async () => {
    const [lost, other] = [await create('word', 'text'), await create('word', '')];
    const id = lost.slice('note:///'.length);
    await deleteRecord(setup.linked.databaseName, 'note-texts', id);
    expect((await search('word')).map(({ uri }) => uri)).to.deep.equal([other]);
  });

  it('says how many notes could not be searched yet', async () => {
    const found = await create('found', 'word');
    await restSearchIndex(setup.linked.databaseName);
    await fillBacklog(setup.linked.databaseName, 20_004);
    for (const [query, uris] of [
      ['word', [found, 'note:///search?q=word']],
      ['nothing', ['note:///search?q=nothing', 'note:///search?q=nothing']],
    ] as const) {
      const contents = await search(query);
      expect(contents.map(({ uri }) => uri)).to.deep.equal(uris);
      const last = contents.at(-1) as { text: string };
      expect(last.text).to.match(/^5 notes, written lately, could not be searched yet/);
      expect(last).to.have.nested.property('_meta.io\\.github\\.inpage-mcp/unsearched', 5);
    }
  });

  it('is no resource without a query, with more than one, or with an overlong one', async () => {
    for (const query of [
      '',
      '?',
      '?q',
      '?q=',
      '?q=%20',
      '?q=a&q=b',
      '?q=a#b',
      '?q=%ff',
      '?Q=a',
      `?q=${'a'.repeat(1_001)}`,
    ]) {
      const reading = setup.client.readResource(`note:///search${query}`);
      const error = await reading.catch((reason: unknown) => reason);
      expect(error, query).to.include({ code: -32602 });
    }
    expect(await search('a'.repeat(1_000))).to.have.length(1);
  });

  it('notifies its subscribers when any note changes', async () => {
    let count = 0;
    const updatedUri = new Promise<string>((resolve) => {
      void setup.client.watch('note:///search?q=later', (uri) => {
        count += 1;
        resolve(uri);
      }).ready;
    });
    await setup.client.watch('note:///search?q=x', () => undefined).ready;
    await setup.linked.server.store.files.write('later', new Blob([]));
    await create('later', '');
    expect(await updatedUri).to.equal('note:///search?q=later');
    expect(count).to.equal(1);
  });
});
