import { EditHistory } from './edit-history.js';
import type { NoteWords } from './note-storage.js';
import { apply, editBetween, moved, replacementIn, type Replacement } from './text-edit.js';

type Field = HTMLInputElement | HTMLTextAreaElement;

/** The longest text that is put in as if it was typed, so that it comes into sight: more takes a browser too long. */
const MAX_TYPED_LENGTH = 10_000;

/** What happens in the fields, for which their element listens. */
export interface FieldListeners {
  /** Called when the user has changed the words. */
  onedit: () => void;
  /** Called when a character of several keys is there. */
  oncompositionend: () => void;
}

/**
 * The fields of a title and a text, which belong to the user while they type: they are read when the
 * note is saved. A field changes the value that is set: all line ends become line feeds, and a title
 * loses its line ends. A value that the user has not changed is therefore read as it was stored, and
 * line ends stay those of the note. Handles the events of both.
 */
export class NoteFields {
  readonly #root: ShadowRoot;
  readonly #listeners: FieldListeners;
  /** The version that the fields were last known to show. */
  #shown: NoteWords = { title: '', text: '' };
  #edited: EditedField[] = [];
  /** Whether the user is composing a character of several keys, which a change would break off. */
  isComposing = false;

  constructor(root: ShadowRoot, listeners: FieldListeners) {
    this.#root = root;
    this.#listeners = listeners;
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

  /** Shows a version. Caret, selection, lines in sight and what the user can undo stay as they are. */
  show(words: NoteWords): void {
    this.#shown = words;
    if (this.title) this.#of(this.title).show(asTitle(words.title));
    if (this.text) this.#of(this.text).show(asText(words.text));
  }

  handleEvent(event: InputEvent | KeyboardEvent | CompositionEvent): void {
    const field = this.#of(event.target as Field);
    if (event.type === 'compositionstart') this.isComposing = true;
    else if (event.type === 'compositionend') {
      this.isComposing = false;
      field.note(true);
      this.#listeners.oncompositionend();
    } else if (event.type === 'input') {
      if (!this.isComposing) field.note(!/^insertFrom|^deleteBy/.test(inputTypeOf(event)));
      this.#listeners.onedit();
    } else if (!field.field.readOnly && !this.isComposing) {
      const how = event.type === 'keydown' ? stepOfKey(event as KeyboardEvent) : stepOf(event);
      if (!how) return;
      event.preventDefault();
      field.step(how);
    }
  }

  /** What is known of a field, which another one may have taken the place of. */
  #of(field: Field): EditedField {
    this.#edited = this.#edited.filter((edited) => edited.field.isConnected);
    const known = this.#edited.find((edited) => edited.field === field);
    if (known) return known;
    const edited = new EditedField(field);
    this.#edited.push(edited);
    return edited;
  }
}

/**
 * A field with what its user can undo in it. A browser would undo what others have changed as well, or, if a
 * value is set, nothing any more.
 */
class EditedField {
  readonly field: Field;
  readonly #history = new EditHistory();
  /** The value that it was last known to have. */
  #value: string;

  constructor(field: Field) {
    this.field = field;
    this.#value = field.value;
  }

  /** Notes what the user has changed. `isTyped`: by keys, one after the other. */
  note(isTyped: boolean): void {
    const [before, after] = [this.#value, this.field.value];
    if (before === after) return;
    this.#value = after;
    this.#history.record(replacementAt(this.field.selectionEnd!, before, after), isTyped);
  }

  /** Shows what somebody else has changed. */
  show(value: string): void {
    this.note(false);
    const { field } = this;
    const old = this.#value;
    if (old === value) return;
    const { selectionStart, selectionEnd, selectionDirection, scrollTop, scrollHeight } = field;
    const edit = editBetween(old, value);
    this.#history.rebase(edit);
    this.#value = field.value = value;
    const [from, to] = [selectionStart!, selectionEnd!].map((at) =>
      old === '' ? 0 : moved(at, edit, old),
    );
    field.setSelectionRange(from!, to!, selectionDirection!);
    const isAbove = value.slice(0, from) !== old.slice(0, selectionStart!);
    field.scrollTop = scrollTop + (isAbove ? field.scrollHeight - scrollHeight : 0);
  }

  /** Takes back the last words of the user, or does that again. */
  step(how: 'undo' | 'redo'): void {
    this.note(false);
    const edit = this.#history[how](this.#value);
    if (!edit) return;
    const after = apply(edit, this.#value);
    // Others have written the same in the meantime.
    if (after === this.#value) return this.step(how);
    const { start, removed, added } = replacementIn(this.#value, after);
    const { field } = this;
    this.#value = after;
    field.setSelectionRange(start, start + removed.length);
    if (isTypedByBrowser(field, added, removed)) return;
    field.value = after;
    field.setSelectionRange(start + added.length, start + added.length);
    field.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }));
  }
}

/** Puts a text in the place of what is selected, and into sight, as no other way does. */
function isTypedByBrowser(field: Field, added: string, removed: string): boolean {
  const hasFocus = (field.getRootNode() as ShadowRoot).activeElement === field;
  if (!hasFocus || added.length + removed.length > MAX_TYPED_LENGTH) return false;
  // oxlint-disable-next-line typescript/no-deprecated -- nothing else brings the caret into sight
  return document.execCommand(added === '' ? 'delete' : 'insertText', false, added);
}

/** The part that the user has replaced, who is at its end; nearly always, without a look at each character. */
function replacementAt(caret: number, before: string, after: string): Replacement {
  const end = caret + before.length - after.length;
  const start = Math.min(caret, end);
  if (
    start >= 0 &&
    before.slice(0, start) === after.slice(0, start) &&
    before.slice(end) === after.slice(caret)
  )
    return { start, removed: before.slice(start, end), added: after.slice(start, caret) };
  return replacementIn(before, after);
}

const inputTypeOf = (event: Event): string => (event as InputEvent).inputType;

/** What a browser wants to undo itself, as by its menu. */
function stepOf(event: Event): 'undo' | 'redo' | undefined {
  const inputType = inputTypeOf(event);
  if (inputType === 'historyUndo') return 'undo';
  return inputType === 'historyRedo' ? 'redo' : undefined;
}

/** What a key stands for: a browser that has nothing to undo itself does not say so. */
function stepOfKey(event: KeyboardEvent): 'undo' | 'redo' | undefined {
  const { altKey, code, ctrlKey, metaKey, shiftKey } = event;
  const isApple = /Mac OS/.test(navigator.userAgent);
  if (altKey || !(isApple ? metaKey : ctrlKey)) return undefined;
  // Other scripts have other letters there.
  const key = /^[a-z]$/i.test(event.key) ? event.key.toLowerCase() : code.slice(-1).toLowerCase();
  if (key === 'z') return shiftKey ? 'redo' : 'undo';
  return key === 'y' && !isApple ? 'redo' : undefined;
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
