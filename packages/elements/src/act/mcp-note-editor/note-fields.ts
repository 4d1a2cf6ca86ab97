import type { NoteWords } from './note-storage.js';

type Field = HTMLInputElement | HTMLTextAreaElement;

/**
 * The fields of a title and a text. A field changes what it is given: all line ends become line feeds,
 * and a title loses its line ends. What the user has not changed is read as it was stored, and line
 * ends stay those of the note.
 */
export class NoteFields {
  readonly #root: () => ParentNode;
  /** What the fields were last known to show. */
  #shown: NoteWords = { title: '', text: '' };
  /** Whether the user is composing a character of several keys, which other words would break off. */
  isComposing = false;

  constructor(root: () => ParentNode) {
    this.#root = root;
  }

  /** The words as they are to be stored. */
  read(): NoteWords {
    const title = this.#titleField?.value;
    const text = this.#textField?.value;
    const shown = this.#shown;
    return {
      title: title === undefined || title === asTitle(shown.title) ? shown.title : title,
      text: text === undefined ? shown.text : withLineEndsOf(shown.text, text),
    };
  }

  /** Shows words, and leaves the caret and the scroll position where they are. */
  show(words: NoteWords): void {
    this.#shown = words;
    replace(this.#titleField, asTitle(words.title));
    replace(this.#textField, asText(words.text));
  }

  get #titleField(): HTMLInputElement | null {
    return this.#root().querySelector('input');
  }

  get #textField(): HTMLTextAreaElement | null {
    return this.#root().querySelector('textarea');
  }
}

function replace(field: Field | null, value: string): void {
  if (!field || field.value === value) return;
  const { selectionStart, selectionEnd, scrollTop } = field;
  field.value = value;
  field.setSelectionRange(selectionStart, selectionEnd);
  field.scrollTop = scrollTop;
}

/** What an `<input>` makes of a value. */
const asTitle = (title: string): string => title.replaceAll(/[\r\n]/g, '');

/** What a `<textarea>` makes of a value. */
const asText = (text: string): string =>
  text.includes('\r') ? text.replaceAll(/\r\n?/g, '\n') : text;

function withLineEndsOf(stored: string, text: string): string {
  if (!stored.includes('\r')) return text;
  if (text === asText(stored)) return stored;
  const isMixed = /\r(?!\n)|(?<!\r)\n/.test(stored);
  return isMixed ? text : text.replaceAll('\n', '\r\n');
}
