import '@inpage-mcp/elements/define/mcp-note-editor';
import { startRuntime } from '@inpage-mcp/runtime';
import { measure, timed, type Candidate, type Results } from './measure.js';

const ROUNDS = 10;
const KEYS = 40;
const LINE = 'A line of a long note, as people write them, with some words in it.\n';
const TEXT = LINE.repeat(Math.ceil(1_000_000 / LINE.length));

/** Typing in the middle of a note of 1 MB, in `<mcp-note-editor>` and in a bare `<textarea>`. */
export async function run(): Promise<Results> {
  const bare = 'a key in a bare <textarea>';
  const own = 'a key in <mcp-note-editor>';
  const rows = await measure([typing(bare, showTextarea()), typing(own, await showEditor())], {
    rounds: ROUNDS,
  });
  return { name: 'typing in 1 MB', baseline: bare, rows };
}

/** Each key with the layout that it needs, as a browser does before it draws the next frame. */
function typing(name: string, field: HTMLTextAreaElement): Candidate {
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
    { times: KEYS },
  );
}

function place(field: HTMLTextAreaElement): HTMLTextAreaElement {
  field.setSelectionRange(TEXT.length / 2, TEXT.length / 2);
  return field;
}

function showTextarea(): HTMLTextAreaElement {
  const field = document.createElement('textarea');
  field.style.cssText = 'inline-size: 40rem; block-size: 20rem';
  field.value = TEXT;
  document.body.append(field);
  return place(field);
}

async function showEditor(): Promise<HTMLTextAreaElement> {
  const runtime = await startRuntime();
  const { id } = await runtime.notes.create({ title: 'Long', text: TEXT });
  const editor = document.createElement('mcp-note-editor');
  editor.style.cssText = 'inline-size: 40rem; block-size: 24rem';
  editor.client = await runtime.connect();
  editor.storage = runtime.notes;
  editor.noteId = id;
  document.body.append(editor);
  for (;;) {
    const field = editor.shadowRoot?.querySelector('textarea');
    if (field?.value) return place(field);
    await new Promise(requestAnimationFrame);
  }
}
