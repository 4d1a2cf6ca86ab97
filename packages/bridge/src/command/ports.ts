/**
 * The port that pages expect. It is below 32768, because systems use the ports from there on for outgoing
 * connections, so such a port could already be taken.
 */
export const DEFAULT_PORT = 21_707;

/** The port of Streamable HTTP. */
export const DEFAULT_HTTP_PORT = 21_708;
