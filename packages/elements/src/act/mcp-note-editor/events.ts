import type { NoteWords } from './note-storage.js';

/**
 * Fired when changes of the user are stored. Bubbles from the `<mcp-note-editor>`, through shadow roots too;
 * fired on `window` if the element has left its page.
 */
export class McpNoteSaveEvent extends Event {
  static readonly eventName = 'mcp-note-save';
  /** The id of the note with the stored text. */
  readonly noteId: string;
  /** The revision with this text. */
  readonly revision: number;
  /** Whether it is a new note, for a version that could be stored nowhere else. Default: false. */
  readonly isCopy: boolean;
  /** Whether an earlier page had kept the changes. Default: false. */
  readonly isRestored: boolean;

  constructor(
    noteId: string,
    revision: number,
    { isCopy = false, isRestored = false }: { isCopy?: boolean; isRestored?: boolean } = {},
  ) {
    super(McpNoteSaveEvent.eventName, { bubbles: true, composed: true });
    this.noteId = noteId;
    this.revision = revision;
    this.isCopy = isCopy;
    this.isRestored = isRestored;
  }
}

/**
 * Fired when the last changes of a note that an `<mcp-note-editor>` has left could not be stored. Fired on
 * `window`, because the element may have left its page.
 */
export class McpNoteLostEvent extends Event {
  static readonly eventName = 'mcp-note-lost';
  /** The id of the note. */
  readonly noteId: string;
  /** The title and text that are stored nowhere. */
  readonly words: Readonly<NoteWords>;
  /** The reason why they could not be stored. */
  readonly error: unknown;
  /** Whether this browser keeps them until the page starts again. Default: false. */
  readonly isKept: boolean;
  /** Whether an earlier page had kept them. Default: false. */
  readonly isRestored: boolean;

  constructor(
    noteId: string,
    words: Readonly<NoteWords>,
    {
      error,
      isKept = false,
      isRestored = false,
    }: { error?: unknown; isKept?: boolean; isRestored?: boolean } = {},
  ) {
    super(McpNoteLostEvent.eventName);
    this.noteId = noteId;
    this.words = words;
    this.error = error;
    this.isKept = isKept;
    this.isRestored = isRestored;
  }
}

declare global {
  interface GlobalEventHandlersEventMap {
    'mcp-note-save': McpNoteSaveEvent;
  }

  interface WindowEventMap {
    'mcp-note-lost': McpNoteLostEvent;
  }
}
