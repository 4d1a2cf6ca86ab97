import { expect } from '@esm-bundle/chai';
import { MAX_TAG_LENGTH, MAX_TAGS, MAX_TEXT_BYTES, MAX_TITLE_LENGTH } from '@inpage-mcp/store';
import { failureOf } from '../support/failure.js';
import { useLinkedServer } from '../support/linked-server.js';
import { toolsOf, type ToolCaller } from '../support/tool-caller.js';

const MISSING_ID = '01ARZ3NDEKTSV4RRFFQ69G5FAV';

interface WrittenNote {
  id: string;
  uri: string;
  revision: number;
}

const linked = useLinkedServer();

describe('tools that write notes', () => {
  let tools: ToolCaller;

  beforeEach(() => {
    tools = toolsOf(linked);
  });

  it('create a note and answer with its record and a link to it', async () => {
    const { content, structuredContent } = await tools.call('create_note', {
      title: 'Shopping',
      text: '# Milk\nand eggs',
      tags: ['home'],
      audience: ['user'],
      priority: 1,
    });
    const { notes } = await linked.server.store.notes.list();
    const [note] = notes;
    expect(note).to.include({ title: 'Shopping', priority: 1, revision: 1 });
    const uri = `note:///${note?.id}`;
    const updatedAt = new Date(note?.updatedAt ?? 0).toISOString();
    expect(structuredContent).to.deep.equal({
      id: note?.id,
      uri,
      title: 'Shopping',
      tags: ['home'],
      revision: 1,
      size: 15,
      updatedAt,
    });
    const [text, link, ...rest] = content;
    expect(text).to.deep.equal({ type: 'text', text: JSON.stringify(structuredContent) });
    expect(link).to.deep.include({ type: 'resource_link', uri, name: 'Shopping', size: 15 });
    expect(link?.annotations).to.deep.equal({
      audience: ['user'],
      priority: 1,
      lastModified: updatedAt,
    });
    expect(rest).to.deep.equal([]);
  });

  it('change what is given and leave the rest, by the id or the uri', async () => {
    const { notes } = linked.server.store;
    const { id } = await notes.create({ title: 'a', text: 't', tags: ['x'], priority: 0.5 });
    const first = await tools.data('update_note', { id, title: 'b', expectedRevision: 1 });
    expect(first).to.deep.include({ id, title: 'b', tags: ['x'], revision: 2, size: 1 });
    const uri = `note:///${id}`;
    const second = await tools.data('update_note', { id: uri, text: '', priority: null });
    expect(second).to.deep.include({ id, title: 'b', revision: 3, size: 0 });
    const note = await notes.get(id);
    expect(note).to.deep.include({ title: 'b', text: '', tags: ['x'] });
    expect(note).not.to.have.property('priority');
  });

  it('take an argument that is undefined as one that is not there', async () => {
    const { notes } = linked.server.store;
    const args = { title: 'a', text: 't', tags: undefined, idempotencyKey: undefined };
    const { id } = await tools.data<WrittenNote>('create_note', args);
    await tools.call('update_note', { id, title: undefined, text: 'u', audience: undefined });
    expect(await notes.get(id)).to.deep.include({ title: 'a', text: 'u', tags: [] });
  });

  it('add to the end of a note, on a line of its own', async () => {
    const { notes } = linked.server.store;
    const { id } = await notes.create({ title: 'a', text: 'one' });
    const added = await tools.data('append_to_note', { id, text: 'two' });
    expect(added).to.deep.include({ id, revision: 2, size: 7 });
    expect((await notes.get(id)).text).to.equal('one\ntwo');
  });

  it('delete a note', async () => {
    const { notes } = linked.server.store;
    const { id } = await notes.create({ title: 'a', text: 't' });
    const uri = `note:///${id}`;
    const { content, structuredContent } = await tools.call('delete_note', { id });
    expect(structuredContent).to.deep.equal({ id, uri, title: 'a', deleted: true });
    expect(content).to.have.length(1);
    expect(await failureOf(notes.get(id))).to.include({ code: 'not-found' });
  });
});

describe('tools that write notes', () => {
  let tools: ToolCaller;

  beforeEach(() => {
    tools = toolsOf(linked);
  });

  it('refuse a revision that is no longer the current one, and write nothing', async () => {
    const { notes } = linked.server.store;
    const { id } = await notes.create({ title: 'a', text: 'secret' });
    await notes.update(id, { title: 'b' });
    const stale = { id, expectedRevision: 1 };
    const calls = [
      ['update_note', { ...stale, text: 'c' }],
      ['append_to_note', { ...stale, text: 'c' }],
      ['delete_note', stale],
    ] as const;
    for (const [name, args] of calls) {
      const message = await tools.failure(name, args);
      expect(message).to.equal(`The note ${id} has revision 2, not 1: read it again.`);
    }
    expect(await notes.get(id)).to.include({ title: 'b', text: 'secret', revision: 2 });
  });

  it('say which note is missing and how to find it', async () => {
    for (const id of [MISSING_ID, `note:///${MISSING_ID}`]) {
      for (const [name, args] of [
        ['update_note', { id, text: 'c' }],
        ['append_to_note', { id, text: 'c' }],
        ['delete_note', { id }],
      ] as const) {
        const message = await tools.failure(name, args);
        expect(message).to.contain(`There is no note "${MISSING_ID}".`);
        expect(message).to.contain('search_notes');
      }
    }
  });

  it('refuse what names no note, without repeating much of it', async () => {
    const long = 'x'.repeat(2_000);
    for (const id of ['file:///a', 'note:///search?q=a', 'note:///../x', 'search?q=a', long]) {
      const message = await tools.failure('delete_note', { id });
      expect(message).to.match(/^There is no note "/);
      expect(message.length).to.be.below(250);
    }
    expect(await tools.failure('delete_note', { id: 'a" b\n\u202ec' })).to.contain(`"a' b c"`);
  });

  it('refuse an update that changes nothing', async () => {
    const { id } = await linked.server.store.notes.create({ title: 'a', text: 't' });
    const message = await tools.failure('update_note', { id, expectedRevision: 1 });
    expect(message).to.contain('give at least one of title, text, tags, audience and priority');
  });

  it('hold to the limits of the store, at each and one past it', async () => {
    linked.server.setLimits({ page: { messageBytes: Infinity } });
    tools = toolsOf(linked, 'modern');
    const { notes } = linked.server.store;
    const good = { title: 'a', text: 't' };
    const within = [
      { title: 'x'.repeat(MAX_TITLE_LENGTH) },
      { text: 'x'.repeat(MAX_TEXT_BYTES) },
      { text: 'ä'.repeat(MAX_TEXT_BYTES / 2) },
      { tags: Array.from({ length: MAX_TAGS }, () => 'x'.repeat(MAX_TAG_LENGTH)) },
      { priority: 0 },
      { audience: ['user', 'assistant'] },
      { idempotencyKey: 'x'.repeat(200) },
    ];
    for (const args of within) await tools.call('create_note', { ...good, ...args });
    expect(await notes.count()).to.equal(within.length);
    const past = [
      [{ title: 'x'.repeat(MAX_TITLE_LENGTH + 1) }, /title: .*1000/],
      [{ text: 'x'.repeat(MAX_TEXT_BYTES + 1) }, /text: .*8388608/],
      [{ text: 'ä'.repeat(MAX_TEXT_BYTES / 2 + 1) }, /8388610 bytes; at most 8388608/],
      [{ tags: Array.from({ length: MAX_TAGS + 1 }, () => '') }, /tags: .*100/],
      [{ tags: ['x'.repeat(MAX_TAG_LENGTH + 1)] }, /tags\.0: .*100/],
      [{ priority: 1.01 }, /priority: .*1/],
      [{ audience: [] }, /audience: /],
      [{ audience: ['user', 'user'] }, /audience: must not have the same item twice/],
      [{ audience: ['nobody'] }, /audience\.0: must be one of "user", "assistant"/],
      [{ idempotencyKey: 'x'.repeat(201) }, /idempotencyKey: .*200/],
      [{ idempotencyKey: '' }, /idempotencyKey: /],
      [{ title: undefined }, /title: /],
      [{ text: 1 }, /text: .*string/],
    ] as const;
    for (const [args, message] of past) {
      expect(await tools.failure('create_note', { ...good, ...args })).to.match(message);
    }
    expect(await notes.count()).to.equal(within.length);
  });

  it('do once what is repeated with the same idempotency key', async () => {
    const { notes } = linked.server.store;
    const twice = async (name: string, args: object): Promise<WrittenNote> => {
      const call = { ...args, idempotencyKey: `of-${name}` };
      const first = await tools.data<WrittenNote>(name, call);
      expect(await tools.data(name, call)).to.deep.equal(first);
      return first;
    };
    const { id } = await twice('create_note', { title: 'a', text: 't' });
    expect(await notes.count()).to.equal(1);
    expect((await twice('append_to_note', { id, text: 'u' })).revision).to.equal(2);
    expect((await twice('update_note', { id, tags: ['x'] })).revision).to.equal(3);
    expect(await notes.get(id)).to.deep.include({ text: 't\nu', tags: ['x'], revision: 3 });
    await twice('delete_note', { id });
    expect(await notes.count()).to.equal(0);
    const other = { title: 'other', text: 't', idempotencyKey: 'of-create_note' };
    expect(await tools.failure('create_note', other)).to.contain('used for another write');
  });

  it('write nothing and answer nothing once they are cancelled', async () => {
    const { notes } = linked.server.store;
    const { id } = await notes.create({ title: 'a', text: 't' });
    for (const [name, args] of [
      ['create_note', { title: 'cancelled', text: 't' }],
      ['update_note', { id, title: 'cancelled' }],
      ['append_to_note', { id, text: 'cancelled' }],
      ['delete_note', { id }],
    ] as const) {
      const requestId = await tools.postCancelled(linked.databaseName, name, args);
      // Writes wait for each other: when this one is done, so is the one before.
      await tools.call('append_to_note', { id, text: 'next' });
      expect(tools.hasAnswered(requestId), name).to.be.false;
    }
    expect(await notes.count()).to.equal(1);
    expect(await notes.get(id)).to.include({ title: 'a', text: 't\nnext\nnext\nnext\nnext' });
  });
});
