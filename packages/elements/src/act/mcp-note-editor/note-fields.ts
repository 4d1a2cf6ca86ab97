import { EditHistory } from './edit-history.js';
import type { NoteWords } from './note-storage.js';
import { apply, editBetween, moved, replacementIn, type Replacement } from './text-edit.js';

type Field = HTMLInputElement | HTMLTextAreaElement;

/**
 * The maximum length of a text that is inserted as if the user had typed it, so that it scrolls into view. A
 * longer text takes a browser too long.
 */
const MAX_TYPED_LENGTH = 10_000;

/** The listeners for events in the fields. */
export interface FieldListeners {
  /** Called when the user has changed the title or the text. */
  onedit: () => void;
  /** Called when a composed character is complete. */
  oncompositionend: () => void;
}

/**
 * The fields of a title and a text. The user's input stays in them, and is read only when the note is saved.
 * A field changes a value that is set: all line ends become line feeds, and a title loses its line ends. So a
 * value that the user has not changed is read as it was stored, and the line ends stay those of the note. The
 * object handles the events of both fields.
 */
export class NoteFields {
  readonly #root: ShadowRoot;
  readonly #listeners: FieldListeners;
  /** The version that the fields were last known to show. */
  #shown: NoteWords = { title: '', text: '' };
  #edited: EditedField[] = [];
  /** Whether the user is composing a character of several keys, which a change of the field would interrupt. */
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

  /** The title and text in the form in which they are stored. */
  read(): NoteWords {
    const shown = this.#shown;
    const title = this.title?.value;
    const text = this.text?.value;
    return {
      title: title === undefined || title === asTitle(shown.title) ? shown.title : title,
      text: text === undefined ? shown.text : withLineEndsOf(shown.text, text),
    };
  }

  /** Shows a version. The caret, the selection, the visible lines and the undo steps stay as they are. */
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

  /** The known state of a field. The field may have been replaced by another one. */
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
 * A field with its undo steps. The undo function of a browser would also undo the changes of others, or,
 * after a value is set, nothing at all.
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

  /** Records a change of the user. `isTyped` means typed key by key. */
  note(isTyped: boolean): void {
    const [before, after] = [this.#value, this.field.value];
    if (before === after) return;
    this.#value = after;
    this.#history.record(replacementAt(this.field.selectionEnd!, before, after), isTyped);
  }

  /** Shows a change that the user has not made. */
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

  /** Undoes the last step of the user, or makes it again. */
  step(how: 'undo' | 'redo'): void {
    this.note(false);
    const edit = this.#history[how](this.#value);
    if (!edit) return;
    const after = apply(edit, this.#value);
    // Others have made the same change in the meantime.
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

/** Replaces the selection by a text, and scrolls it into view, which no other method does. */
function isTypedByBrowser(field: Field, added: string, removed: string): boolean {
  const hasFocus = (field.getRootNode() as ShadowRoot).activeElement === field;
  if (!hasFocus || added.length + removed.length > MAX_TYPED_LENGTH) return false;
  // oxlint-disable-next-line typescript/no-deprecated -- nothing else brings the caret into sight
  return document.execCommand(added === '' ? 'delete' : 'insertText', false, added);
}

/**
 * The part that the user has replaced; the caret is at its end. In nearly all cases, this does not compare
 * each character.
 */
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

/** The step that the browser would make itself, for example after a choice in its menu. */
function stepOf(event: Event): 'undo' | 'redo' | undefined {
  const inputType = inputTypeOf(event);
  if (inputType === 'historyUndo') return 'undo';
  return inputType === 'historyRedo' ? 'redo' : undefined;
}

/** The step that a key stands for. The browser fires no event for it if it has nothing to undo itself. */
function stepOfKey(event: KeyboardEvent): 'undo' | 'redo' | undefined {
  const { altKey, code, ctrlKey, metaKey, shiftKey } = event;
  const isApple = /Mac OS/.test(navigator.userAgent);
  if (altKey || !(isApple ? metaKey : ctrlKey)) return undefined;
  // Keyboards of other scripts have other letters on these keys.
  const key = /^[a-z]$/i.test(event.key) ? event.key.toLowerCase() : code.slice(-1).toLowerCase();
  if (key === 'z') return shiftKey ? 'redo' : 'undo';
  return key === 'y' && !isApple ? 'redo' : undefined;
}

/** A title in the form that an `<input>` has it. */
const asTitle = (title: string): string => title.replaceAll(/[\r\n]/g, '');

/** A text in the form that a `<textarea>` has it. */
const asText = (text: string): string =>
  text.includes('\r') ? text.replaceAll(/\r\n?/g, '\n') : text;

function withLineEndsOf(stored: string, text: string): string {
  if (!stored.includes('\r')) return text;
  if (text === asText(stored)) return stored;
  const isMixed = /\r(?!\n)|(?<!\r)\n/.test(stored);
  return isMixed ? text : text.replaceAll('\n', '\r\n');
}
