import { expect } from '@esm-bundle/chai';
import {
  MAX_TAG_LENGTH,
  MAX_TAGS,
  MAX_TEXT_BYTES,
  MAX_TITLE_LENGTH,
  type Note,
  type NoteUpdate,
  openStore,
  type Store,
  type StoreChange,
  StoreError,
} from '@inpage-mcp/store';
import {
  countingTransactions,
  countRecords,
  deleteDatabase,
  deleteRecord,
  freshDatabaseName,
  putRecords,
} from '../support/database.js';
import { failureOf } from '../support/failure.js';
import { codeOf } from './store-under-test.js';

describe('the note store', () => {
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

  it('creates a note that can be read back whole', async () => {
    const before = Date.now();
    const note = await store.notes.create({ title: 'Title 題', text: 'Tëxt', tags: ['a', 'b'] });
    expect(note.id).to.match(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
    expect(note).to.include({ title: 'Title 題', text: 'Tëxt', size: 5, revision: 1 });
    expect(note.createdAt).to.be.within(before, Date.now());
    expect(note.updatedAt).to.equal(note.createdAt);
    expect(await store.notes.get(note.id)).to.deep.equal(note);
    expect(changes).to.deep.equal([
      { kind: 'note', key: note.id, type: 'created', listingChanged: true },
    ]);
  });

  it('reads several at once, without those that are gone or can no longer be read', async () => {
    const ids: string[] = [];
    for (const text of ['a', '', 'c', 'd', 'e']) {
      ids.push((await store.notes.create({ title: text, text })).id);
    }
    await store.notes.delete(ids[2]!);
    await deleteRecord(name, 'note-texts', ids[3]!);
    await putRecords(name, 'notes', [{ id: ids[4], title: 7 }]);
    const some = ids.toReversed();
    let read: Note[] = [];
    const transactions = await countingTransactions(async () => {
      read = await store.notes.getAll(some);
    }, 'note-texts');
    expect(transactions).to.equal(1);
    expect(read).to.deep.equal([await store.notes.get(ids[1]!), await store.notes.get(ids[0]!)]);
    const one = store.within(() => ({ notes: new Set([ids[1]!]), files: 'all' }));
    expect((await one.notes.getAll(some)).map(({ id }) => id)).to.deep.equal([ids[1]]);
  });

  it('keeps a note when the store is closed and opened again', async () => {
    const note = await store.notes.create({ title: 'a', text: 'b' });
    store.close();
    store = await openStore(name);
    expect(await store.notes.get(note.id)).to.deep.equal(note);
  });

  it('updates only what is given, and counts the revision', async () => {
    const note = await store.notes.create({ title: 'a', text: 'b', tags: ['t'] });
    const updated = await store.notes.update(note.id, { text: 'longer' });
    expect(updated).to.deep.equal({
      ...note,
      text: 'longer',
      firstLine: 'longer',
      size: 6,
      revision: 2,
      updatedAt: updated.updatedAt,
    });
    expect(await store.notes.get(note.id)).to.deep.equal(updated);
    const renamed = await store.notes.update(note.id, { title: 'c' });
    expect(renamed).to.deep.include({ title: 'c', text: 'longer', firstLine: 'longer', size: 6 });
  });

  it('reports whether a list shows the note as before', async () => {
    const { id } = await store.notes.create({ title: 'a', text: '# One\n', tags: ['t'] });
    const listingChanges: [update: NoteUpdate, listingChanged: boolean][] = [
      [{ text: '# One\nand more' }, false],
      [{ text: 'One', title: 'a', tags: ['t'] }, false],
      [{}, false],
      [{ text: 'Two' }, true],
      [{ title: 'b' }, true],
      [{ tags: ['u'] }, true],
    ];
    for (const [update] of listingChanges) await store.notes.update(id, update);
    expect(changes.slice(1)).to.deep.equal(
      listingChanges.map(([, listingChanged]) => ({
        kind: 'note',
        key: id,
        type: 'updated',
        listingChanged,
      })),
    );
  });

  it('appends to the text, each addition on a line of its own', async () => {
    const { id } = await store.notes.create({ title: 'a', text: '' });
    const additions: [addition: string, text: string][] = [
      ['', ''],
      ['one', 'one'],
      ['two\n', 'one\ntwo\n'],
      ['three', 'one\ntwo\nthree'],
      ['', 'one\ntwo\nthree'],
      ['\nfour é', 'one\ntwo\nthree\n\nfour é'],
    ];
    for (const [addition, text] of additions) {
      const note = await store.notes.append(id, addition);
      expect(note.text).to.equal(text);
      expect(await store.notes.get(id)).to.deep.equal(note);
    }
    const note = await store.notes.get(id);
    expect(note).to.include({ title: 'a', firstLine: 'one', size: 22, revision: 7 });
    expect(changes.at(-1)).to.include({ type: 'updated', listingChanged: false });
  });

  it('loses no addition that is made at the same time in another tab', async () => {
    const { id } = await store.notes.create({ title: 'a', text: '' });
    const other = await openStore(name);
    const numbers = Array.from({ length: 40 }, (_, index) => String(index));
    await Promise.all(
      numbers.map((text, index) => (index % 2 ? store : other).notes.append(id, text)),
    );
    const { text, revision } = await store.notes.get(id);
    expect(text.split('\n').toSorted()).to.deep.equal(numbers.toSorted());
    expect(revision).to.equal(41);
    other.close();
  });

  it('refuses an addition past the longest text, of another revision, or to no note', async () => {
    const text = 'x'.repeat(MAX_TEXT_BYTES - 2);
    const { id } = await store.notes.create({ title: '', text });
    // One byte more for the newline between them.
    expect(await codeOf(store.notes.append(id, 'yz'))).to.equal('invalid-argument');
    expect(await codeOf(store.notes.append(id, 'y', { expectedRevision: 2 }))).to.equal('conflict');
    expect(await codeOf(store.notes.append(id, 1 as never))).to.equal('invalid-argument');
    expect(await codeOf(store.notes.append('none', 'y'))).to.equal('not-found');
    expect(await store.notes.get(id)).to.include({ text, revision: 1 });
    const longest = await store.notes.append(id, 'y', { expectedRevision: 1 });
    expect(longest).to.include({ size: MAX_TEXT_BYTES, revision: 2 });
  });

  it('refuses to delete a note of another revision', async () => {
    const { id } = await store.notes.create({ title: 'a', text: 'b' });
    expect(await codeOf(store.notes.delete(id, { expectedRevision: 2 }))).to.equal('conflict');
    expect((await store.notes.get(id)).text).to.equal('b');
    await store.notes.delete(id, { expectedRevision: 1 });
    expect(await store.notes.count()).to.equal(0);
  });

  it('counts the notes', async () => {
    expect(await store.notes.count()).to.equal(0);
    const { id } = await store.notes.create({ title: '', text: '' });
    await store.notes.create({ title: '', text: '' });
    expect(await store.notes.count()).to.equal(2);
    await store.notes.delete(id);
    expect(await store.notes.count()).to.equal(1);
  });

  describe('walking through all notes', () => {
    /** Records as notes have them, put there at once: writing thousands takes long. */
    const fill = async (count: number): Promise<string[]> => {
      const template = await store.notes.create({ title: '', text: '' });
      const { text: _text, ...summary } = template;
      await store.notes.delete(template.id);
      const ids = Array.from(
        { length: count },
        (_, index) => `01HZZZZZZZ${String(index).padStart(16, '0')}`,
      );
      await putRecords(
        name,
        'notes',
        ids.map((id) => ({ ...summary, id })),
      );
      return ids.toReversed();
    };

    it('gives each once, newest first, in arrays of a thousand', async () => {
      const ids = await fill(2_001);
      const pages: string[][] = [];
      for await (const page of store.notes.summaries()) pages.push(page.map(({ id }) => id));
      expect(pages.map(({ length }) => length)).to.deep.equal([1_000, 1_000, 1]);
      expect(pages.flat()).to.deep.equal(ids);
    });

    it('gives no empty array, neither at the end nor of nothing', async () => {
      expect(await arrayOf(store.notes.summaries())).to.deep.equal([]);
      await fill(1_000);
      expect(await arrayOf(store.notes.summaries())).to.have.length(1);
    });

    it('skips and repeats none of the others when notes come and go in between', async () => {
      const ids = await fill(1_500);
      const seen: string[] = [];
      for await (const page of store.notes.summaries()) {
        seen.push(...page.map(({ id }) => id));
        await store.notes.create({ title: 'newer', text: '' });
        // The position itself, one before it and one after it.
        for (const id of [ids[999]!, ids[500]!, ids[1_200]!]) {
          await store.notes.delete(id).catch(() => undefined);
        }
      }
      expect(seen).to.deep.equal(ids.filter((id) => id !== ids[1_200]));
    });

    it('ends with the reason of its signal', async () => {
      await fill(1_001);
      const reason = new Error('enough');
      const controller = new AbortController();
      const pages = store.notes.summaries({ signal: controller.signal });
      expect((await pages.next()).value).to.have.length(1_000);
      controller.abort(reason);
      expect(await failureOf(pages.next())).to.equal(reason);
    });
  });

  it('refuses an update of another revision and writes nothing', async () => {
    const note = await store.notes.create({ title: 'a', text: 'b' });
    await store.notes.update(note.id, { text: 'c' }, { expectedRevision: 1 });
    expect(
      await codeOf(store.notes.update(note.id, { text: 'd' }, { expectedRevision: 1 })),
    ).to.equal('conflict');
    expect((await store.notes.get(note.id)).text).to.equal('c');
    expect(changes).to.have.length(2);
  });

  it('loses no concurrent read-modify-write that names its revision', async () => {
    const { id } = await store.notes.create({ title: 'count', text: '0' });
    const other = await openStore(name);
    const increment = async (notes: Store['notes']): Promise<void> => {
      for (;;) {
        const { text, revision } = await notes.get(id);
        try {
          await notes.update(
            id,
            { text: String(Number(text) + 1) },
            { expectedRevision: revision },
          );
          return;
        } catch (error) {
          if (!(error instanceof StoreError) || error.code !== 'conflict') throw error;
        }
      }
    };
    const all = Array.from({ length: 20 }, () => [increment(store.notes), increment(other.notes)]);
    await Promise.all(all.flat());
    expect((await store.notes.get(id)).text).to.equal('40');
    other.close();
  });

  it('deletes a note with its text', async () => {
    const { id } = await store.notes.create({ title: 'a', text: 'b' });
    await store.notes.delete(id);
    expect(await codeOf(store.notes.get(id))).to.equal('not-found');
    expect(await codeOf(store.notes.delete(id))).to.equal('not-found');
    expect(await codeOf(store.notes.update(id, { text: 'c' }))).to.equal('not-found');
    expect(changes.map(({ type }) => type)).to.deep.equal(['created', 'deleted']);
    expect(await countRecords(name)).to.include({ notes: 0, 'note-texts': 0 });
  });

  it('restores a deleted note as it was, at its place in the list', async () => {
    const older = await store.notes.create({ title: 'older', text: 'x' });
    const { id } = await store.notes.create({ title: 'a', text: 'b', tags: ['t'], priority: 1 });
    const newer = await store.notes.create({ title: 'newer', text: 'x' });
    await store.notes.update(id, { text: 'zebra ü', audience: ['user'] });
    const note = await store.notes.get(id);
    await store.updateIndex();
    await store.notes.delete(id);
    await store.updateIndex();
    changes = [];
    expect(await store.notes.restore(note)).to.deep.equal(note);
    expect(await store.notes.get(id)).to.deep.equal(note);
    const { notes } = await store.notes.list();
    expect(notes.map((summary) => summary.id)).to.deep.equal([newer.id, id, older.id]);
    expect(changes).to.deep.equal([
      { kind: 'note', key: id, type: 'created', listingChanged: true },
    ]);
    for (const isIndexed of [false, true]) {
      if (isIndexed) await store.updateIndex();
      expect((await store.notes.search('zebra')).total).to.equal(1);
    }
    expect(
      (await store.notes.update(id, { text: 'c' }, { expectedRevision: 2 })).revision,
    ).to.equal(3);
  });

  it('restores no note over one that exists, and each only once', async () => {
    const note = await store.notes.create({ title: 'a', text: 'b' });
    await store.notes.update(note.id, { text: 'changed' });
    expect(await codeOf(store.notes.restore(note))).to.equal('conflict');
    expect((await store.notes.get(note.id)).text).to.equal('changed');
    await store.notes.delete(note.id);
    const restored = await Promise.allSettled([
      store.notes.restore(note),
      store.notes.restore(note),
    ]);
    expect(restored.map(({ status }) => status).toSorted()).to.deep.equal([
      'fulfilled',
      'rejected',
    ]);
    const retry = { idempotencyKey: 'k' };
    await store.notes.delete(note.id);
    await store.notes.restore(note, retry);
    expect(await store.notes.restore(note, retry)).to.deep.equal(note);
    expect(await store.notes.count()).to.equal(1);
  });

  it('restores only what is a note', async () => {
    const note = await store.notes.create({ title: 'a', text: 'b' });
    await store.notes.delete(note.id);
    const wrong: object[] = [
      { id: 'x' },
      { id: note.id.toLowerCase() + '!' },
      { revision: 0 },
      { revision: -1 },
      { revision: 1.5 },
      { createdAt: Number.NaN },
      { updatedAt: '1' },
      { text: 7 },
      { title: 'x'.repeat(MAX_TITLE_LENGTH + 1) },
      { tags: 'none' },
      { priority: 2 },
    ];
    for (const change of wrong) {
      const code = await codeOf(store.notes.restore({ ...note, ...change } as never));
      expect(code, JSON.stringify(change)).to.equal('invalid-argument');
    }
    // What it says of itself is not believed.
    const restored = await store.notes.restore({ ...note, size: 900, firstLine: 'no' });
    expect(restored).to.deep.equal(note);
    expect(await store.notes.count()).to.equal(1);
  });

  it('lists newest first, page by page, each note once', async () => {
    const ids: string[] = [];
    for (let index = 0; index < 25; index += 1) {
      ids.unshift((await store.notes.create({ title: `${index}`, text: '' })).id);
    }
    const listed: string[] = [];
    const sizes: number[] = [];
    let after: string | undefined;
    do {
      const page = await store.notes.list({ after, limit: 10 });
      listed.push(...page.notes.map(({ id }) => id));
      sizes.push(page.notes.length);
      after = page.next;
    } while (after !== undefined);
    expect(listed).to.deep.equal(ids);
    expect(sizes).to.deep.equal([10, 10, 5]);
  });

  it('ends the list with a full page when there is nothing after it', async () => {
    for (let index = 0; index < 4; index += 1) await store.notes.create({ title: '', text: '' });
    expect(await store.notes.list({ limit: 4 })).not.to.have.property('next');
    expect(await store.notes.list({ limit: 3 })).to.have.property('next');
  });

  it('lists no texts', async () => {
    await store.notes.create({ title: 'a', text: 'b' });
    const { notes } = await store.notes.list();
    expect(notes[0]).not.to.have.property('text');
  });

  it('refuses a page that starts at no id, and page sizes out of bounds', async () => {
    expect(await codeOf(store.notes.list({ after: 'nonsense' }))).to.equal('invalid-argument');
    for (const limit of [0, -1, 1.5, Number.NaN, 10_001]) {
      expect(await codeOf(store.notes.list({ limit }))).to.equal('invalid-argument');
    }
    expect((await store.notes.list({ limit: 10_000 })).notes).to.deep.equal([]);
  });

  const limits: [what: string, atLimit: object, pastLimit: object][] = [
    ['title', { title: 'x'.repeat(MAX_TITLE_LENGTH) }, { title: 'x'.repeat(MAX_TITLE_LENGTH + 1) }],
    ['text', { text: 'x'.repeat(MAX_TEXT_BYTES) }, { text: 'x'.repeat(MAX_TEXT_BYTES + 1) }],
    [
      'text in bytes',
      { text: 'é'.repeat(MAX_TEXT_BYTES / 2) },
      { text: `${'é'.repeat(MAX_TEXT_BYTES / 2)}x` },
    ],
    [
      'number of tags',
      { tags: Array.from({ length: MAX_TAGS }, () => 't') },
      { tags: Array.from({ length: MAX_TAGS + 1 }, () => 't') },
    ],
    ['tag', { tags: ['x'.repeat(MAX_TAG_LENGTH)] }, { tags: ['x'.repeat(MAX_TAG_LENGTH + 1)] }],
  ];
  for (const [what, atLimit, pastLimit] of limits) {
    it(`accepts the longest ${what} and refuses one past it`, async () => {
      const note = await store.notes.create({ title: '', text: '', ...atLimit });
      expect(await store.notes.get(note.id)).to.deep.equal(note);
      expect(await codeOf(store.notes.create({ title: '', text: '', ...pastLimit }))).to.equal(
        'invalid-argument',
      );
      expect(await codeOf(store.notes.update(note.id, pastLimit))).to.equal('invalid-argument');
      expect((await store.notes.list()).notes).to.have.length(1);
    });
  }

  it('refuses what is not a note', async () => {
    for (const bad of [{ title: 1, text: '' }, { title: '' }, { title: '', text: '', tags: [1] }]) {
      expect(await codeOf(store.notes.create(bad as never))).to.equal('invalid-argument');
    }
    expect(await codeOf(store.notes.get(undefined as never))).to.equal('invalid-argument');
  });

  it('rejects every call after it was closed', async () => {
    store.close();
    expect(await codeOf(store.notes.list())).to.equal('closed');
    expect(await codeOf(store.notes.create({ title: '', text: '' }))).to.equal('closed');
  });
});

async function arrayOf<Value>(values: AsyncIterable<Value>): Promise<Value[]> {
  const all: Value[] = [];
  for await (const value of values) all.push(value);
  return all;
}
