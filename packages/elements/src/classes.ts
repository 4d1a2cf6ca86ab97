// The classes, none of them defined: for other tag names, subclasses and scoped registries.
export { McpProvider } from './mcp-provider/mcp-provider.js';
export { McpResourceList } from './mcp-resource-list/mcp-resource-list.js';
export { McpResourceView } from './mcp-resource-view/mcp-resource-view.js';

// What their users need.
export { clientContext } from './client-context.js';
export { truncateText } from './truncate-text.js';
export { McpResourceLoadEvent, McpResourceSelectEvent } from './events.js';
