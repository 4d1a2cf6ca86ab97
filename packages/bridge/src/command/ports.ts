/** The port that pages expect. */
export const DEFAULT_PORT = 41_707;

/** The port of Streamable HTTP. */
export const DEFAULT_HTTP_PORT = 41_708;
