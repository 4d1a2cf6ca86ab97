// The tools and resources of a server as tools of WebMCP, for the agent of the browser.
export { toWebMcp } from './web-mcp/to-web-mcp.js';
export type { WebMcpOptions, WebMcpTools } from './web-mcp/to-web-mcp.js';
export type { WebMcpClient } from './web-mcp/web-mcp-client.js';
export type { RefusedTool } from './web-mcp/registered-tools.js';
export type { ModelContext, WebMcpTool } from './web-mcp/model-context.js';
