// Unsaved words that outlive their page.
import { forgetDrafts, restoreDrafts } from '@inpage-mcp/elements/classes';
import '@inpage-mcp/elements/define/mcp-note-editor';
import { expect, fixture, html, oneEvent } from '@open-wc/testing';
import type {
  McpNoteLostEvent,
  McpNoteSaveEvent,
} from '../../packages/elements/src/act/mcp-note-editor/events.js';
import type { McpNoteEditor } from '../../packages/elements/src/act/mcp-note-editor/mcp-note-editor.js';
import { eventually } from '../support/elements.js';
import { HeldStorage } from '../support/held-storage.js';
import { useLinkedClient } from '../support/linked-server.js';
import { button, type } from '../support/note-editor.js';

describe('<mcp-note-editor> with drafts', () => {
  const setup = useLinkedClient();
  const notes = (): typeof setup.linked.server.store.notes => setup.linked.server.store.notes;
  let name: string;

  beforeEach(() => (name = `drafts of ${setup.linked.databaseName}`));
  afterEach(() => forgetDrafts(name));

  const keys = (): string[] =>
    Object.keys(localStorage).filter((key) => key.includes(encodeURIComponent(name)));

  const isAsked = (): boolean =>
    !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));

  const allTexts = async (): Promise<string[]> => {
    const { notes: all } = await notes().list();
    return (await Promise.all(all.map(async ({ id }) => (await notes().get(id)).text))).toSorted();
  };

  /** An editor that has typed `typed` into a note, and cannot save it. */
  const failing = async (isCarriedOut = false): Promise<{ editor: McpNoteEditor; id: string }> => {
    const { id } = await notes().create({ title: 'Shopping', text: 'milk' });
    const storage = new HeldStorage(notes());
    storage.failures.set('update', { error: new Error('The disk is full.'), isCarriedOut });
    const editor = await fixture<McpNoteEditor>(
      html`<mcp-note-editor .storage=${storage} note-id=${id} drafts=${name}></mcp-note-editor>`,
    );
    await eventually(() => editor.shadowRoot?.querySelector('textarea')?.value);
    type(editor, 'typed');
    await editor.save();
    await eventually(() => !isAsked());
    return { editor, id };
  };

  /** Makes what is kept the drafts of a page that is gone; returns where they are. */
  const asOfAnotherPage = (): string[] =>
    keys().map((key) => {
      const [prefix, place, , draft] = key.split(':');
      const other = [prefix, place, 'gone', draft].join(':');
      const words = localStorage.getItem(key)!;
      localStorage.removeItem(key);
      localStorage.setItem(other, words);
      return other;
    });

  /** Stores what is kept, as the next start does. */
  const restore = async (): Promise<McpNoteSaveEvent> => {
    asOfAnotherPage();
    queueMicrotask(() => restoreDrafts(name, new HeldStorage(notes())));
    const event = (await oneEvent(window, 'mcp-note-save')) as unknown as McpNoteSaveEvent;
    await eventually(() => keys().length === 0);
    return event;
  };

  it('asks nothing before the page is left right after the first word', async () => {
    const { id } = await notes().create({ title: 'Shopping', text: 'milk' });
    const editor = await fixture<McpNoteEditor>(
      html`<mcp-note-editor .storage=${notes()} note-id=${id} drafts=${name}></mcp-note-editor>`,
    );
    await eventually(() => editor.shadowRoot?.querySelector('textarea')?.value);
    // In one task: no answer about a lock can come in between.
    type(editor, 'typed');
    expect(isAsked()).to.equal(false);
    expect(keys()).to.have.length(1);
    await editor.save();
    expect(keys()).to.have.length(0);
  });

  it('keeps words that cannot be saved, so that the browser need not ask, and saves them at the next start', async () => {
    const { id } = await failing();
    expect(keys()).to.have.length(1);
    const event = await restore();
    expect([event.noteId, event.isRestored, event.isCopy]).to.deep.equal([id, true, false]);
    expect(await allTexts()).to.deep.equal(['typed']);
  });

  it('keeps both versions of a note that has changed since, and makes one note of a deleted one', async () => {
    const { id } = await failing();
    await notes().update(id, { title: 'Shopping', text: 'theirs' }, { expectedRevision: 1 });
    const [kept] = keys();
    const words = localStorage.getItem(kept!)!;
    expect((await restore()).isCopy).to.equal(true);
    expect(await allTexts()).to.deep.equal(['theirs', 'typed']);
    // As if the page had died after the writing.
    localStorage.setItem(kept!, words);
    await restore();
    expect(await allTexts()).to.deep.equal(['theirs', 'typed']);
  });

  it('takes a write for its own that was carried out without an answer', async () => {
    const { editor, id } = await failing(true);
    type(editor, 'typed, and more');
    expect(isAsked()).to.equal(false);
    await restore();
    expect((await notes().get(id)).text).to.equal('typed, and more');
    expect(await allTexts()).to.have.length(1);
  });

  it('keeps what still cannot be saved for later, and says so', async () => {
    await failing();
    const [key] = asOfAnotherPage();
    const storage = new HeldStorage(notes());
    storage.failures.set('update', { error: new Error('The disk is full.') });
    queueMicrotask(() => restoreDrafts(name, storage));
    const event = (await oneEvent(window, 'mcp-note-lost')) as unknown as McpNoteLostEvent;
    expect([event.isKept, event.isRestored, event.words.text]).to.deep.equal([true, true, 'typed']);
    expect(keys()).to.deep.equal([key]);
  });

  it('has them stored by the storage that was passed last, because an earlier one may be closed', async () => {
    await failing();
    const [key] = asOfAnotherPage();
    const newValue = localStorage.getItem(key!)!;
    // The page of these drafts lives as long as its lock.
    let end = (): void => undefined;
    const isEnding = new Promise<void>((resolve) => (end = resolve));
    const [prefix, , page] = key!.split(':');
    const life = navigator.locks.request(`${prefix}:${page}`, () => isEnding);
    const [earlier, last] = [new HeldStorage(notes()), new HeldStorage(notes())];
    for (const storage of [earlier, last]) restoreDrafts(name, storage);
    queueMicrotask(end);
    await oneEvent(window, 'mcp-note-save');
    await life;
    // Another page keeps words, too.
    await eventually(() => keys().length === 0);
    queueMicrotask(() => {
      localStorage.setItem(key!, newValue);
      window.dispatchEvent(new StorageEvent('storage', { key: key!, newValue }));
    });
    await oneEvent(window, 'mcp-note-save');
    expect(earlier.calls).to.deep.equal([]);
    expect(await allTexts()).to.deep.equal(['typed']);
  });

  it('forgets words once they are stored or discarded', async () => {
    for (const end of ['save', 'discard'] as const) {
      const { editor } = await failing();
      expect(keys()).to.have.length(1);
      if (end === 'discard') editor.discard();
      else editor.storage = notes();
      await eventually(() => keys().length === 0 && !editor.hasUnsavedWords);
      expect(isAsked()).to.equal(false);
    }
    expect(await allTexts()).to.deep.equal(['milk', 'typed']);
  });

  it('offers to discard the words of a deleted note', async () => {
    const { editor, id } = await failing();
    await notes().delete(id);
    editor.storage = notes();
    (await button(editor, 'Discard')).click();
    await button(editor, 'Try again');
    expect(keys()).to.deep.equal([]);
    editor.remove();
    expect(await allTexts()).to.deep.equal([]);
  });

  it('leaves damaged drafts out', async () => {
    await failing();
    const prefix = asOfAnotherPage()[0]!.replace(/[^:]*$/, '');
    for (const [index, junk] of ['{', 'null', '{"id":1}', '{"base":{},"words":{}}'].entries())
      localStorage.setItem(`${prefix}${index}`, junk);
    await restore();
    expect(await allTexts()).to.deep.equal(['typed']);
  });
});
