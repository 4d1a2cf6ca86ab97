/** An `<mcp-note-editor>` has stored the words of its user. Bubbles, through shadow roots too. */
export class McpNoteSaveEvent extends Event {
  static readonly eventName = 'mcp-note-save';
  /** The id of the note. */
  readonly noteId: string;
  /** The revision that has these words. */
  readonly revision: number;

  constructor(noteId: string, revision: number) {
    super(McpNoteSaveEvent.eventName, { bubbles: true, composed: true });
    this.noteId = noteId;
    this.revision = revision;
  }
}

/**
 * An `<mcp-note-editor>` has left a note whose last words could not be stored. Fired on `window`,
 * because the element may have left its page.
 */
export class McpNoteLostEvent extends Event {
  static readonly eventName = 'mcp-note-lost';
  /** The id of the note. */
  readonly noteId: string;
  /** The words that are stored nowhere. */
  readonly words: { title: string; text: string };

  constructor(noteId: string, words: { title: string; text: string }) {
    super(McpNoteLostEvent.eventName);
    this.noteId = noteId;
    this.words = words;
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
