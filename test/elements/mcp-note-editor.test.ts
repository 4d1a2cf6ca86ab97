import '@inpage-mcp/elements/define/mcp-note-editor';
import { connectClient } from '@inpage-mcp/client';
import { MessagePortTransport } from '@inpage-mcp/transport';
import { expect, fixture, html, nextFrame, oneEvent } from '@open-wc/testing';
import type {
  McpNoteLostEvent,
  McpNoteSaveEvent,
} from '../../packages/elements/src/act/mcp-note-editor/events.js';
import type { McpNoteEditor } from '../../packages/elements/src/act/mcp-note-editor/mcp-note-editor.js';
import type { NoteStorage } from '../../packages/elements/src/act/mcp-note-editor/note-storage.js';
import { eventually, expectFocus, inside } from '../support/elements.js';
import { useLinkedClient } from '../support/linked-server.js';
import { button, showEditor, textField, type } from '../support/note-editor.js';
import { casesOf } from '../support/test-size.js';

describe('<mcp-note-editor>', () => {
  const setup = useLinkedClient();
  const notes = (): typeof setup.linked.server.store.notes => setup.linked.server.store.notes;

  const show = (
    noteId: string,
    storage: NoteStorage | undefined = notes(),
  ): Promise<McpNoteEditor> => showEditor(noteId, { client: setup.client, storage });

  const create = async (): Promise<string> =>
    (await notes().create({ title: 'Shopping', text: 'milk' })).id;

  /** A conflict between `mine` in the editor and `theirs` in the store. */
  const conflict = async (): Promise<{ editor: McpNoteEditor; id: string }> => {
    const id = await create();
    const editor = await show(id);
    type(editor, 'mine');
    await notes().update(id, { title: 'Shopping', text: 'theirs' }, { expectedRevision: 1 });
    await button(editor, 'Keep both');
    return { editor, id };
  };

  it('shows the title and the text of a note', async () => {
    const editor = await show(await create());
    expect((inside(editor, 'input') as HTMLInputElement).value).to.equal('Shopping');
    expect(textField(editor).value).to.equal('milk');
    await expect(editor).to.be.accessible();
  });

  it('saves what was typed after a pause, and says so by an event', async () => {
    const id = await create();
    const editor = await show(id);
    queueMicrotask(() => type(editor, 'milk, bread'));
    const event = (await oneEvent(editor, 'mcp-note-save')) as unknown as McpNoteSaveEvent;
    expect(event.noteId).to.equal(id);
    expect(event.revision).to.equal(2);
    expect((await notes().get(id)).text).to.equal('milk, bread');
    expect(editor.hasUnsavedWords).to.equal(false);
  });

  it('saves also what was typed while a write was under way', async () => {
    const id = await create();
    const store = notes();
    let release = (): void => undefined;
    const slow: NoteStorage = {
      get: (note) => store.get(note),
      create: (note, options) => store.create(note, options),
      update: async (...args) => {
        await new Promise<void>((resolve) => (release = resolve));
        return await store.update(...args);
      },
    };
    const editor = await show(id, slow);
    type(editor, 'first');
    const saving = editor.save();
    type(editor, 'second');
    release();
    await saving;
    await eventually(() => {
      release();
      return !editor.hasUnsavedWords && !editor.matches(':state(saving)');
    });
    expect((await store.get(id)).text).to.equal('second');
  });

  it('shows what others write, and leaves the caret where it is', async () => {
    const id = await create();
    const editor = await show(id);
    textField(editor).setSelectionRange(2, 2);
    await notes().update(id, { title: 'Shopping', text: 'milk, tea' }, { expectedRevision: 1 });
    await eventually(() => textField(editor).value === 'milk, tea');
    expect(textField(editor).selectionStart).to.equal(2);
  });

  it('shows both versions after a conflict, and is accessible then', async () => {
    const { editor } = await conflict();
    expect(textField(editor).value).to.equal('mine');
    expect(inside(editor, '[part=theirs] pre').textContent).to.contain('theirs');
    expect(inside(editor, '[part=question]').getAttribute('role')).to.equal('alert');
    expect(editor.matches(':state(conflict)')).to.equal(true);
    await expect(editor).to.be.accessible();
  });

  it('shows what nobody sees in the version of somebody else', async () => {
    const id = await create();
    const editor = await show(id);
    type(editor, 'mine');
    const hidden = `milk\u202E${'\uFE0F'.repeat(900)}.\r\ntea`;
    await notes().update(id, { title: 'S\u200Bhop', text: hidden }, { expectedRevision: 1 });
    await button(editor, 'Keep both');
    const words = inside(editor, '[part=theirs]').textContent.replaceAll(/\r\n?/g, '\n');
    expect(words).to.contain('milk⟨U+202E … U+FE0F: 901⟩.\ntea').and.to.contain('S⟨U+200B⟩hop');
    (await button(editor, 'Take theirs')).click();
    await eventually(() => textField(editor).value.endsWith('tea'));
    expect((await notes().get(id)).text).to.equal(hidden);
  });

  it('goes on in the text after a decision', async () => {
    const { editor } = await conflict();
    const theirs = await button(editor, 'Take theirs');
    theirs.focus();
    theirs.click();
    await editor.updateComplete;
    expectFocus(editor, textField(editor));
  });

  it('shows lines of both versions however long the other title is', async () => {
    const id = await create();
    const editor = await show(id);
    type(editor, 'mine');
    const title = 'x'.repeat(900);
    await notes().update(id, { title, text: 'theirs' }, { expectedRevision: 1 });
    await button(editor, 'Keep both');
    const { height } = inside(editor, '[part=theirs] pre').getBoundingClientRect();
    expect(height).to.be.at.least(80);
    expect(inside(editor, '.editor').scrollWidth).to.be.at.most(editor.clientWidth);
    await expect(editor).to.be.accessible();
  });

  it('keeps the version of the user', async () => {
    const { editor, id } = await conflict();
    (await button(editor, 'Keep mine')).click();
    await eventually(() => !editor.hasUnsavedWords);
    expect((await notes().get(id)).text).to.equal('mine');
  });

  for (const [lines, shown] of [
    [2_000, 'pre'],
    [2_001, 'textarea'],
  ] as const)
    it(`shows a version of ${lines} lines in a <${shown}>`, async () => {
      const id = await create();
      const editor = await show(id);
      type(editor, 'mine');
      const text = '\n'.repeat(lines - 1);
      await notes().update(id, { title: 'Shopping', text }, { expectedRevision: 1 });
      await eventually(() => editor.shadowRoot!.querySelector(`[part=theirs] ${shown}`));
      expect(editor.shadowRoot!.querySelectorAll('[part=theirs] span').length).to.equal(
        shown === 'pre' ? lines : 0,
      );
    });

  it('takes the version of somebody else', async () => {
    const { editor, id } = await conflict();
    (await button(editor, 'Take theirs')).click();
    await eventually(() => textField(editor).value === 'theirs');
    expect(editor.hasUnsavedWords).to.equal(false);
    expect((await notes().get(id)).text).to.equal('theirs');
  });

  it('keeps both versions, each as a note', async () => {
    const { editor, id } = await conflict();
    (await button(editor, 'Keep both')).click();
    await eventually(() => textField(editor).value === 'theirs');
    const { notes: all } = await setup.linked.server.store.notes.list();
    expect(all.map(({ title }) => title)).to.have.members(['Shopping', 'Shopping (my version)']);
    expect((await notes().get(id)).text).to.equal('theirs');
  });

  it('asks nothing if somebody else wrote the same words', async () => {
    const id = await create();
    const editor = await show(id);
    type(editor, 'same');
    await notes().update(id, { title: 'Shopping', text: 'same' }, { expectedRevision: 1 });
    await eventually(() => !editor.hasUnsavedWords);
    expect(editor.shadowRoot!.querySelector('[part=question]')).to.equal(null);
  });

  it('keeps the words of a note that was deleted, and saves them as a new one', async () => {
    const id = await create();
    const editor = await show(id);
    type(editor, 'still here');
    await setup.linked.server.store.notes.delete(id);
    (await button(editor, 'Save as a new note')).click();
    await eventually(() => editor.noteId !== id && !editor.hasUnsavedWords);
    const field = 'textarea[part=text]';
    await eventually(
      () => editor.shadowRoot!.querySelector<HTMLTextAreaElement>(field)?.value === 'still here',
    );
    expect((await notes().get(editor.noteId!)).text).to.equal('still here');
  });

  it('goes on in the text of the new note', async () => {
    const id = await create();
    const editor = await show(id);
    type(editor, 'still here');
    await notes().delete(id);
    const save = await button(editor, 'Save as a new note');
    save.focus();
    save.click();
    await eventually(() => editor.noteId !== id && editor.shadowRoot!.querySelector('textarea'));
    expect(editor.shadowRoot!.activeElement?.getAttribute('part')).to.equal('text');
  });

  it('leaves the focus where the user has moved it while the new note was saved', async () => {
    const id = await create();
    const editor = await show(id);
    const other = document.createElement('button');
    editor.after(other);
    type(editor, 'still here');
    await notes().delete(id);
    const save = await button(editor, 'Save as a new note');
    save.focus();
    save.click();
    other.focus();
    await eventually(() => editor.noteId !== id && editor.shadowRoot!.querySelector('textarea'));
    expect(document.activeElement?.localName).to.equal('button');
  });

  it('goes to the button that tries again when the note that has the focus is gone', async () => {
    const id = await create();
    const editor = await show(id);
    textField(editor).focus();
    await notes().delete(id);
    await button(editor, 'Try again');
    expect(editor.shadowRoot!.activeElement?.textContent).to.contain('Try again');
  });

  it('says why words could not be saved, and tries again', async () => {
    const id = await create();
    const store = notes();
    let isFull = true;
    const full: NoteStorage = {
      get: (note) => store.get(note),
      create: (note, options) => store.create(note, options),
      update: async (...args) => {
        if (isFull) throw new Error('The disk is full.');
        return await store.update(...args);
      },
    };
    const editor = await show(id, full);
    type(editor, 'words');
    await editor.save();
    await editor.updateComplete;
    expect(inside(editor, '[role=alert]').textContent).to.contain('The disk is full.');
    await expect(editor).to.be.accessible();
    isFull = false;
    (await button(editor, 'Try again')).click();
    await eventually(() => !editor.hasUnsavedWords);
    expect((await store.get(id)).text).to.equal('words');
  });

  it('asks before the page is left only while there are unsaved words', async () => {
    const id = await create();
    const editor = await show(id);
    const isAsking = (): boolean =>
      !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
    expect(isAsking()).to.equal(false);
    type(editor, 'unsaved');
    expect(isAsking()).to.equal(true);
    await editor.save();
    expect(isAsking()).to.equal(false);
  });

  it('saves its words when it leaves the page, or shows another note', async () => {
    const first = await create();
    const second = await create();
    const editor = await show(first);
    type(editor, 'of the first');
    editor.noteId = second;
    await eventually(() => editor.shadowRoot?.querySelector('textarea')?.value === 'milk');
    type(editor, 'of the second');
    editor.remove();
    await eventually(async () => (await notes().get(second)).text === 'of the second');
    await eventually(async () => (await notes().get(first)).text === 'of the first');
  });

  it('keeps both versions when it is left during a conflict', async () => {
    const { editor, id } = await conflict();
    editor.remove();
    await eventually(async () => (await setup.linked.server.store.notes.list()).notes.length === 2);
    expect((await notes().get(id)).text).to.equal('theirs');
  });

  it('hands words over that it could not save when it left', async () => {
    const id = await create();
    const store = notes();
    const broken: NoteStorage = {
      get: (note) => store.get(note),
      create: () => Promise.reject(new Error('no')),
      update: () => Promise.reject(new Error('no')),
    };
    const editor = await show(id, broken);
    type(editor, 'precious');
    queueMicrotask(() => editor.remove());
    const event = (await oneEvent(window, 'mcp-note-lost')) as unknown as McpNoteLostEvent;
    expect(event.words).to.deep.equal({ title: 'Shopping', text: 'precious' });
  });

  it('reads and writes by the tools of a client', async () => {
    const id = await create();
    const editor = await fixture<McpNoteEditor>(
      html`<mcp-note-editor .client=${setup.client} note-id=${id}></mcp-note-editor>`,
    );
    await eventually(() => editor.shadowRoot?.querySelector('textarea')?.value);
    type(editor, 'by a tool');
    expect(await editor.save()).to.equal(true);
    expect((await notes().get(id)).text).to.equal('by a tool');
    type(editor, 'mine');
    await notes().update(id, { title: 'Shopping', text: 'theirs' }, { expectedRevision: 2 });
    await button(editor, 'Keep both');
  });

  it('writes down no title for a note that has none', async () => {
    const { id } = await notes().create({ title: '', text: '' });
    const editor = await fixture<McpNoteEditor>(
      html`<mcp-note-editor .client=${setup.client} note-id=${id}></mcp-note-editor>`,
    );
    await eventually(() => editor.shadowRoot?.querySelector('textarea'));
    expect((inside(editor, 'input') as HTMLInputElement).value).to.equal('');
    type(editor, 'milk');
    expect(await editor.save()).to.equal(true);
    expect(await notes().get(id)).to.include({ title: '', text: 'milk' });
  });

  it('shows a note that the server does not let it change, in fields that can only be read', async () => {
    const id = await create();
    const client = await connectClient(
      new MessagePortTransport(setup.linked.openPort({ write: 'deny' })),
    );
    const editor = await fixture<McpNoteEditor>(
      html`<mcp-note-editor .client=${client} note-id=${id}></mcp-note-editor>`,
    );
    await eventually(
      () =>
        editor.matches(':state(readonly)') &&
        editor.shadowRoot?.querySelector('textarea')?.value === 'milk',
    );
    await editor.updateComplete;
    const fields = [...editor.shadowRoot!.querySelectorAll<HTMLInputElement>('input, textarea')];
    expect(fields.map(({ readOnly }) => readOnly)).to.deep.equal([true, true]);
    expect(inside(editor, '[part=state]').textContent.trim()).to.equal(
      'The server does not let you change this note.',
    );
    await expect(editor).to.be.accessible();
    // It still shows what others write.
    await notes().update(id, { title: 'Shopping', text: 'tea' }, { expectedRevision: 1 });
    await eventually(() => textField(editor).value === 'tea');
    await client.close();
  });

  it('offers no button that cannot work after the connection has ended', async () => {
    const id = await create();
    const client = await setup.linked.connect();
    const editor = await fixture<McpNoteEditor>(
      html`<mcp-note-editor .client=${client} note-id=${id}></mcp-note-editor>`,
    );
    await eventually(() => editor.shadowRoot?.querySelector('textarea')?.value);
    await client.close();
    type(editor, 'words');
    const retry = await button(editor, 'Try again');
    expect(retry.disabled).to.equal(true);
    expect(editor.shadowRoot!.textContent).to.contain('The connection has ended.');
    const { bottom } = inside(editor, '.editor').getBoundingClientRect();
    expect(bottom, 'inside its box').to.be.at.most(editor.getBoundingClientRect().bottom);
    await expect(editor).to.be.accessible();
    // For a page with a storage, the connection does not matter; the words go there.
    editor.storage = notes();
    await eventually(() => !editor.hasUnsavedWords);
    expect(textField(editor).value).to.equal('words');
    expect((await notes().get(id)).text).to.equal('words');
  });

  it('says that a note does not exist', async () => {
    const editor = await fixture<McpNoteEditor>(html`
      <mcp-note-editor .storage=${notes()} note-id="01J00000000000000000000000"></mcp-note-editor>
    `);
    await eventually(() => editor.shadowRoot?.querySelector('[role=alert]'));
    await expect(editor).to.be.accessible();
  });

  for (const [what, words] of casesOf([
    ['one very long line', 'x'.repeat(30_000)],
    ['one very long line from right to left', `1. ${'א'.repeat(30_000)}`],
    ['very many lines', 'a\n'.repeat(30_000)],
    ['many changes of script', 'aא b\n'.repeat(10_000)],
  ] as const)) {
    it(`asks before it shows ${what}, which may take long`, async () => {
      const { id } = await notes().create({ title: 'Costly', text: words });
      const editor = await fixture<McpNoteEditor>(
        html`<mcp-note-editor .storage=${notes()} note-id=${id}></mcp-note-editor>`,
      );
      const open = await button(editor, 'Edit anyway');
      expect(editor.shadowRoot!.querySelector('textarea')).to.equal(null);
      await expect(editor).to.be.accessible();
      open.click();
      await eventually(() => editor.shadowRoot!.querySelector('textarea')?.value === words);
      expect(textField(editor).dir).to.equal(words.includes('. א') ? 'rtl' : 'ltr');
      type(editor, `${words}!`);
      await editor.save();
      expect((await notes().get(id)).text).to.equal(`${words}!`);
    });
  }

  it('shows a long text of the usual kind at once', async () => {
    const words = 'A line as people write them, with words in it.\n'.repeat(10_000);
    const { id } = await notes().create({ title: 'Long', text: words });
    expect(textField(await show(id)).value).to.equal(words);
  });

  it('shows the slot for no note', async () => {
    const editor = await fixture<McpNoteEditor>(html`<mcp-note-editor></mcp-note-editor>`);
    await nextFrame();
    expect(editor.shadowRoot!.textContent).to.contain('Choose a note');
    await expect(editor).to.be.accessible();
  });
});
