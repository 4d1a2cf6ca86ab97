/** The actions on all of the data. */
export type StorageAction = 'persist' | 'export' | 'import' | 'clear';

/** Fired when an action has ended. Bubbles from the `<mcp-storage>`, through shadow roots too. */
export class McpStorageDoneEvent extends Event {
  static readonly eventName = 'mcp-storage-done';
  /** The action. */
  readonly action: StorageAction;
  /** The result as a sentence for the user, as the element shows it. */
  readonly text: string;
  /** Whether it has failed. A cancelled action has not. */
  readonly failed: boolean;
  /** Whether it has done what it was asked for: false if it has failed, was cancelled, or the user said no. */
  readonly isComplete: boolean;

  constructor(
    action: StorageAction,
    { text, failed, isComplete }: { text: string; failed: boolean; isComplete: boolean },
  ) {
    super(McpStorageDoneEvent.eventName, { bubbles: true, composed: true });
    this.action = action;
    this.text = text;
    this.failed = failed;
    this.isComplete = isComplete;
  }
}

/**
 * Fired when a question in an `<mcp-storage>` waits for the user: scroll it into view. Bubbles, through
 * shadow roots too.
 */
export class McpStorageQuestionEvent extends Event {
  static readonly eventName = 'mcp-storage-question';
  /** The action that asks. */
  readonly action: StorageAction;

  constructor(action: StorageAction) {
    super(McpStorageQuestionEvent.eventName, { bubbles: true, composed: true });
    this.action = action;
  }
}

declare global {
  interface GlobalEventHandlersEventMap {
    'mcp-storage-done': McpStorageDoneEvent;
    'mcp-storage-question': McpStorageQuestionEvent;
  }
}
