import { isOffer, OFFERS } from './opened.js';

/** The id of a note, from its address; `undefined` for any other address. */
export function noteIdOf(uri: string): string | undefined {
  return uri.startsWith('note:///') ? uri.slice('note:///'.length) : undefined;
}

/**
 * The path of a file, from its address; `undefined` for any other address, including those of folders, and if
 * it is invalid.
 */
export function pathOf(uri: string): string | undefined {
  if (!uri.startsWith('file:///') || uri.endsWith('/')) return undefined;
  return decode(uri.slice('file:///'.length));
}

/**
 * The path of a folder of files, from its address; '' for the folder of all files, `undefined` for any other
 * address.
 */
export function folderOf(uri: string): string | undefined {
  if (!uri.startsWith('file:///') || !uri.endsWith('/')) return undefined;
  return decode(uri.slice('file:///'.length, -1));
}

/** The name of a mounted folder of the disk, from its address; `undefined` for any other address. */
export function mountOf(uri: string): string | undefined {
  const [, name] = /^disk:\/{3}([^/]+)\/$/.exec(uri) ?? [];
  return name && decode(name);
}

/** Decodes a path. An address may come from anywhere, and may be invalid, such as `file:///100%`. */
function decode(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

/** The names whose addresses would have the path of another resource: see resource-uris of the server. */
const RESERVED = /^(search|storage|activity|sync|[0-7][0-9A-HJKMNP-TV-Z]{25})$/;

/** The address of a file, from its path. */
export function fileUri(path: string): string {
  const encoded = path.split('/').map(encodeURIComponent).join('/');
  if (!RESERVED.test(path)) return `file:///${encoded}`;
  return `file:///%${path.charCodeAt(0).toString(16).toUpperCase()}${encoded.slice(1)}`;
}

/** The title that the address alone shows. */
export function titleIn(uri: string): string {
  if (isOffer(uri)) return OFFERS[uri];
  const path = pathOf(uri);
  if (path !== undefined) return path.split('/').at(-1)!;
  return noteIdOf(uri) === undefined ? uri : '';
}
