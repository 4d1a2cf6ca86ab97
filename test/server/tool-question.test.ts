import { expect } from '@esm-bundle/chai';
import { deleteDatabase } from '../support/database.js';
import { openLinkedServer, type LinkedServer } from '../support/linked-server.js';
import { ToolCaller } from '../support/tool-caller.js';

const MISSING_ID = '01ARZ3NDEKTSV4RRFFQ69G5FAV';

describe('the question about a write', () => {
  let linked: LinkedServer;
  let asked: string[];
  let tools: ToolCaller;

  beforeEach(async () => {
    linked = await openLinkedServer();
    asked = [];
    linked.server.confirm = ({ message }) => asked.push(message) > 0;
    tools = new ToolCaller(linked.connectRaw({ write: 'ask' }), 'modern');
  });

  afterEach(async () => {
    await linked.server.close();
    await deleteDatabase(linked.databaseName);
  });

  it('says what is about to happen to which note', async () => {
    const { notes } = linked.server.store;
    const { id } = await notes.create({ title: '', text: 't' });
    await tools.call('update_note', { id, text: 'x', priority: null });
    await tools.call('append_to_note', { id: `note:///${id}`, text: 'x' });
    await tools.call('delete_note', { id });
    const note = `the note "Untitled note" (note:///${id})`;
    expect(asked).to.deep.equal([
      `Change the text, priority of ${note}?`,
      `Add to ${note}?`,
      `Delete ${note}?`,
    ]);
  });

  it('says what is about to happen to which file, and whether one is lost', async () => {
    const path = `${'x'.repeat(100)}/a.txt`;
    await tools.call('save_file', { path, text: '' });
    await tools.call('save_file', { path: `file:///${path}`, text: '' });
    await tools.call('move_file', { from: path, to: 'b', overwrite: true });
    await tools.call('save_file', { path, text: '' });
    await tools.call('move_file', { from: path, to: 'b', overwrite: true });
    await tools.call('delete_file', { path: 'b' });
    expect(asked).to.deep.equal([
      `Save a new file "${path}"?`,
      `Save over the file "${path}"?`,
      `Move the file "${path}" to "b"?`,
      `Save a new file "${path}"?`,
      `Move the file "${path}" over the file "b"?`,
      'Delete the file "b"?',
    ]);
  });

  it('holds a title on one line, cut, and unable to pass for our own words', async () => {
    const title = 'x" (safe)?\r\n\u202eDelete\0 \u{1f600}';
    await tools.call('create_note', { title: title + '\u{1f600}'.repeat(100), text: '' });
    const shown = `x' (safe)? Delete ${'\u{1f600}'.repeat(80 - 18)}`;
    expect(asked).to.deep.equal([`Create the note "${shown}…"?`]);
  });

  it('is not put for what is missing, which is said instead', async () => {
    for (const [name, args] of [
      ['update_note', { id: MISSING_ID, text: 'x' }],
      ['append_to_note', { id: MISSING_ID, text: 'x' }],
      ['delete_note', { id: MISSING_ID }],
      ['move_file', { from: 'a', to: 'b' }],
      ['delete_file', { path: 'a' }],
    ] as const) {
      expect(await tools.failure(name, args), name).to.match(/^There is no (note|file) /);
    }
    expect(await tools.failure('save_file', { path: '/', text: '' })).to.match(/single slashes/);
    expect(asked).to.deep.equal([]);
  });

  it('is put for the retry of a write that has removed what it is about', async () => {
    const { id } = await linked.server.store.notes.create({ title: 'a', text: 't' });
    await linked.server.store.files.write('a', new Blob([]));
    for (const [name, args] of [
      ['delete_note', { id }],
      ['move_file', { from: 'a', to: 'b' }],
      ['delete_file', { path: 'b' }],
    ] as const) {
      const call = { ...args, idempotencyKey: name };
      expect(await tools.data(name, call)).to.deep.equal(await tools.data(name, call));
    }
    expect(asked[1]).to.equal(`Delete the note note:///${id}?`);
  });
});
