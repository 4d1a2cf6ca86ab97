// Records the messages of a connection, for <mcp-wire>; without Lit.
export { WireRecorder } from './watch/mcp-wire/wire-recorder.js';
export type { WireRecorderOptions } from './watch/mcp-wire/wire-recorder.js';
export type { WireEntry } from './watch/mcp-wire/wire-entry.js';
