// The words of MCP as plain types, for both ends: nothing of them is left at run time.
export type * from './wire/types.js';
export type * from './wire/input-types.js';
