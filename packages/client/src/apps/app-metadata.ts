import type { Meta } from '@inpage-mcp/protocol/types';
import type { Tool } from '../api/tool-types.js';

/** The extension's identifier, as clients and servers declare it. */
export const APPS_EXTENSION = 'io.modelcontextprotocol/ui';

/** The revision of the extension that both sides of an app speak here. */
export const APPS_REVISION = '2026-01-26';

/** The media type of a resource that is an app. */
export const APP_MEDIA_TYPE = 'text/html;profile=mcp-app';

/** The value of `_meta.ui` of a tool or a resource, unchecked, because it comes from a server. */
export function uiOf(listed: { _meta?: Meta | undefined }): { readonly [key: string]: unknown } {
  const ui = listed._meta?.['ui'];
  return typeof ui === 'object' && ui !== null ? (ui as { [key: string]: unknown }) : {};
}

/**
 * The resource of a tool's app, also where it stands under the key of older revisions.
 *
 * @returns A `ui://` URI, or `undefined` if the tool has no app.
 */
export function appUriOf(tool: Tool): string | undefined {
  const uri = uiOf(tool)['resourceUri'] ?? tool._meta?.['ui/resourceUri'];
  return typeof uri === 'string' && uri.startsWith('ui://') ? uri : undefined;
}

/**
 * Whether a tool is meant for apps, or for models (MCP Apps › Tool visibility). A tool without a visibility
 * is for both.
 */
export function isVisibleTo(tool: Tool, who: 'app' | 'model'): boolean {
  const { visibility } = uiOf(tool);
  return !Array.isArray(visibility) || visibility.length === 0 || visibility.includes(who);
}
