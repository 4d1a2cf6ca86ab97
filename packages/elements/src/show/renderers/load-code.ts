/** Loads and defines `<mcp-view-code>`, for the source of what another renderer cannot show. */
export async function loadCode(): Promise<void> {
  const { McpViewCode } = await import('./code/mcp-view-code.js');
  if (!customElements.get('mcp-view-code')) customElements.define('mcp-view-code', McpViewCode);
}
