/** The maximum size of a frame of a page, in bytes: the content of a large file, in base64. */
export const MAX_PAGE_FRAME_BYTES = 64 * 1024 * 1024;

/** The maximum size of a message of a host, in bytes. */
export const MAX_HOST_MESSAGE_BYTES = 16 * 1024 * 1024;

/**
 * The maximum size of a line for a host, in bytes. Clients of the official SDK keep at most 10 MiB of
 * unparsed data, and end the session above it. They read 64 KiB at a time, which may include the beginning of
 * the next line.
 */
export const MAX_STDIO_LINE_BYTES = (10 * 1024 - 64) * 1024;

/** The maximum number of bytes that a frame has in addition to its message. */
export const FRAME_OVERHEAD_BYTES = 1024;

/**
 * The maximum number of frames that a peer may send before it has proved who it is, and their average size.
 */
export const MAX_GREETING_FRAMES = 8;
export const MAX_GREETING_FRAME_BYTES = 4 * 1024;

/** The timeout for a peer to prove who it is, in ms. */
export const GREETING_TIMEOUT_MS = 10_000;

/**
 * The timeouts for a peer to send the headers of a request, and the interval at which the server checks them,
 * in ms.
 */
export const HTTP_TIMES = {
  headersTimeout: GREETING_TIMEOUT_MS,
  requestTimeout: GREETING_TIMEOUT_MS,
  connectionsCheckingInterval: 1_000,
};

/** The timeouts of this process for waiting for a page and for the hub, in ms. */
export interface Deadlines {
  /**
   * The timeout for a page's answer to a ping; then another page serves. A page that computes for some
   * seconds answers only afterwards, and the requests in progress fail if another page takes over.
   */
  pageAnswerMs: number;
  /**
   * The time that a session waits for a page before the bridge answers by itself. A new session waits because
   * the open page may have to ask the user. A session whose page has disconnected waits because a page that
   * reloads, or has to find another hub, connects again within this time.
   */
  pageReturnMs: number;
  /**
   * The time that requests other than the handshake wait for a page that is, or probably is, connected: as
   * long as a visible page needs to find the bridge, or a busy page to open the session.
   */
  pageOpeningMs: number;
  /** The timeout for the hub's answers to pings; then a process leaves it. */
  hubAnswerMs: number;
  /**
   * The time that a host which has closed stdin still gets answers: longer than `pageOpeningMs`, because a
   * program may send all its requests and close stdin before the page has found the bridge.
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

/** The time that the user has for comparing the code, in ms. */
export const CODE_TIMEOUT_MS = 5 * 60_000;

/** The maximum number of sockets of pages, and of sockets without a proof in each group of the hub. */
export const MAX_PAGES = 16;
export const MAX_STRANGERS = 4;

/**
 * The maximum number of sockets without a proof, of all origins together that are neither configured nor
 * paired.
 */
export const MAX_UNKNOWN_PAGES = 16;

/** The limit of unsent data for a peer, in bytes; above it, the bridge pauses reading from its senders. */
export const HIGH_WATER_BYTES = 8 * 1024 * 1024;

/** The time without reading, in ms, after which the socket of such a peer is closed. */
export const STALL_TIMEOUT_MS = 10_000;

/** The maximum size of data that waits for a host over stdio, or for all HTTP clients together, in bytes. */
export const MAX_UNREAD_BYTES = 64 * 1024 * 1024;

/** The maximum size of unanswered requests over HTTP, all together, in bytes. */
export const MAX_BODIES_BYTES = 64 * 1024 * 1024;

/** The maximum number of unanswered requests of a host. */
export const MAX_REQUESTS_IN_FLIGHT = 200;

/** The maximum number of subscriptions of a host that are repeated to another page. */
export const MAX_SUBSCRIPTIONS = 10_000;
