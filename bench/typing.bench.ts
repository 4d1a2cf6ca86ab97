import '@inpage-mcp/elements/define/mcp-note-editor';
import { startRuntime } from '@inpage-mcp/runtime';
import { measure, timed, type Candidate, type Results } from './measure.js';

const ROUNDS = 10;
const KEYS = 40;
const LINE = 'A line of a long note, as people write them, with some words in it.\n';
const TEXT = LINE.repeat(Math.ceil(1_000_000 / LINE.length));
/** The browser lays out a line as a whole, which takes far longer. */
const ONE_LINE = TEXT.replaceAll('\n', ' ');
const KEYS_IN_ONE_LINE = 2;

/**
 * Typing in the middle of a note of 1 MB, in usual lines and in one, in `<mcp-note-editor>` and in a bare
 * `<textarea>`.
 */
export async function run(): Promise<Results> {
  const bare = 'a key in a bare <textarea>';
  const own = 'a key in <mcp-note-editor>';
  const candidates = [
    typing(bare, showTextarea(TEXT)),
    typing(own, await showEditor(TEXT)),
    typing(`${bare}, one line`, showTextarea(ONE_LINE), KEYS_IN_ONE_LINE),
    typing(`${own}, one line`, await showEditor(ONE_LINE), KEYS_IN_ONE_LINE),
  ];
  const rows = await measure(candidates, { rounds: ROUNDS });
  return { name: 'typing in 1 MB', baseline: bare, rows };
}

/** Each key with the layout that it needs, as a browser does before it draws the next frame. */
function typing(name: string, field: HTMLTextAreaElement, times = KEYS): Candidate {
  return timed(
    name,
    async () => {
      field.focus();
      // oxlint-disable-next-line typescript/no-deprecated -- nothing else types as a user does
      document.execCommand('insertText', false, 'x');
      field.getBoundingClientRect();
      // The browser draws, and timers run: an editor that saves itself pays for it here.
      await new Promise(requestAnimationFrame);
    },
    { times },
  );
}

function place(field: HTMLTextAreaElement): HTMLTextAreaElement {
  field.setSelectionRange(TEXT.length / 2, TEXT.length / 2);
  return field;
}

function showTextarea(text: string): HTMLTextAreaElement {
  const field = document.createElement('textarea');
  field.style.cssText = 'inline-size: 40rem; block-size: 20rem';
  field.value = text;
  document.body.append(field);
  return place(field);
}

async function showEditor(text: string): Promise<HTMLTextAreaElement> {
  const runtime = await startRuntime();
  const { id } = await runtime.notes.create({ title: 'Long', text });
  const editor = document.createElement('mcp-note-editor');
  editor.style.cssText = 'inline-size: 40rem; block-size: 24rem';
  editor.client = await runtime.connect();
  editor.storage = runtime.notes;
  editor.noteId = id;
  document.body.append(editor);
  for (;;) {
    const field = editor.shadowRoot?.querySelector('textarea');
    if (field?.value) return place(field);
    // Of one line, it asks first.
    editor.shadowRoot?.querySelector<HTMLElement>('.message button')?.click();
    await new Promise(requestAnimationFrame);
  }
}
