// What the user notices in the fields, the focus and the announcements while others change the note.
import '@inpage-mcp/elements/define/mcp-note-editor';
import { expect, fixture, html, nextFrame } from '@open-wc/testing';
import { sendKeys } from '@web/test-runner-commands';
import type { McpNoteEditor } from '../../packages/elements/src/act/mcp-note-editor/mcp-note-editor.js';
import { eventually, inside } from '../support/elements.js';
import { HeldStorage } from '../support/held-storage.js';
import { useLinkedClient } from '../support/linked-server.js';
import { button, showEditor, textField, type } from '../support/note-editor.js';
import { itInAll } from '../support/it-in-all.js';

const LINES = Array.from({ length: 60 }, (_, line) => `line ${line}`);
const TEXT = LINES.join('\n');

describe('<mcp-note-editor> beside others', () => {
  const setup = useLinkedClient();
  const notes = (): typeof setup.linked.server.store.notes => setup.linked.server.store.notes;

  const create = async (text = TEXT): Promise<string> =>
    (await notes().create({ title: 'Shopping', text })).id;

  const show = (id: string, storage = notes()): Promise<McpNoteEditor> =>
    showEditor(id, { client: setup.client, storage });

  const writeAsOther = async (id: string, change: (text: string) => string): Promise<void> => {
    const { title, text, revision } = await notes().get(id);
    await notes().update(id, { title, text: change(text) }, { expectedRevision: revision });
  };

  /** An editor whose user has typed `abc` into line 30 and rests. */
  const typed = async (): Promise<{ editor: McpNoteEditor; id: string; at: number }> => {
    const id = await create();
    const editor = await show(id);
    const field = textField(editor);
    const at = TEXT.indexOf('line 30');
    field.focus();
    field.setSelectionRange(at, at);
    await sendKeys({ type: 'abc' });
    await editor.save();
    return { editor, id, at: at + 3 };
  };

  const press = async (key: string, ...held: string[]): Promise<void> => {
    for (const down of ['Control', ...held]) await sendKeys({ down });
    await sendKeys({ press: key });
    for (const up of ['Control', ...held]) await sendKeys({ up });
  };

  it('leaves the caret at its text when a line is added above, also for what is typed next', async () => {
    const { editor, id, at } = await typed();
    await writeAsOther(id, (text) => `first 😀\n${text}`);
    await eventually(() => textField(editor).value.startsWith('first'));
    const { selectionStart, selectionEnd } = textField(editor);
    expect([selectionStart, selectionEnd]).to.deep.equal([at + 9, at + 9]);
    await sendKeys({ type: 'd' });
    expect(textField(editor).value).to.contain('\nabcdline 30\n');
    expect(await editor.save()).to.equal(true);
  });

  it('keeps the selection, its direction and the lines in sight', async () => {
    const { editor, id, at } = await typed();
    const field = textField(editor);
    field.setSelectionRange(at, at + 4, 'backward');
    field.scrollTop = 300;
    const { scrollHeight } = field;
    await writeAsOther(id, (text) => `one\ntwo\n${text}\nlast`);
    await eventually(() => field.value.startsWith('one'));
    expect(field.value.slice(field.selectionStart, field.selectionEnd)).to.equal('line');
    expect(field.selectionDirection).to.equal('backward');
    const lineHeight = (field.scrollHeight - scrollHeight) / 3;
    expect(field.scrollTop - 300).to.be.closeTo(2 * lineHeight, lineHeight + 1);
  });

  it('takes back what its user has typed, and never what another has written', async () => {
    const { editor, id } = await typed();
    const theirs = `first\n${TEXT}`.replace('line 5\n', 'LINE 5\n');
    await writeAsOther(id, (text) => `first\n${text}`.replace('line 5\n', 'LINE 5\n'));
    await eventually(() => textField(editor).value.includes('LINE 5'));
    await sendKeys({ type: ' d' });
    await press('z');
    expect(textField(editor).value).to.contain('\nabcline 30\n');
    await press('z');
    expect(textField(editor).value).to.equal(theirs);
    await press('z');
    expect(textField(editor).value).to.equal(theirs);
    expect(await editor.save()).to.equal(true);
    expect((await notes().get(id)).text).to.equal(theirs);
    await press('y');
    expect(textField(editor).value).to.contain('\nabcline 30\n');
    expect(textField(editor).selectionEnd).to.equal(theirs.indexOf('line 30') + 3);
    await press('z', 'Shift');
    expect(textField(editor).value).to.contain('\nabc dline 30\n');
  });

  it('takes back words past any change of somebody else, also by the menu of the browser', async () => {
    const { editor, id } = await typed();
    await writeAsOther(id, (text) => `${'x'.repeat(100_000)}\n${text}`);
    await eventually(() => textField(editor).value.startsWith('x'));
    const fire = (inputType: string): boolean =>
      textField(editor).dispatchEvent(
        new InputEvent('beforeinput', { inputType, bubbles: true, cancelable: true }),
      );
    expect(fire('insertText')).to.equal(true);
    expect(fire('historyUndo')).to.equal(false);
    expect(textField(editor).value.endsWith(TEXT)).to.equal(true);
    expect(fire('historyRedo')).to.equal(false);
    expect(textField(editor).value).to.contain('\nabcline 30\n');
  });

  it('shows in the title, too, what it takes back', async () => {
    const { editor, id } = await typed();
    const title = inside(editor, 'input') as HTMLInputElement;
    title.focus();
    title.setSelectionRange(0, 0);
    await sendKeys({ type: 'My ' });
    await editor.save();
    await notes().update(id, { title: 'My Shopping list' });
    await eventually(() => title.value === 'My Shopping list');
    await press('z');
    expect(title.value).to.equal('Shopping list');
  });

  it('merges what others write into other lines while words are unsaved, and asks nothing', async () => {
    const { editor, id } = await typed();
    await sendKeys({ type: 'd' });
    await writeAsOther(id, (text) => `first\n${text}\nlast`);
    expect(await editor.save()).to.equal(true);
    const merged = `first\n${TEXT.replace('line 30', 'abcdline 30')}\nlast`;
    expect(textField(editor).value).to.equal(merged);
    expect((await notes().get(id)).text).to.equal(merged);
    expect(editor.shadowRoot!.querySelector('[role=alert]')).to.equal(null);
    await sendKeys({ type: 'e' });
    expect(textField(editor).value).to.contain('\nabcdeline 30\n');
    for (let words = 0; words < 3; words += 1) await press('z');
    expect(textField(editor).value).to.equal(`first\n${TEXT}\nlast`);
    expect(await editor.save()).to.equal(true);
  });

  it('asks where both have changed the same line', async () => {
    const { editor, id } = await typed();
    await sendKeys({ type: 'd' });
    await writeAsOther(id, (text) => text.replace('line 30', 'LINE 30'));
    expect(await editor.save()).to.equal(false);
    await button(editor, 'Keep both');
  });

  itInAll('shows a removed and a rewritten part, and every text of random changes', async () => {
    const { editor, id } = await typed();
    const changes: ((text: string) => string)[] = [
      (text) => text.replace('line 7\n', ''),
      (text) => text.replace('abc', 'a😁c'),
      (text) => text.replace('a😁c', 'a😀c'),
      () => '',
      () => 'aaa',
      () => 'aaaa',
      () => TEXT.repeat(20),
    ];
    for (const change of changes) {
      await writeAsOther(id, change);
      const { text } = await notes().get(id);
      await eventually(() => textField(editor).value === text);
      expect(editor.hasUnsavedWords).to.equal(false);
    }
  });

  it('shows their version before it asks which one is kept', async () => {
    const id = await create();
    const editor = await show(id);
    type(editor, 'mine');
    await writeAsOther(id, () => 'theirs');
    await button(editor, 'Keep both');
    const [theirs, question] = [inside(editor, '[part=theirs]'), inside(editor, '[part=question]')];
    const { DOCUMENT_POSITION_FOLLOWING } = Node;
    expect(theirs.compareDocumentPosition(question)).to.equal(DOCUMENT_POSITION_FOLLOWING);
    const box = editor.getBoundingClientRect();
    expect(question.getBoundingClientRect().bottom, 'in sight').to.be.at.most(box.bottom);
  });

  it('announces “Saved” once after a rest, and nothing while it works', async () => {
    const id = await create('');
    const editor = await show(id);
    const announced: string[] = [];
    const observer = new MutationObserver(() => {
      for (const region of editor.shadowRoot!.querySelectorAll('[role=status], [role=alert]')) {
        const words = region.textContent.trim();
        if (words) announced.push(words);
      }
    });
    observer.observe(editor.shadowRoot!, { subtree: true, childList: true, characterData: true });
    for (let word = 1; word <= 8; word += 1) {
      type(editor, 'word '.repeat(word));
      await editor.save();
      await nextFrame();
    }
    expect(announced).to.deep.equal([]);
    await eventually(() => announced.length > 0);
    expect(announced).to.deep.equal(['Saved']);
    observer.disconnect();
  });

  it('keeps a failure in sight, unchanged, while its user goes on typing', async () => {
    const id = await create('');
    const storage = new HeldStorage(notes());
    storage.failures.set('update', { error: new Error('The disk is full.') });
    const editor = await showEditor(id, { client: setup.client, storage });
    type(editor, 'one');
    await editor.save();
    await editor.updateComplete;
    const alert = inside(editor, '[role=alert]');
    const changes: MutationRecord[] = [];
    const observer = new MutationObserver((records) => changes.push(...records));
    observer.observe(alert, { subtree: true, childList: true, characterData: true });
    for (const words of ['one two', 'one two three']) {
      type(editor, words);
      await editor.updateComplete;
      await editor.save();
      await editor.updateComplete;
    }
    expect(inside(editor, '[role=alert]')).to.equal(alert);
    expect(changes.length).to.equal(0);
    observer.disconnect();
  });

  describe('the focus', () => {
    const focused = (editor: McpNoteEditor): string | null | undefined =>
      editor.shadowRoot!.activeElement?.getAttribute('part');

    it('is in the text after focus(), also if the note is still loading', async () => {
      const id = await create();
      const editor = await fixture<McpNoteEditor>(
        html`<mcp-note-editor .storage=${notes()} note-id=${id}></mcp-note-editor>`,
      );
      editor.focus();
      await eventually(() => focused(editor) === 'text');
      expect(textField(editor).selectionStart).to.equal(0);
      textField(editor).blur();
      editor.focus();
      expect(focused(editor)).to.equal('text');
    });

    it('is in the title of a new note, which is selected', async () => {
      const id = await create('');
      const editor = await show(id);
      editor.focus();
      expect(focused(editor)).to.equal('title');
      await sendKeys({ type: 'New' });
      expect((inside(editor, 'input') as HTMLInputElement).value).to.equal('New');
    });

    it('never falls to the page: another note, a conflict, a deletion, its end', async () => {
      const [first, second] = [await create('one'), await create('two')];
      const editor = await show(first);
      const seen = new Set<Element | null>();
      const end = new AbortController();
      const watch = async (): Promise<void> => {
        while (!end.signal.aborted) {
          await nextFrame();
          seen.add(document.activeElement);
        }
      };
      editor.focus();
      const watching = watch();
      editor.noteId = second;
      await eventually(
        () =>
          editor.shadowRoot?.querySelector('textarea')?.value === 'two' &&
          focused(editor) === 'text',
      );
      for (const answer of ['Keep both', 'Keep mine', 'Take theirs']) {
        type(editor, `mine, ${answer}`);
        await writeAsOther(second, () => `theirs, ${answer}`);
        const key = await button(editor, answer);
        key.focus();
        key.click();
        await eventually(() => !editor.hasUnsavedWords && focused(editor) === 'text');
      }
      await notes().delete(second);
      await button(editor, 'Try again');
      await nextFrame();
      end.abort();
      await watching;
      expect([...seen]).to.deep.equal([editor]);
    });
  });
});
