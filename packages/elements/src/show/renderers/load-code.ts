import { loadPart } from '../../base/look/load-part.js';

/** Loads and defines `<mcp-view-code>`, for the source of what another renderer cannot show. */
export async function loadCode(): Promise<void> {
  const { McpViewCode } = await loadPart(() => import('./code/mcp-view-code.js'));
  if (!customElements.get('mcp-view-code')) customElements.define('mcp-view-code', McpViewCode);
}
