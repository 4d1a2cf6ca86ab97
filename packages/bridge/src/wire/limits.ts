/** The longest frame of a page, in bytes: the content of a large file, in base64. */
export const MAX_PAGE_FRAME_BYTES = 64 * 1024 * 1024;

/** The longest message of a host, in bytes. */
export const MAX_HOST_MESSAGE_BYTES = 16 * 1024 * 1024;

/** What is written around a message that one process passes to another, in bytes. */
export const FRAME_OVERHEAD_BYTES = 1024;

/** How much a peer may send before it has proved who it is: frames, and bytes of each. */
export const MAX_GREETING_FRAMES = 8;
export const MAX_GREETING_FRAME_BYTES = 4 * 1024;

/** How long a peer may take to prove who it is, in ms. */
export const GREETING_TIMEOUT_MS = 10_000;

/** How long the user may take to compare the code, in ms. */
export const CODE_TIMEOUT_MS = 5 * 60_000;

/** The most sockets of pages, and of those without a proof. */
export const MAX_PAGES = 16;
export const MAX_STRANGERS = 4;

/** If a peer has so much unsent, in bytes, its senders are read no more. */
export const HIGH_WATER_BYTES = 8 * 1024 * 1024;

/** If a peer that has much unsent takes nothing for so long, in ms, its socket is closed. */
export const STALL_TIMEOUT_MS = 10_000;

/** The most that waits for a host that does not read, in bytes. */
export const MAX_UNREAD_BYTES = 64 * 1024 * 1024;

/** The most requests of a host that are unanswered. */
export const MAX_REQUESTS_IN_FLIGHT = 200;

/** The most subscriptions of a host that are repeated to another page. */
export const MAX_SUBSCRIPTIONS = 10_000;
