import { isOffer, OFFERS } from './opened.js';

/** The id of a note, from its address; `undefined` for anything else. */
export function noteIdOf(uri: string): string | undefined {
  return uri.startsWith('note:///') ? uri.slice('note:///'.length) : undefined;
}

/** The path of a file, from its address; `undefined` for anything else, folders included, and if it is invalid. */
export function pathOf(uri: string): string | undefined {
  if (!uri.startsWith('file:///') || uri.endsWith('/')) return undefined;
  return decode(uri.slice('file:///'.length));
}

/** The path of a folder of files, from its address; '' is the folder of all, `undefined` anything else. */
export function folderOf(uri: string): string | undefined {
  if (!uri.startsWith('file:///') || !uri.endsWith('/')) return undefined;
  return decode(uri.slice('file:///'.length, -1));
}

/** The name of a mounted folder of the disk, from its address; `undefined` for anything else. */
export function mountOf(uri: string): string | undefined {
  const [, name] = /^disk:\/{3}([^/]+)\/$/.exec(uri) ?? [];
  return name && decode(name);
}

/** Anybody may write an address, such as `file:///100%`. */
function decode(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

/** Names whose addresses would have the path of something else: see resource-uris of the server. */
const RESERVED = /^(search|storage|activity|sync|[0-7][0-9A-HJKMNP-TV-Z]{25})$/;

/** The address of a file, from its path. */
export function fileUri(path: string): string {
  const encoded = path.split('/').map(encodeURIComponent).join('/');
  if (!RESERVED.test(path)) return `file:///${encoded}`;
  return `file:///%${path.charCodeAt(0).toString(16).toUpperCase()}${encoded.slice(1)}`;
}

/** The title as far as the address alone tells it. */
export function titleIn(uri: string): string {
  if (isOffer(uri)) return OFFERS[uri];
  const path = pathOf(uri);
  if (path !== undefined) return path.split('/').at(-1)!;
  return noteIdOf(uri) === undefined ? uri : '';
}
