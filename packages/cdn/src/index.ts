// The exports for a page without a build, in one file. Importing it defines every element.

import '@inpage-mcp/elements/all';

// All exports, not by name, so that every element and event of that package is included.
export * from '@inpage-mcp/elements';
export { RuntimeError, startRuntime } from '@inpage-mcp/runtime';
export { connectClient } from '@inpage-mcp/client';
export { connectToFrame, connectToParent, MessagePortTransport } from '@inpage-mcp/transport';
