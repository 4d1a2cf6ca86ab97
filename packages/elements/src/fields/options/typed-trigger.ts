import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { isComposing } from '../../base/element/is-composing.js';

/** A text field of the page. */
export type TextField = HTMLTextAreaElement | HTMLInputElement;

/** The sign in a field, and the text after it up to the caret. */
interface Typed {
  /** The text after the sign. */
  query: string;
  /** The index of the sign, in UTF-16 code units. */
  start: number;
  /** The index of the caret. */
  end: number;
}

/** The callbacks of the host for a text field. */
interface TypedTriggerOptions {
  /** Matches the sign and the text after it, with the group `query`, at the end of the text. */
  pattern: RegExp;
  /** Called when the text begins, changes, or ends. */
  onchange: () => void;
  /** Called when a key is pressed while such a text exists. Returns whether the key had an effect. */
  onkeydown: (event: KeyboardEvent) => boolean;
}

/** The length of the text before the caret that is searched for the sign. */
const MAX_SEARCHED_LENGTH = 200;

/**
 * Watches a text field of the page for a sign, such as `@`, and the text after it. While the user composes
 * characters (IME), nothing changes and no key is handled.
 */
export class TypedTrigger implements ReactiveController {
  readonly #host: ReactiveControllerHost & HTMLElement;
  readonly #options: TypedTriggerOptions;
  /** The text field, if it exists. */
  field: TextField | undefined;
  #fieldId = '';
  /** The current text; `undefined` if the caret is not after the sign. */
  typed: Typed | undefined;
  /** The index of the sign that the user has dismissed. Another sign opens the popup again. */
  #dismissed = -1;
  #isComposing = false;
  #listening = new AbortController();
  #waiting = new AbortController();

  constructor(host: ReactiveControllerHost & HTMLElement, options: TypedTriggerOptions) {
    this.#host = host;
    this.#options = options;
    host.addController(this);
  }

  /**
   * Watches a field, or the field with an id in the tree of the host. A field with this id may be
   * added later.
   */
  watch(field: TextField | undefined, id: string): void {
    if (id !== this.#fieldId) this.#awaitField(id);
    // A removed host may be updated, too. Without this check, the page would keep it forever.
    this.#attach(this.#host.isConnected ? (field ?? this.#fieldWithId()) : undefined);
  }

  hostConnected(): void {
    this.#awaitField(this.#fieldId);
    this.#host.requestUpdate();
  }

  hostDisconnected(): void {
    this.#waiting.abort();
    this.#attach(undefined);
  }

  /** Ends the typed text, until the user types another sign. */
  dismiss(): void {
    this.#dismissed = this.typed?.start ?? -1;
    this.#set(undefined);
  }

  /** Replaces the sign and the typed text by another text. The user can undo this. */
  replace(text: string): void {
    const field = this.field;
    const typed = this.typed;
    if (!field || !typed) return;
    this.#set(undefined);
    field.focus();
    field.setSelectionRange(typed.start, typed.end);
    if (typeText(field.ownerDocument, text)) return;
    field.setRangeText(text, typed.start, typed.end, 'end');
    field.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }));
  }

  #awaitField(id: string): void {
    this.#fieldId = id;
    this.#waiting.abort();
    this.#waiting = new AbortController();
    if (id === '' || !this.#host.isConnected) return;
    const { signal } = this.#waiting;
    // A field that is added later is found when the user moves the focus to it.
    const find = (): void => this.#host.requestUpdate();
    this.#host.getRootNode().addEventListener('focusin', find, { signal });
  }

  #fieldWithId(): TextField | undefined {
    if (this.#fieldId === '') return undefined;
    const root = this.#host.getRootNode() as Document | ShadowRoot;
    const found = root.getElementById?.(this.#fieldId);
    return found instanceof HTMLTextAreaElement || found instanceof HTMLInputElement
      ? found
      : undefined;
  }

  #attach(field: TextField | undefined): void {
    if (field === this.field) return;
    this.#listening.abort();
    this.field = field;
    this.#isComposing = false;
    this.#set(undefined);
    if (!field) return;
    this.#listening = new AbortController();
    const { signal } = this.#listening;
    const look = (): void => this.#look();
    field.addEventListener('input', look, { signal });
    field.ownerDocument.addEventListener('selectionchange', look, { signal });
    field.addEventListener('blur', () => this.#set(undefined), { signal });
    field.addEventListener('compositionstart', () => (this.#isComposing = true), { signal });
    const end = (): void => {
      this.#isComposing = false;
      this.#look();
    };
    field.addEventListener('compositionend', end, { signal });
    const keydown = (event: Event): void => this.#onKeydown(event as KeyboardEvent);
    // This runs before the listeners of the page, which may send a message at Enter.
    field.addEventListener('keydown', keydown, { signal, capture: true });
  }

  #onKeydown(event: KeyboardEvent): void {
    if (!this.typed || this.#isComposing || isComposing(event)) return;
    if (!this.#options.onkeydown(event)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }

  #look(): void {
    if (this.#isComposing || !this.field) return;
    const typed = typedIn(this.field, this.#options.pattern);
    if (typed?.start !== this.#dismissed) this.#dismissed = -1;
    this.#set(this.#dismissed < 0 ? typed : undefined);
  }

  #set(typed: Typed | undefined): void {
    const before = this.typed;
    if (before?.start === typed?.start && before?.query === typed?.query) return;
    this.typed = typed;
    this.#options.onchange();
  }
}

/** Types a text over the selection, and fires `input`. This is the only way that the user can undo. */
function typeText(page: Document, text: string): boolean {
  // oxlint-disable-next-line typescript/no-deprecated
  return text === '' ? page.execCommand('delete') : page.execCommand('insertText', false, text);
}

function typedIn(field: TextField, pattern: RegExp): Typed | undefined {
  const end = field.selectionStart;
  if (end === null || end !== field.selectionEnd || !isFocused(field)) return undefined;
  const from = Math.max(0, end - MAX_SEARCHED_LENGTH);
  const before = field.value.slice(from, end);
  // A sign at the cut is not at the start of the text.
  const query = (from > 0 ? `\u0000${before}` : before).match(pattern)?.groups?.['query'];
  return query === undefined ? undefined : { query, start: end - query.length - 1, end };
}

function isFocused(field: TextField): boolean {
  return (field.getRootNode() as Document | ShadowRoot).activeElement === field;
}
