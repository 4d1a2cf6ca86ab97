// Situations in which an editor might lose words: of its user, or of somebody else.
import '@inpage-mcp/elements/define/mcp-note-editor';
import { connectClient, type McpClient } from '@inpage-mcp/client';
import type { McpNoteEditor } from '@inpage-mcp/elements/define/mcp-note-editor';
import { MessagePortTransport } from '@inpage-mcp/transport';
import { expect, fixture, html, nextFrame } from '@open-wc/testing';
import { copyTitle } from '../../packages/elements/src/act/mcp-note-editor/questions.js';
import { eventually, inside } from '../support/elements.js';
import { HeldStorage } from '../support/held-storage.js';
import { useLinkedClient } from '../support/linked-server.js';
import { button, showEditor, textField, type } from '../support/note-editor.js';

describe('<mcp-note-editor> keeps every word', () => {
  const setup = useLinkedClient();
  let storage: HeldStorage;

  beforeEach(() => (storage = new HeldStorage(setup.linked.server.store.notes)));

  const notes = (): typeof setup.linked.server.store.notes => setup.linked.server.store.notes;

  const create = async (words = { title: 'Shopping', text: 'milk' }): Promise<string> =>
    (await notes().create(words)).id;

  const storedText = async (id: string): Promise<string> => (await notes().get(id)).text;

  const allTexts = async (): Promise<string[]> => {
    const { notes: all } = await notes().list();
    return (await Promise.all(all.map(({ id }) => storedText(id)))).toSorted();
  };

  /** An editor of a note. It has a client, too, which reports what others write. */
  const show = (
    noteId: string,
    { client = setup.client, by = storage }: { client?: McpClient; by?: HeldStorage | null } = {},
  ): Promise<McpNoteEditor> => showEditor(noteId, { client, storage: by ?? undefined });

  const titleField = (editor: McpNoteEditor): HTMLInputElement =>
    inside(editor, 'input') as HTMLInputElement;

  const writeAsOther = async (id: string, text: string): Promise<void> => {
    const { title, revision } = await notes().get(id);
    await notes().update(id, { title, text }, { expectedRevision: revision });
  };

  /** A conflict between `mine` in the editor and `theirs` in the store. */
  const conflict = async (title = 'Shopping'): Promise<{ editor: McpNoteEditor; id: string }> => {
    const id = await create({ title, text: 'milk' });
    const editor = await show(id);
    // On a slow machine, the editor would save before the other has written.
    const release = storage.hold('update');
    type(editor, 'mine');
    await writeAsOther(id, 'theirs');
    release();
    await button(editor, 'Keep both');
    return { editor, id };
  };

  const isAskedBeforeLeaving = (): boolean =>
    !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));

  it('puts words into the copy of a conflict that were typed while it was created', async () => {
    const { editor, id } = await conflict();
    const release = storage.hold('create');
    (await button(editor, 'Keep both')).click();
    await eventually(() => storage.calls.includes('create'));
    type(editor, 'mine, and more');
    release();
    await eventually(() => !editor.hasUnsavedWords);
    expect(await allTexts()).to.deep.equal(['mine, and more', 'theirs']);
    await eventually(() => textField(editor).value === 'theirs');
    expect(await storedText(id)).to.equal('theirs');
  });

  for (const isLeft of [false, true])
    it(`creates a copy of each conflict of a note${isLeft ? ', also if it is left in the second one' : ''}`, async () => {
      const { editor, id } = await conflict();
      (await button(editor, 'Keep both')).click();
      await eventually(() => textField(editor).value === 'theirs');
      const release = storage.hold('update');
      type(editor, 'mine 2');
      await writeAsOther(id, 'theirs 2');
      release();
      const keepBoth = await button(editor, 'Keep both');
      if (isLeft) editor.remove();
      else keepBoth.click();
      await eventually(async () => (await allTexts()).length === 3);
      expect(await allTexts()).to.deep.equal(['mine', 'mine 2', 'theirs 2']);
      await eventually(() => !isAskedBeforeLeaving());
    });

  it('saves what was typed during a write, too, where it is told to', async () => {
    const id = await create();
    const editor = await show(id);
    const release = storage.hold('update');
    type(editor, 'a');
    const first = editor.save();
    await eventually(() => storage.calls.includes('update'));
    type(editor, 'a and b');
    const saved = editor.save();
    release();
    await first;
    expect(await saved).to.equal(true);
    expect(await storedText(id)).to.equal('a and b');
  });

  it('makes a copy of a conflict where the note is left', async () => {
    const { editor } = await conflict();
    expect(await editor.leave()).to.equal(true);
    expect(await allTexts()).to.deep.equal(['mine', 'theirs']);
    expect(editor.noteId).to.equal(undefined);
    expect(await editor.leave()).to.equal(true);
  });

  it('waits for the note that was left before', async () => {
    const id = await create();
    const editor = await show(id);
    const release = storage.hold('update');
    type(editor, 'mine');
    editor.noteId = undefined;
    await editor.updateComplete;
    await eventually(() => storage.calls.includes('update'));
    let hasLeft = false;
    const left = editor.leave().finally(() => (hasLeft = true));
    await nextFrame();
    expect(hasLeft).to.equal(false);
    release();
    expect(await left).to.equal(true);
    expect(await storedText(id)).to.equal('mine');
  });

  it('creates one copy, also if it is asked twice, or left during the write', async () => {
    const { editor } = await conflict();
    const release = storage.hold('create');
    const keepBoth = await button(editor, 'Keep both');
    keepBoth.click();
    keepBoth.click();
    await eventually(() => storage.calls.includes('create'));
    editor.remove();
    await nextFrame();
    release();
    await eventually(() => !isAskedBeforeLeaving());
    expect(await allTexts()).to.deep.equal(['mine', 'theirs']);
  });

  it('creates one copy if the answer to the first attempt was lost', async () => {
    const { editor } = await conflict();
    storage.failures.set('create', { error: new Error('lost'), isCarriedOut: true });
    (await button(editor, 'Keep both')).click();
    await eventually(() => inside(editor, '[part=question]').textContent.includes('lost'));
    storage.failures.clear();
    (await button(editor, 'Keep both')).click();
    await eventually(() => !editor.hasUnsavedWords);
    expect(await allTexts()).to.deep.equal(['mine', 'theirs']);
  });

  it('keeps both versions of a note with the longest title', async () => {
    const title = `${'x'.repeat(988)}${'😀'.repeat(6)}`;
    expect(title).to.have.length(1_000);
    const { editor } = await conflict(title);
    (await button(editor, 'Keep both')).click();
    await eventually(() => !editor.hasUnsavedWords);
    const { notes: all } = await notes().list();
    const copy = all.find((note) => note.title !== title)!;
    expect(copy.title).to.match(/^x{985}.* \(my version\)$|^x+ \(my version\)$/u);
    expect(copy.title.isWellFormed()).to.equal(true);
    expect(await allTexts()).to.deep.equal(['mine', 'theirs']);
  });

  it('shortens the title of a copy to the limit, and no shorter', () => {
    const added = ' (my version)'.length;
    for (const length of [1, 1_000 - added])
      expect(copyTitle('x'.repeat(length))).to.equal(`${'x'.repeat(length)} (my version)`);
    for (const length of [1_001 - added, 1_000])
      expect(copyTitle('x'.repeat(length))).to.have.length(1_000);
    // Only another server has longer ones.
    expect(copyTitle('x'.repeat(1_001))).to.have.length(1_001 + added);
  });

  it('puts words into the new note that were typed while it was created', async () => {
    const id = await create();
    const editor = await show(id);
    type(editor, 'still here');
    await notes().delete(id);
    const release = storage.hold('create');
    (await button(editor, 'Save as a new note')).click();
    await eventually(() => storage.calls.includes('create'));
    type(editor, 'still here, and more');
    release();
    await eventually(() => editor.noteId !== id);
    expect(await allTexts()).to.deep.equal(['still here, and more']);
    await eventually(
      () =>
        editor.shadowRoot?.querySelector('textarea')?.value === 'still here, and more' &&
        !editor.hasUnsavedWords,
    );
  });

  it('does not bring back old words when an answer from before a write comes late', async () => {
    const id = await create();
    const editor = await show(id);
    const reads = storage.calls.length;
    const release = storage.hold('get', true);
    // A change of the tags is reported, too, and has the old words.
    await notes().update(id, { tags: ['a'] }, { expectedRevision: 1 });
    await eventually(() => storage.calls.length > reads);
    type(editor, 'new words');
    expect(await editor.save()).to.equal(true);
    release();
    for (let frame = 0; frame < 5; frame += 1) await nextFrame();
    expect(textField(editor).value).to.equal('new words');
    expect(await storedText(id)).to.equal('new words');
  });

  it('shows a note that comes back with a lower revision, as from an older export', async () => {
    const id = await create();
    const { store } = setup.linked.server;
    const zip = await new Response(store.exportZip()).blob();
    await writeAsOther(id, 'milk and bread');
    const editor = await show(id);
    await eventually(() => textField(editor).value === 'milk and bread');
    await notes().delete(id);
    await eventually(() => editor.shadowRoot!.querySelector('textarea') === null);
    await store.importZip(zip);
    await eventually(() => textField(editor).value === 'milk');
    expect(editor.hasUnsavedWords).to.equal(false);
  });

  it('does not take a change of other things than words for a conflict', async () => {
    const id = await create();
    const editor = await show(id, { client: await setup.linked.connect() });
    editor.client = undefined;
    await editor.updateComplete;
    await notes().update(id, { tags: ['a'] }, { expectedRevision: 1 });
    type(editor, 'mine');
    expect(await editor.save()).to.equal(true);
    const { text, tags } = await notes().get(id);
    expect([text, tags]).to.deep.equal(['mine', ['a']]);
  });

  it('asks before the page is left until the words of a note that was left are stored', async () => {
    const id = await create();
    const editor = await show(id);
    const release = storage.hold('update');
    type(editor, 'on the way');
    editor.remove();
    await nextFrame();
    expect(isAskedBeforeLeaving()).to.equal(true);
    release();
    await eventually(() => !isAskedBeforeLeaving());
    expect(await storedText(id)).to.equal('on the way');
  });

  it('goes on with its words, its caret and its note when it is moved in the page', async () => {
    const id = await create();
    const editor = await show(id);
    type(editor, 'on the move');
    await editor.updateComplete;
    textField(editor).setSelectionRange(3, 3);
    const reads = storage.calls.length;
    const box = document.createElement('div');
    editor.after(box);
    box.append(editor);
    await nextFrame();
    expect(textField(editor).value).to.equal('on the move');
    expect(textField(editor).selectionStart).to.equal(3);
    expect(storage.calls.slice(reads)).not.to.include('get');
    expect(await editor.save()).to.equal(true);
    expect(await storedText(id)).to.equal('on the move');
  });

  it('shows the words that were just typed when it comes back to a note', async () => {
    const [first, second] = [await create(), await create({ title: 'Other', text: 'other' })];
    const editor = await show(first);
    const release = storage.hold('update');
    type(editor, 'of the first');
    editor.noteId = second;
    await eventually(() => editor.shadowRoot?.querySelector('textarea')?.value === 'other');
    editor.noteId = first;
    await nextFrame();
    release();
    await eventually(() => editor.shadowRoot?.querySelector('textarea')?.value);
    expect(textField(editor).value).to.equal('of the first');
    type(editor, 'of the first, and more');
    expect(await editor.save()).to.equal(true);
    expect(await storedText(first)).to.equal('of the first, and more');
  });

  it('takes its words along to another client, also after some time without one', async () => {
    const id = await create();
    const first = await setup.linked.connect();
    const editor = await show(id, { client: first, by: null });
    await first.close();
    type(editor, 'not lost');
    await editor.save();
    editor.client = undefined;
    await editor.updateComplete;
    expect(textField(editor).value).to.equal('not lost');
    expect((await button(editor, 'Try again')).disabled).to.equal(true);
    editor.client = setup.client;
    await eventually(() => !editor.hasUnsavedWords);
    expect(await storedText(id)).to.equal('not lost');
    await writeAsOther(id, 'theirs');
    await eventually(() => textField(editor).value === 'theirs');
  });

  it('stays as it is when a client comes that reports changes', async () => {
    const id = await create();
    const editor = await show(id);
    editor.client = undefined;
    await editor.updateComplete;
    const text = textField(editor);
    text.setSelectionRange(3, 3);
    editor.client = setup.client;
    await editor.updateComplete;
    await nextFrame();
    expect(textField(editor)).to.equal(text);
    expect(text.selectionStart).to.equal(3);
    await writeAsOther(id, 'theirs');
    await eventually(() => text.value === 'theirs');
  });

  it('writes again at the new place what was under way to the old one', async () => {
    const id = await create();
    const editor = await show(id);
    const release = storage.hold('update');
    type(editor, 'under way');
    const saving = editor.save();
    storage.failures.set('update', { error: new Error('broken') });
    editor.storage = new HeldStorage(notes());
    await editor.updateComplete;
    release();
    await saving;
    expect(editor.hasUnsavedWords).to.equal(false);
    expect(await storedText(id)).to.equal('under way');
  });

  it('saves what was typed without a connection when the client has reconnected', async () => {
    const id = await create();
    const transports: MessagePortTransport[] = [];
    let isReachable = true;
    const client = await connectClient(() => {
      if (!isReachable) throw new Error('out of reach');
      transports.push(new MessagePortTransport(setup.linked.openPort()));
      return transports.at(-1)!;
    });
    const editor = await show(id, { client, by: null });
    isReachable = false;
    type(editor, 'typed without a connection');
    await transports.at(-1)!.close();
    const saving = editor.save();
    await eventually(() => client.state === 'reconnecting');
    isReachable = true;
    expect(await saving).to.equal(true);
    expect(await storedText(id)).to.equal('typed without a connection');
    await client.close();
  });

  it('takes a write for its own whose answer was lost, and goes on from there', async () => {
    const id = await create();
    const editor = await show(id);
    storage.failures.set('update', { error: new Error('lost'), isCarriedOut: true });
    type(editor, 'one');
    await editor.save();
    expect(editor.matches(':state(failed)')).to.equal(true);
    storage.failures.clear();
    type(editor, 'one, two');
    expect(await editor.save()).to.equal(true);
    expect(editor.shadowRoot!.querySelector('[part=theirs]')).to.equal(null);
    expect(await storedText(id)).to.equal('one, two');
  });

  it('writes the old words again over newer ones that were stored without an answer', async () => {
    const id = await create();
    const editor = await show(id);
    storage.failures.set('update', { error: new Error('lost'), isCarriedOut: true });
    type(editor, 'milk, bread');
    await editor.save();
    storage.failures.clear();
    type(editor, 'milk');
    expect(await editor.save()).to.equal(true);
    expect(await storedText(id)).to.equal('milk');
  });

  it('writes once if the answer was lost and the same words are saved again', async () => {
    const id = await create();
    const editor = await show(id);
    storage.failures.set('update', { error: new Error('lost'), isCarriedOut: true });
    type(editor, 'one');
    await editor.save();
    storage.failures.clear();
    await editor.save();
    expect(editor.hasUnsavedWords).to.equal(false);
    expect((await notes().get(id)).revision).to.equal(2);
  });

  it('shows in a conflict what the others have written last', async () => {
    const { editor, id } = await conflict();
    await writeAsOther(id, 'theirs, later');
    await eventually(() => inside(editor, '[part=theirs]').textContent.includes('theirs, later'));
    (await button(editor, 'Take theirs')).click();
    await eventually(() => textField(editor).value === 'theirs, later');
    type(editor, 'after that');
    expect(await editor.save()).to.equal(true);
    expect(await storedText(id)).to.equal('after that');
  });

  it('shows what others wrote right after its own write', async () => {
    const id = await create();
    const editor = await show(id);
    const release = storage.hold('update', true);
    type(editor, 'mine');
    const saving = editor.save();
    await eventually(() => storage.calls.includes('update'));
    await nextFrame();
    await writeAsOther(id, 'mine, and theirs');
    // The report of that change comes while the answer to the write is still under way.
    for (let frame = 0; frame < 30; frame += 1) await nextFrame();
    release();
    await saving;
    await eventually(() => textField(editor).value === 'mine, and theirs');
  });

  /** An editor in which a character of several keys is begun, and another version comes. */
  const composing = async (): Promise<{ editor: McpNoteEditor; id: string; end: () => void }> => {
    const id = await create();
    const editor = await show(id);
    const fire = (name: string): unknown =>
      textField(editor).dispatchEvent(new CompositionEvent(name, { bubbles: true }));
    fire('compositionstart');
    const reads = storage.calls.length;
    await writeAsOther(id, 'theirs');
    await eventually(() => storage.calls.length > reads);
    for (let frame = 0; frame < 5; frame += 1) await nextFrame();
    expect(textField(editor).value).to.equal('milk');
    return { editor, id, end: () => fire('compositionend') };
  };

  it('does not break off a character of several keys, and notices the conflict', async () => {
    const { editor, id, end } = await composing();
    type(editor, 'milk に');
    end();
    await button(editor, 'Keep both');
    expect(textField(editor).value).to.equal('milk に');
    expect(await storedText(id)).to.equal('theirs');
  });

  it('shows what had to wait for a composition that has changed nothing', async () => {
    const { editor, end } = await composing();
    end();
    await eventually(() => textField(editor).value === 'theirs');
  });

  it('leaves line ends and the other field as they are stored', async () => {
    // Another server may have titles with line ends, which a field cannot show.
    const shown = { id: 'a', title: 'Two\nlines', text: 'one\r\ntwo\r\n', revision: 1 };
    const written: unknown[] = [];
    const foreign = {
      get: () => Promise.resolve(shown),
      create: () => Promise.reject(new Error('no')),
      update: (_: string, words: unknown) => {
        written.push(words);
        return Promise.resolve({ revision: 2 });
      },
    };
    const editor = await fixture<McpNoteEditor>(
      html`<mcp-note-editor .storage=${foreign} note-id="a"></mcp-note-editor>`,
    );
    await eventually(() => editor.shadowRoot?.querySelector('textarea')?.value);
    type(editor, 'one\ntwo\nthree\n');
    await editor.save();
    titleField(editor).value = 'One line';
    titleField(editor).dispatchEvent(new InputEvent('input', { bubbles: true }));
    await editor.save();
    expect(written).to.deep.equal([
      { title: 'Two\nlines', text: 'one\r\ntwo\r\nthree\r\n' },
      { title: 'One line', text: 'one\r\ntwo\r\nthree\r\n' },
    ]);
  });

  it('writes nothing if what was typed is gone again', async () => {
    const id = await create();
    const editor = await show(id);
    type(editor, 'milk!');
    type(editor, 'milk');
    expect(await editor.save()).to.equal(true);
    expect(storage.calls).not.to.include('update');
  });

  it('goes on showing a note that could not be read again', async () => {
    const id = await create();
    const editor = await show(id);
    storage.failures.set('get', { error: new Error('for now') });
    const reads = storage.calls.length;
    await writeAsOther(id, 'theirs');
    await eventually(() => storage.calls.length > reads);
    await nextFrame();
    expect(textField(editor).value).to.equal('milk');
    storage.failures.clear();
    type(editor, 'mine');
    await button(editor, 'Keep both');
  });
});
