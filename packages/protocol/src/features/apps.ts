import type { Call } from '../calls/call.js';
import { object, string } from '../wire/shapes.js';
import { omitUndefined } from '../wire/omit-undefined.js';
import type { ClientCapabilities, ResourceContents } from '../wire/types.js';
import type { ConnectionAccess } from './access.js';
import { plainDefinition } from './definition.js';
import { checkAppUri, type ListedTool, type ToolVisibility } from './tool.js';

/** The identifier of MCP Apps, as clients and servers declare it (MCP Apps, 2026-01-26). */
const APPS_EXTENSION = 'io.modelcontextprotocol/ui';

const APP_MEDIA_TYPE = 'text/html;profile=mcp-app';

/** The capability that declares the extension. */
export const APPS_CAPABILITY = { [APPS_EXTENSION]: { mimeTypes: [APP_MEDIA_TYPE] } };

/** An app: a page of HTML that hosts show in a sandboxed frame (MCP Apps › UI Resource Format). */
export interface App {
  /** The uri of the app, which begins with `ui://`. Tools name it as their `app`. */
  uri: string;
  /** The document, which must be whole, or a function that returns it for each read. */
  html: string | (() => string | Promise<string>);
  /** The origins that the app may reach, such as `https://example.com`. Default: none. */
  csp?:
    | {
        connectDomains?: string[] | undefined;
        resourceDomains?: string[] | undefined;
        frameDomains?: string[] | undefined;
        baseUriDomains?: string[] | undefined;
      }
    | undefined;
  /** The permissions that the app asks the host for, each as `{}`. Default: none. */
  permissions?:
    | {
        camera?: object | undefined;
        microphone?: object | undefined;
        geolocation?: object | undefined;
        clipboardWrite?: object | undefined;
      }
    | undefined;
  /** Whether the host should draw a border. Default: the host decides. */
  prefersBorder?: boolean | undefined;
  /** The origin that the app asks for, in a form that the host defines. Default: the host decides. */
  domain?: string | undefined;
}

/** An app in the form in which the server keeps it, like tools and prompts. */
export interface AppEntry {
  readonly name: string;
  readonly listed: { name: string; _meta: { ui: object } };
  readonly run: () => string | Promise<string>;
}

/**
 * Makes the entry of an app.
 *
 * @throws {TypeError} for a value that is not an app, or a uri that is not `ui://`.
 */
export function appEntry(app: App): AppEntry {
  const problem = APP(app, 'The app');
  if (problem !== undefined) throw new TypeError(problem);
  const { uri: name, html, ...ui } = app;
  checkAppUri(name);
  const run = typeof html === 'string' ? () => html : html;
  const listed = { name, _meta: { ui: omitUndefined(ui) } };
  return { name, listed: plainDefinition(listed, `The app ${name}`), run };
}

const APP = object({
  uri: string,
  html: (value, path) =>
    ['string', 'function'].includes(typeof value)
      ? undefined
      : `${path}: expected a text or a function`,
});

/** Whether a client shows apps. */
export function takesApps({ extensions }: ClientCapabilities): boolean {
  const { mimeTypes } = (extensions?.[APPS_EXTENSION] ?? {}) as { mimeTypes?: unknown };
  return Array.isArray(mimeTypes) && mimeTypes.includes(APP_MEDIA_TYPE);
}

/** Whether a tool is for apps, or for models. A tool without a `visibility` is for both. */
export function isVisibleTo({ _meta }: ListedTool, who: ToolVisibility): boolean {
  const { visibility } = (_meta?.['ui'] ?? {}) as { visibility?: unknown };
  return !Array.isArray(visibility) || visibility.length === 0 || visibility.includes(who);
}

/**
 * A tool as a client sees it. A client that shows no apps gets it without the parts for apps, and a
 * connection that may not read the app gets it without its app.
 */
export function listedFor<Context>(
  tool: ListedTool,
  isShowingApps: boolean,
  access: ConnectionAccess<Context>,
): ListedTool {
  const { ui, 'ui/resourceUri': flatUri, ..._meta } = tool._meta ?? {};
  if (!isShowingApps) return tool._meta ? { ...tool, _meta } : tool;
  const { resourceUri = flatUri, ...others } = (ui ?? {}) as { resourceUri?: unknown };
  const isReadable = typeof resourceUri !== 'string' || access.permitsUri?.(resourceUri) !== false;
  return isReadable ? tool : { ...tool, _meta: { ..._meta, ui: others } };
}

/** The apps of the server, and the access of one connection. */
export interface AppParts<Context> {
  apps: ReadonlyMap<string, AppEntry>;
  access: ConnectionAccess<Context>;
}

/**
 * Reads an app, with the tools that it may call. `undefined` if it does not exist for the connection,
 * or its client shows no apps.
 */
export function readApp<Context>(
  { apps, access }: AppParts<Context>,
  uri: string,
  call: Call<Context>,
  listTools: () => ListedTool[],
): Promise<ResourceContents[]> | undefined {
  const app = apps.get(uri);
  if (!app || !takesApps(call.clientCapabilities) || access.permitsUri?.(uri) === false)
    return undefined;
  return contentsOf(app, listTools);
}

/** The text that may stand before the tags of a document. */
const START = /^(?:\s|<!--[^]*?-->)*(?:<!doctype[^>]*>)?/i;

/**
 * The contents of an app, with its tools written into the document, because few hosts list them to apps. The
 * tools stand at the start, where a parser creates the head for them. A `</head>` further down may be part of
 * a script, and before the doctype they would change the mode of the page.
 */
async function contentsOf(
  { name: uri, listed: { _meta }, run }: AppEntry,
  listTools: () => ListedTool[],
): Promise<ResourceContents[]> {
  const html = await run();
  const tools = listTools().filter((tool) => isVisibleTo(tool, 'app'));
  const json = JSON.stringify(tools).replaceAll('<', '\\u003c');
  const script = `<script type="application/json" id="inpage-mcp-tools">${json}</script>`;
  const text = html.replace(START, (start) => start + script);
  return [{ uri, mimeType: APP_MEDIA_TYPE, text, _meta }];
}
