import { expect } from '@esm-bundle/chai';
import { failureOf } from '../support/failure.js';
import { storeWith } from './archive-under-test.js';
import { useStore } from './store-under-test.js';

/** Each is half of what UTF-16 says with two. */
const LONE = '\ud800a\udfff';
const WHOLE = '\ufffda\ufffd';
const PAIR = '\ud83d\ude00';

describe('half a surrogate pair, which is no Unicode', () => {
  const test = useStore();

  const expectWhole = async (id: string): Promise<void> => {
    const note = await test.store.notes.get(id);
    expect(note).to.include({ title: WHOLE, text: WHOLE, firstLine: WHOLE, size: 7 });
    expect(note.tags).to.deep.equal([WHOLE]);
  };

  it('becomes a replacement character in a new note', async () => {
    const given = { title: LONE, text: LONE, tags: [LONE] };
    const { id, title } = await test.store.notes.create(given);
    expect(title).to.equal(WHOLE);
    await expectWhole(id);
    expect(given).to.deep.equal({ title: LONE, text: LONE, tags: [LONE] });
    const [summary] = await test.store.notes.createAll([given]);
    await expectWhole(summary!.id);
  });

  it('becomes one in an update, and leaves alone what is not given', async () => {
    const { id } = await test.store.notes.create({ title: PAIR, text: PAIR, tags: [PAIR] });
    await test.store.notes.update(id, { title: LONE });
    expect(await test.store.notes.get(id)).to.deep.include({ text: PAIR, tags: [PAIR] });
    await test.store.notes.update(id, { text: LONE, tags: [LONE] });
    await expectWhole(id);
  });

  it('does not become whole by what is added to it', async () => {
    const { id } = await test.store.notes.create({ title: '', text: `a\n${PAIR[0]}` });
    const { text } = await test.store.notes.append(id, PAIR[1]!);
    expect(text).to.equal('a\n\ufffd\n\ufffd');
  });

  it('makes no other call of a retry', async () => {
    const key = { idempotencyKey: 'key' };
    const first = await test.store.notes.create({ title: LONE, text: '' }, key);
    const again = await test.store.notes.create({ title: LONE, text: '' }, key);
    expect(again.id).to.equal(first.id);
    const all = { idempotencyKey: 'all' };
    const made = await test.store.notes.createAll([{ title: LONE, text: '' }], all);
    expect(await test.store.notes.createAll([{ title: LONE, text: '' }], all)).to.deep.equal(made);
  });

  it('is searched for as it is stored', async () => {
    await test.store.notes.create({ title: 'a', text: 'word', tags: [LONE] });
    const { total } = await test.store.notes.search('word', { tag: LONE });
    expect(total).to.equal(1);
  });

  it('is in no path', async () => {
    const write = test.store.files.write(`a${LONE}`, new Blob(['a']));
    expect(await failureOf(write)).to.include({ code: 'invalid-argument' });
  });

  it('comes out of an archive as a replacement character', async () => {
    const summary = {
      id: '01ARZ3NDEKTSV4RRFFQ69G5FAV',
      title: LONE,
      tags: [LONE],
      createdAt: 1,
      updatedAt: 2,
      revision: 3,
    };
    // As notes were stored once.
    await storeWith(test, [{ summary, text: LONE }], []);
    const archive = await new Response(test.store.exportZip()).blob();
    const same = await test.store.importZip(archive);
    // The note there says the same, though its characters are others.
    expect(same.notes).to.include({ unchanged: 1, copied: 0, updated: 0 });
    await test.store.notes.delete(summary.id);
    expect((await test.store.importZip(archive)).notes).to.include({ added: 1 });
    await expectWhole(summary.id);
  });

  it('is read as it was, where it was stored once, and changed like any other', async () => {
    const id = '01ARZ3NDEKTSV4RRFFQ69G5FAV';
    const record = { id, title: LONE, tags: [LONE], createdAt: 1, updatedAt: 2, revision: 3 };
    await storeWith(test, [{ summary: record, text: LONE }], []);
    expect((await test.store.notes.get(id)).title).to.equal(LONE);
    const changed = await test.store.notes.update(id, { tags: [] }, { expectedRevision: 3 });
    expect(changed).to.include({ title: LONE, text: LONE, revision: 4 });
  });
});
