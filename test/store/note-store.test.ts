import { expect } from '@open-wc/testing';
import {
  MAX_TAG_LENGTH,
  MAX_TAGS,
  MAX_TEXT_BYTES,
  MAX_TITLE_LENGTH,
  openStore,
  StoreError,
  type Store,
  type StoreChange,
} from '@inpage-mcp/store';
import { countRecords, deleteDatabase, freshDatabaseName } from '../support/database.js';
import { failureOf } from '../support/failure.js';

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

  const codeOf = async (call: Promise<unknown>): Promise<string> => {
    const error = await failureOf(call);
    expect(error).to.be.instanceOf(StoreError);
    return (error as StoreError).code;
  };

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
      size: 6,
      revision: 2,
      updatedAt: updated.updatedAt,
    });
    expect(await store.notes.get(note.id)).to.deep.equal(updated);
    await store.notes.update(note.id, { title: 'c' });
    expect(changes.slice(1)).to.deep.equal([
      { kind: 'note', key: note.id, type: 'updated', listingChanged: false },
      { kind: 'note', key: note.id, type: 'updated', listingChanged: true },
    ]);
  });

  it('refuses an update of another revision and writes nothing', async () => {
    const note = await store.notes.create({ title: 'a', text: 'b' });
    await store.notes.update(note.id, { text: 'c', expectedRevision: 1 });
    expect(await codeOf(store.notes.update(note.id, { text: 'd', expectedRevision: 1 }))).to.equal(
      'conflict',
    );
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
          await notes.update(id, { text: String(Number(text) + 1), expectedRevision: revision });
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

  it('lists newest first, page by page, each note once', async () => {
    const ids: string[] = [];
    for (let index = 0; index < 25; index += 1) {
      ids.unshift((await store.notes.create({ title: `${index}`, text: '' })).id);
    }
    const listed: string[] = [];
    const sizes: number[] = [];
    let before: string | undefined;
    do {
      const page = await store.notes.list(
        before === undefined ? { limit: 10 } : { before, limit: 10 },
      );
      listed.push(...page.notes.map(({ id }) => id));
      sizes.push(page.notes.length);
      before = page.next;
    } while (before !== undefined);
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
    expect(await codeOf(store.notes.list({ before: 'nonsense' }))).to.equal('invalid-argument');
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
