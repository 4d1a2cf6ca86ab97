/** The port that pages expect. Systems give ports from 32768 on to outgoing connections, which then have them. */
export const DEFAULT_PORT = 21_707;

/** The port of Streamable HTTP. */
export const DEFAULT_HTTP_PORT = 21_708;
