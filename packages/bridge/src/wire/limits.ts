/** The longest frame of a page, in bytes: the content of a large file, in base64. */
export const MAX_PAGE_FRAME_BYTES = 64 * 1024 * 1024;

/** The longest message of a host, in bytes. */
export const MAX_HOST_MESSAGE_BYTES = 16 * 1024 * 1024;

/**
 * The longest line for a host, in bytes. Clients of the official SDK keep at most 10 MiB that they have not
 * parsed, and end the session past it. They read 64 KiB at a time, with the beginning of the next line.
 */
export const MAX_STDIO_LINE_BYTES = (10 * 1024 - 64) * 1024;

/** The most bytes that a frame has beside its message. */
export const FRAME_OVERHEAD_BYTES = 1024;

/** How much a peer may send before it has proved who it is: the number of frames, and their average size. */
export const MAX_GREETING_FRAMES = 8;
export const MAX_GREETING_FRAME_BYTES = 4 * 1024;

/** How long a peer may take to prove who it is, in ms. */
export const GREETING_TIMEOUT_MS = 10_000;

/** How long a peer may take to send the headers of a request, and how often the server checks this, in ms. */
export const HTTP_TIMES = {
  headersTimeout: GREETING_TIMEOUT_MS,
  requestTimeout: GREETING_TIMEOUT_MS,
  connectionsCheckingInterval: 1_000,
};

/** How long this process waits for a page and for the hub, in ms. */
export interface Deadlines {
  /**
   * How long a page may take to answer a ping before another page serves. A page that computes for some
   * seconds answers only then, and what is in progress fails if it is given up.
   */
  pageAnswerMs: number;
  /**
   * How long a session waits for a page before the bridge answers by itself. A new session waits because the
   * open page may have to ask the user. A session whose page has disconnected waits because a page that
   * reloads, or has to find another hub, connects again within this time.
   */
  pageReturnMs: number;
  /**
   * How long requests other than the handshake wait for a page that is there, or probably there: as long as a
   * visible page needs to find the bridge, or a busy page to open the session.
   */
  pageOpeningMs: number;
  /** How long the hub may take to answer pings before a process leaves it. */
  hubAnswerMs: number;
  /**
   * How long the answers to a host may take that has closed stdin: longer than `pageOpeningMs`, because a program
   * may send all its requests and close stdin before the page has found the bridge.
   */
  lastAnswersMs: number;
}

/** The deadlines of the command. */
export const DEADLINES: Deadlines = {
  pageAnswerMs: 10_000,
  pageReturnMs: 2_000,
  pageOpeningMs: 8_000,
  hubAnswerMs: 5_000,
  lastAnswersMs: 10_000,
};

/** How long the user may take to compare the code, in ms. */
export const CODE_TIMEOUT_MS = 5 * 60_000;

/** The most sockets of pages, and the most sockets without a proof in each group of the hub. */
export const MAX_PAGES = 16;
export const MAX_STRANGERS = 4;

/** The most sockets without a proof of all origins that are neither configured nor paired. */
export const MAX_UNKNOWN_PAGES = 16;

/** If more than this waits to be sent to a peer, in bytes, the bridge pauses reading from its senders. */
export const HIGH_WATER_BYTES = 8 * 1024 * 1024;

/** If such a peer reads nothing for so long, in ms, its socket is closed. */
export const STALL_TIMEOUT_MS = 10_000;

/** The most data that waits for a host over stdio, or for all HTTP clients together, in bytes. */
export const MAX_UNREAD_BYTES = 64 * 1024 * 1024;

/** The most data of unanswered requests over HTTP, all together, in bytes. */
export const MAX_BODIES_BYTES = 64 * 1024 * 1024;

/** The most unanswered requests of a host. */
export const MAX_REQUESTS_IN_FLIGHT = 200;

/** The most subscriptions of a host that are repeated to another page. */
export const MAX_SUBSCRIPTIONS = 10_000;
