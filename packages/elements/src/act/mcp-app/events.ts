import type { ContentBlock } from '@inpage-mcp/client';

/** The reason why an app is not shown, or is no longer shown. */
export type AppProblem =
  /** The tool or its app does not exist, or the resource is not an app. */
  | 'no-app'
  /** The frame could not be shown; the error has the reason. */
  | 'frame'
  /** The app has sent no message for 15 s. It is still shown. */
  | 'no-answer'
  /** The app has left its document. */
  | 'navigated'
  /** The app has sent more messages than the page can process. */
  | 'flooded'
  /** The server could not be read, or the call has failed. */
  | 'failed';

/** Fired when the app of an `<mcp-app>` has started. */
export class McpAppReadyEvent extends Event {
  static readonly eventName = 'mcp-app-ready';
  /** The name by which the app calls itself. */
  readonly name: string;

  constructor(name: string) {
    super(McpAppReadyEvent.eventName, { bubbles: true, composed: true });
    this.name = name;
  }
}

/** Fired when the user has agreed to open an address. Cancel the event to open it yourself, or not at all. */
export class McpAppLinkEvent extends Event {
  static readonly eventName = 'mcp-app-link';
  /** The address: of the web or of an e-mail. */
  readonly url: string;

  constructor(url: string) {
    super(McpAppLinkEvent.eventName, { bubbles: true, composed: true, cancelable: true });
    this.url = url;
  }
}

/**
 * Fired when the user has agreed to save contents of an app. Cancel the event to save them yourself, or not
 * at all.
 */
export class McpAppDownloadEvent extends Event {
  static readonly eventName = 'mcp-app-download';
  /** The contents: embedded resources, and links to resources. */
  readonly contents: readonly ContentBlock[];

  constructor(contents: readonly ContentBlock[]) {
    super(McpAppDownloadEvent.eventName, { bubbles: true, composed: true, cancelable: true });
    this.contents = contents;
  }
}

/** Fired when an app was closed, by the user or by itself. It has had the time to save its data. */
export class McpAppCloseEvent extends Event {
  static readonly eventName = 'mcp-app-close';

  constructor() {
    super(McpAppCloseEvent.eventName, { bubbles: true, composed: true });
  }
}

/** A line of an app's log. */
export class McpAppLogEvent extends Event {
  static readonly eventName = 'mcp-app-log';
  /** The entry with `level`, `logger` and `data`, as the app has sent them: any values. */
  readonly entry: Readonly<Record<string, unknown>>;

  constructor(entry: Readonly<Record<string, unknown>>) {
    super(McpAppLogEvent.eventName, { bubbles: true, composed: true });
    this.entry = entry;
  }
}

/** Fired when an app is not shown, or is no longer shown. */
export class McpAppErrorEvent extends Event {
  static readonly eventName = 'mcp-app-error';
  /** The kind of problem, for programs. */
  readonly problem: AppProblem;
  /** The error, whose message has the reason. */
  readonly error: unknown;

  constructor(problem: AppProblem, error: unknown) {
    super(McpAppErrorEvent.eventName, { bubbles: true, composed: true });
    this.problem = problem;
    this.error = error;
  }
}

declare global {
  interface GlobalEventHandlersEventMap {
    'mcp-app-ready': McpAppReadyEvent;
    'mcp-app-link': McpAppLinkEvent;
    'mcp-app-download': McpAppDownloadEvent;
    'mcp-app-close': McpAppCloseEvent;
    'mcp-app-log': McpAppLogEvent;
    'mcp-app-error': McpAppErrorEvent;
  }
}
