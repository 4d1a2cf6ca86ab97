import type { ContentBlock } from '@inpage-mcp/client';

/** Why an app is not shown, or no longer. */
export type AppProblem =
  /** There is no such tool, it has no app, or the resource is not one. */
  | 'no-app'
  /** The frame could not be shown; the error says why. */
  | 'frame'
  /** The app has said nothing for 15 s. It is still shown. */
  | 'no-answer'
  /** The app has left its document. */
  | 'navigated'
  /** The app has sent more than the page can take. */
  | 'flooded'
  /** The server could not be read, or the call has failed. */
  | 'failed';

/** The app of an `<mcp-app>` has started. */
export class McpAppReadyEvent extends Event {
  static readonly eventName = 'mcp-app-ready';
  /** The name that the app gives itself. */
  readonly name: string;

  constructor(name: string) {
    super(McpAppReadyEvent.eventName, { bubbles: true, composed: true });
    this.name = name;
  }
}

/** The user has agreed to open an address. Cancel the event to open it yourself, or not at all. */
export class McpAppLinkEvent extends Event {
  static readonly eventName = 'mcp-app-link';
  /** An address of the web or of an e-mail. */
  readonly url: string;

  constructor(url: string) {
    super(McpAppLinkEvent.eventName, { bubbles: true, composed: true, cancelable: true });
    this.url = url;
  }
}

/** The user has agreed to save what an app has. Cancel the event to save it yourself, or not at all. */
export class McpAppDownloadEvent extends Event {
  static readonly eventName = 'mcp-app-download';
  /** Embedded resources, and links to resources. */
  readonly contents: readonly ContentBlock[];

  constructor(contents: readonly ContentBlock[]) {
    super(McpAppDownloadEvent.eventName, { bubbles: true, composed: true, cancelable: true });
    this.contents = contents;
  }
}

/** An app was closed, by the user or by itself. It has had the time to save what it had. */
export class McpAppCloseEvent extends Event {
  static readonly eventName = 'mcp-app-close';

  constructor() {
    super(McpAppCloseEvent.eventName, { bubbles: true, composed: true });
  }
}

/** A line of an app's log. */
export class McpAppLogEvent extends Event {
  static readonly eventName = 'mcp-app-log';
  /** `level`, `logger` and `data`, as the app has them: anything. */
  readonly entry: Readonly<Record<string, unknown>>;

  constructor(entry: Readonly<Record<string, unknown>>) {
    super(McpAppLogEvent.eventName, { bubbles: true, composed: true });
    this.entry = entry;
  }
}

/** An app is not shown, or no longer. */
export class McpAppErrorEvent extends Event {
  static readonly eventName = 'mcp-app-error';
  /** What happened, for programs. */
  readonly problem: AppProblem;
  /** The error, with the reason in words. */
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
