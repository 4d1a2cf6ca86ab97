// What a page without a build gets from one file. Importing it defines every element.

import '@inpage-mcp/elements/all';

// Not by name: the elements and their events are whatever that package exports.
export * from '@inpage-mcp/elements';
export { RuntimeError, startRuntime } from '@inpage-mcp/runtime';
export { connectClient } from '@inpage-mcp/client';
export { connectToFrame, connectToParent, MessagePortTransport } from '@inpage-mcp/transport';
