// Importing this module defines every element.
import './define/mcp-provider.js';
import './define/mcp-resource-list.js';
import './define/mcp-resource-view.js';

export {
  clientContext,
  McpProvider,
  McpResourceList,
  McpResourceLoadEvent,
  McpResourceSelectEvent,
  McpResourceView,
  truncateText,
} from './classes.js';
