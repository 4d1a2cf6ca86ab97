import type { NoteWords } from './note-storage.js';

type Field = HTMLInputElement | HTMLTextAreaElement;

/** The longest change, in UTF-16 code units, that a user can undo past: longer ones take a browser too long. */
const MAX_UNDOABLE_LENGTH = 10_000;

/**
 * The fields of a title and a text, which belong to the user while they type: they are read when the
 * note is saved. A field changes the value that is set: all line ends become line feeds, and a title
 * loses its line ends. A value that the user has not changed is therefore read as it was stored, and
 * line ends stay those of the note.
 */
export class NoteFields {
  readonly #root: ShadowRoot;
  /** The version that the fields were last known to show. */
  #shown: NoteWords = { title: '', text: '' };
  /** Whether the user is composing a character of several keys, which a change would break off. */
  isComposing = false;
  /** Whether a change of a field is not the user's. */
  isMerging = false;

  constructor(root: ShadowRoot) {
    this.#root = root;
  }

  get title(): HTMLInputElement | null {
    return this.#root.querySelector('input');
  }

  get text(): HTMLTextAreaElement | null {
    return this.#root.querySelector('textarea');
  }

  /** The words as they are to be stored. */
  read(): NoteWords {
    const shown = this.#shown;
    const title = this.title?.value;
    const text = this.text?.value;
    return {
      title: title === undefined || title === asTitle(shown.title) ? shown.title : title,
      text: text === undefined ? shown.text : withLineEndsOf(shown.text, text),
    };
  }

  /** Shows a version. Caret, selection, lines in sight and what can be undone stay as they are. */
  show(words: NoteWords): void {
    this.#shown = words;
    this.isMerging = true;
    if (this.title) merge(this.title, asTitle(words.title));
    if (this.text) merge(this.text, asText(words.text));
    this.isMerging = false;
  }
}

/** A part of a text that is replaced. */
interface Change {
  start: number;
  end: number;
  added: string;
}

/** Changes the parts of a field that differ. */
function merge(field: Field, value: string): void {
  const old = field.value;
  if (old === value) return;
  if (old === '') {
    field.value = value;
    field.setSelectionRange(0, 0);
    return;
  }
  const { selectionStart, selectionEnd, selectionDirection, scrollTop, scrollHeight } = field;
  let [from, to] = [selectionStart!, selectionEnd!];
  let isAbove = false;
  for (const { start, end, added } of changesBetween(old, value, from)) {
    if (!replaceUndoably(field, start, end, added)) field.setRangeText(added, start, end);
    isAbove ||= end <= from;
    const moved = (at: number): number =>
      at <= start ? at : at < end ? start : at + added.length - (end - start);
    [from, to] = [moved(from), moved(to)];
  }
  field.setSelectionRange(from, to, selectionDirection!);
  field.scrollTop = scrollTop + (isAbove ? field.scrollHeight - scrollHeight : 0);
}

/** The changes of a text from its end to its start; the line of the caret stays if it is in both texts. */
function changesBetween(old: string, value: string, caret: number): Change[] {
  const whole = trimmed({ start: 0, end: old.length, added: value }, old);
  const lineStart = old.lastIndexOf('\n', caret - 1) + 1;
  const lineEnd = `${old}\n`.indexOf('\n', caret);
  const line = old.slice(lineStart, lineEnd);
  const at = whole.added.indexOf(line);
  if (line.trim() === '' || at < 0 || lineStart < whole.start || lineEnd > whole.end)
    return [whole];
  const after = { start: lineEnd, end: whole.end, added: whole.added.slice(at + line.length) };
  const before = { start: whole.start, end: lineStart, added: whole.added.slice(0, at) };
  return [trimmed(after, old), trimmed(before, old)];
}

/** A change without what stays the same at its start and its end. */
function trimmed({ start, end, added }: Change, text: string): Change {
  const removed = text.slice(start, end);
  const head = commonStart(removed, added);
  const tail = commonEnd(removed, added, head);
  return {
    start: start + head,
    end: end - tail,
    added: added.slice(head, added.length - tail),
  };
}

/**
 * Every other change of a value makes browsers forget what the user has typed, so that nothing can be
 * undone. Only a field that has the focus can be changed like this.
 */
function replaceUndoably(field: Field, start: number, end: number, added: string): boolean {
  const hasFocus = (field.getRootNode() as ShadowRoot).activeElement === field;
  if (!hasFocus || end - start + added.length > MAX_UNDOABLE_LENGTH) return false;
  field.setSelectionRange(start, end);
  // oxlint-disable-next-line typescript/no-deprecated -- nothing else keeps what can be undone
  return document.execCommand(added === '' ? 'delete' : 'insertText', false, added);
}

/** The length of the common start, which does not end within a character. */
function commonStart(a: string, b: string): number {
  const max = Math.min(a.length, b.length);
  let length = 0;
  while (length < max && a.charCodeAt(length) === b.charCodeAt(length)) length += 1;
  return length > 0 && /[\ud800-\udbff]/.test(a[length - 1]!) ? length - 1 : length;
}

/** The length of the common end after a common start, which does not begin within a character. */
function commonEnd(a: string, b: string, start: number): number {
  const max = Math.min(a.length, b.length) - start;
  let length = 0;
  while (length < max && a.at(-1 - length) === b.at(-1 - length)) length += 1;
  return length > 0 && /[\udc00-\udfff]/.test(a.at(-length)!) ? length - 1 : length;
}

/** A title as an `<input>` has it. */
const asTitle = (title: string): string => title.replaceAll(/[\r\n]/g, '');

/** A text as a `<textarea>` has it. */
const asText = (text: string): string =>
  text.includes('\r') ? text.replaceAll(/\r\n?/g, '\n') : text;

function withLineEndsOf(stored: string, text: string): string {
  if (!stored.includes('\r')) return text;
  if (text === asText(stored)) return stored;
  const isMixed = /\r(?!\n)|(?<!\r)\n/.test(stored);
  return isMixed ? text : text.replaceAll('\n', '\r\n');
}
