// The classes, none of them defined: for other tag names, subclasses and scoped registries.
export { McpProvider } from './mcp-provider/mcp-provider.js';
export { McpResourceList } from './mcp-resource-list/mcp-resource-list.js';
export { McpResourceView } from './mcp-resource-view/mcp-resource-view.js';

// What their users need.
export { clientContext } from './element/client-context.js';
export { truncateText } from './text/truncate-text.js';
export { McpResourceSelectEvent } from './mcp-resource-list/events.js';
export { McpResourceLoadEvent } from './mcp-resource-view/events.js';
