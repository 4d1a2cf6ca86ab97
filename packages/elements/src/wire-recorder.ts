// Records the messages of a connection, for <mcp-wire>; without Lit.
export { WireRecorder } from './mcp-wire/wire-recorder.js';
export type { WireRecorderOptions } from './mcp-wire/wire-recorder.js';
export type { WireEntry } from './mcp-wire/wire-entry.js';
