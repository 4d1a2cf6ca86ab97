import type { McpClient, Resource } from '@inpage-mcp/client';
import { msg } from '@lit/localize';
import { fieldsOf, textOf, usableEntries, usableReading } from './gate.js';

/** The key in `_meta` of a mounted folder, with its state. */
const FOLDER_KEY = 'io.github.inpage-mcp/folder';

/** A part of a folder of the disk. */
export interface FolderPage {
  /** The files and folders in it, in the form of entries of a list. */
  children: readonly Resource[];
  /** The address of the next part; `undefined` at the end. */
  next: string | undefined;
}

/**
 * Reads a part of a folder of the disk. Rejects as the client does, and for an address that is not a folder.
 */
export async function readFolder(
  client: McpClient,
  uri: string,
  signal?: AbortSignal,
): Promise<FolderPage> {
  const [content] = usableReading(await client.readResource(uri, { signal })).contents;
  return folderPageIn(content && 'text' in content ? content.text : '', uri);
}

/**
 * Parses a part of a folder.
 *
 * @throws {Error} unless the text is that of a folder.
 */
export function folderPageIn(text: string, uri: string): FolderPage {
  const [folder = ''] = uri.split('?', 1);
  const { children, next } = fieldsOf(JSON.parse(text));
  const [usable] = usableEntries(children, ({ uri: own, name, state }) => {
    if (typeof own !== 'string' || typeof name !== 'string') return undefined;
    // An address that is not inside the folder could lead back to it, again and again.
    const isInside = own.startsWith(folder) && /^[^/\s<>]+\/?$/.test(own.slice(folder.length));
    const mimeType = own.endsWith('/') ? 'inode/directory' : undefined;
    return isInside ? { uri: own, name, mimeType, _meta: { [FOLDER_KEY]: { state } } } : undefined;
  });
  const isNext = textOf(next)?.startsWith(`${folder}?from=`);
  return { children: usable, next: isNext ? textOf(next) : undefined };
}

/** The state of a mounted folder that cannot be read; `undefined` for any other resource. */
export function folderStateOf({
  _meta,
}: Pick<Resource, '_meta'>): 'permission' | 'gone' | undefined {
  const { state } = fieldsOf(_meta?.[FOLDER_KEY]);
  return state === 'permission' || state === 'gone' ? state : undefined;
}

/** The action that a folder needs, or the reason why no action is possible, as a text. */
export function folderStateInWords(state: 'permission' | 'gone'): string {
  return state === 'permission'
    ? msg('Allow again', { id: 'mcp.folder.allow' })
    : msg('The folder is gone', { id: 'mcp.folder.gone' });
}

/**
 * Fired when the user wants to allow the page a folder of the disk again. It is dispatched during their click
 * or key press, so that a page which has mounted the folder can call its `allow()`.
 */
export class McpFolderAllowEvent extends Event {
  static readonly eventName = 'mcp-folder-allow';
  /** The address of the mounted folder, `disk:///{name}/`. */
  readonly uri: string;

  constructor(uri: string) {
    super(McpFolderAllowEvent.eventName, { bubbles: true, composed: true });
    this.uri = uri;
  }
}

declare global {
  interface GlobalEventHandlersEventMap {
    'mcp-folder-allow': McpFolderAllowEvent;
  }
}
