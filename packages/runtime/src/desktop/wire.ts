// The constants of the protocol between page and bridge.

/** The version. */
export const VERSION = 1;

/** The port of the bridge, unless the page names another one. No system uses it for outgoing connections. */
export const DEFAULT_PORT = 21_707;

/** The kind of the first frame, which the page creates itself when the browser has connected. */
export const OPENED = '';

/**
 * The maximum lengths of the frames that the page reads, before the bridge has proved its identity (4 KiB)
 * and after (16 MiB).
 */
export const MAX_UNPROVEN_LENGTH = 4_096;
export const MAX_LENGTH = 16_777_216;

/** The maximum size of a frame that the bridge reads: 64 MiB. */
export const MAX_SENT_BYTES = 67_108_864;

/** The maximum number of frames that the page reads from a bridge that has not proved its identity. */
export const MAX_UNPROVEN_FRAMES = 8;

/** The limit of unsent bytes (8 MiB), above which the page reads nothing. */
export const MAX_UNSENT_BYTES = 8_388_608;

/**
 * The interval at which the page checks whether they were sent, and the maximum number of checks without
 * progress (10 s).
 */
export const UNSENT_CHECK_MS = 50;
export const MAX_STALLED_CHECKS = 200;

/** The timeout until the browser has connected: it may ask the user for permission. */
export const OPENING_MS = 60_000;

/** The timeout for a frame while both sides prove who they are. */
export const PROVING_MS = 10_000;

/** The timeout for a frame when the page is connected: the bridge pings at least every 15 s. */
export const SERVING_MS = 45_000;

/** The time that the user has for comparing the code. */
export const COMPARING_MS = 300_000;

/** The maximum number of sessions of desktop apps; more are refused. */
export const MAX_SESSIONS = 32;

/** The maximum length of a name that is shown, in UTF-16 code units. */
export const MAX_NAME_LENGTH = 100;

/** The code of the JSON-RPC error that replaces an answer that is too long for the bridge. */
export const INTERNAL_ERROR = -32_603;

/** Codes with which the page closes the socket. A browser allows only 1000 and codes from 3000 to 4999. */
export const MALFORMED = 4400;
export const UNPROVEN = 4401;
export const TOO_LONG = 4009;
