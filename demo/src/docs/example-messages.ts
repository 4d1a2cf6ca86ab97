// The messages between a page of the docs and the frame that runs an example, on a port of their own.

/** The message of the frame to the window around it, when its script has loaded. */
export const READY = 'inpage-mcp-docs-example-ready';

/** The colours of the page, at first and when they change: a frame without them would be white. */
export interface Theme {
  colorScheme: string;
}

/** The first message of the page, over the port that it has passed. */
export interface Start extends Theme {
  /** The code of a whole page, as the reader has written it. */
  code: string;
}

export type FromFrame =
  /** A call of the runtime: `openPort`, or an operation such as `notes.list`. */
  | { type: 'call'; id: number; part: string; operation: string; args: unknown[] }
  | { type: 'print'; isError: boolean; text: string };

export interface Answer {
  id: number;
  value?: unknown;
  error?: { message: string; code: unknown };
}

/** The answer to `openPort`. */
export interface OpenedPort {
  port: MessagePort;
  /** The number of the connection in the activity log. */
  connection: number | undefined;
}
