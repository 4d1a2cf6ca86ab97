// The messages of MCP as plain types, for both ends. They have no code at run time.
export type * from './wire/types.js';
export type * from './wire/input-types.js';
