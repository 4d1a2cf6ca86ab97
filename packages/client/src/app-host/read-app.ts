import type { ResourceContents } from '@inpage-mcp/protocol/types';
import { ClientError } from '../api/client-error.js';
import type { RequestOptions } from '../api/request-options.js';
import { APP_MEDIA_TYPE, uiOf } from '../apps/app-metadata.js';
import { eachPage } from '../results/each-page.js';
import { blobOf } from '../results/resource-contents.js';
import type { AppSources } from './frame-policy.js';
import type { AppServer, Json, WithMeta } from './host-types.js';

/** The maximum length of an app's document, in UTF-16 code units. */
const MAX_HTML = 16 * 1024 * 1024;

/** The maximum number of pages of the list that are searched if the contents have no `_meta.ui`. */
const MAX_PAGES = 5;

/** The document of an app, and the wishes that its server declares for it. */
export interface AppDocument {
  /** The `ui://` resource. */
  uri: string;
  /** The whole document. */
  html: string;
  /** The sources that it wants to use. Unchecked. */
  csp: AppSources;
  /** The permissions that it wants. Unchecked. */
  permissions: Json;
  /** Whether it wants a border around it; `undefined` if the host decides. */
  prefersBorder: boolean | undefined;
}

/**
 * Reads the document of an app (MCP Apps › UI Resource Format).
 *
 * @param uri A `ui://` resource.
 * @throws {ClientError} `invalid-result` if the resource is not an app, or has more than 16 MiB; the errors
 *   of `readResource`.
 */
export async function readApp(
  client: AppServer,
  uri: string,
  options: RequestOptions = {},
): Promise<AppDocument> {
  const { contents } = await client.readResource(uri, options);
  const content = contents.find(isApp);
  if (!content)
    throw new ClientError(
      'invalid-result',
      `${uri} is not an app: its media type is not ${APP_MEDIA_TYPE}.`,
    );
  const html = await textOf(content);
  if (html === undefined || html.length > MAX_HTML)
    throw new ClientError('invalid-result', `The app ${uri} is larger than 16 MiB.`);
  const ui = content._meta?.['ui'] ? uiOf(content) : uiOf(await listed(client, uri, options));
  return {
    uri,
    html,
    csp: Object(ui['csp']) as AppSources,
    permissions: Object(ui['permissions']) as Json,
    prefersBorder: typeof ui['prefersBorder'] === 'boolean' ? ui['prefersBorder'] : undefined,
  };
}

function isApp({ mimeType = '' }: ResourceContents): boolean {
  const [type, ...parameters] = mimeType
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  return type === 'text/html' && parameters.some((one) => /^profile="?mcp-app"?$/.test(one));
}

/** The document; `undefined` if it has too many bytes to be read. */
async function textOf(content: ResourceContents): Promise<string | undefined> {
  if ('text' in content) return content.text;
  const blob = blobOf(content);
  // In UTF-8, a code unit has three bytes at most.
  return blob.size > 3 * MAX_HTML ? undefined : await blob.text();
}

/** The entry of the list, which may have the `_meta.ui` that the contents do not have. */
async function listed(client: AppServer, uri: string, options: RequestOptions): Promise<WithMeta> {
  if (!client.serverCapabilities.resources) return {};
  let pages = 0;
  for await (const { resources } of eachPage((cursor) =>
    client.listResources({ ...options, cursor }),
  )) {
    const found = resources.find((resource) => resource.uri === uri);
    if (found) return found;
    pages += 1;
    if (pages >= MAX_PAGES) break;
  }
  return {};
}
