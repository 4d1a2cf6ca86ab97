import { MAX_URI_LENGTH } from '@inpage-mcp/protocol';
import { isDiskFolderUri } from './disk/disk-types.js';

/**
 * The only file that knows the format of the addresses of notes and files.
 *
 * An address is valid only if it equals, byte for byte, the one that this file generates. Variants
 * with `..`, `%2e`, or escapes in another case never name a resource.
 */

/** The target of an address of this server. Paths have no slash at either end. */
export type ResourceTarget =
  | { kind: 'note'; id: string }
  | { kind: 'search'; query: string }
  | { kind: 'file'; path: string }
  | { kind: 'folder'; path: string };

/** RFC 6570 template of a note's address. */
export const NOTE_URI_TEMPLATE = 'note:///{id}';
/** RFC 6570 template of the address of a search in the notes. */
export const SEARCH_URI_TEMPLATE = 'note:///search{?q}';
/** RFC 6570 template of a file's address. */
export const FILE_URI_TEMPLATE = 'file:///{+path}';
/** RFC 6570 template of a folder's address. */
export const FOLDER_URI_TEMPLATE = 'file:///{+folder}/';

/** The prefix of the address of every search. */
export const SEARCH_URI_PREFIX = 'note:///search?';

/** The prefix of the address of every note and search. */
export const NOTE_URI_PREFIX = 'note:///';
/** The prefix of the address of every file and folder. */
export const FILE_URI_PREFIX = 'file:///';

const SEARCH_PREFIX = `${SEARCH_URI_PREFIX}q=`;

/** Matches a ULID in canonical form; its first character has only the three top bits of the time. */
const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

/**
 * Pathnames that other schemes of this server use. Some clients identify resources by the pathname
 * only, so the first byte of a file with such a name is escaped.
 */
const RESERVED_NAMES: readonly string[] = ['search', 'storage', 'activity', 'sync'];

/** The address of a note, from its ULID. */
export function noteUri(id: string): string {
  return NOTE_URI_PREFIX + id;
}

/** The address of a file: each segment of its path is percent-encoded separately. */
export function fileUri(path: string): string {
  const encoded = path.split('/').map(encodeURIComponent).join('/');
  const reserved = RESERVED_NAMES.includes(path) || ULID.test(path);
  return FILE_URI_PREFIX + (reserved ? escapeFirst(encoded) : encoded);
}

/** The address of a folder, from its path without a slash at the end. */
export function folderUri(path: string): string {
  return `${FILE_URI_PREFIX}${path.split('/').map(encodeURIComponent).join('/')}/`;
}

/** The paths of the folders that contain a file, the outermost first. */
export function foldersOf(path: string): string[] {
  const names = path.split('/').slice(0, -1);
  return names.map((_name, index) => names.slice(0, index + 1).join('/'));
}

/** The target of an address, regardless of whether it exists; `undefined` if the address is invalid. */
export function parseResourceUri(uri: string): ResourceTarget | undefined {
  // No generated address is longer.
  if (uri.length > MAX_URI_LENGTH) return undefined;
  if (uri.startsWith(SEARCH_PREFIX)) return parseSearch(uri.slice(SEARCH_PREFIX.length));
  if (uri.startsWith(NOTE_URI_PREFIX)) return parseNote(uri.slice(NOTE_URI_PREFIX.length));
  if (uri.startsWith(FILE_URI_PREFIX)) return parseFile(uri);
  return undefined;
}

/** The id of a note that is named by its id or uri; `undefined` if no note can have this name. */
export function parseNoteName(idOrUri: string): string | undefined {
  const target = parseResourceUri(idOrUri) ?? parseNote(idOrUri);
  return target?.kind === 'note' ? target.id : undefined;
}

/**
 * The path of a file that is named by its path or uri; `undefined` if no file can have this name.
 * No path begins like a uri, as the names in a path are not empty.
 */
export function parseFileName(pathOrUri: string): string | undefined {
  if (pathOrUri.length > MAX_URI_LENGTH) return undefined;
  if (!pathOrUri.startsWith(FILE_URI_PREFIX)) return isPath(pathOrUri) ? pathOrUri : undefined;
  const target = parseResourceUri(pathOrUri);
  return target?.kind === 'file' ? target.path : undefined;
}

/**
 * Whether a read of an address reads all notes (a search), up to 100 files (a folder), or a folder of the
 * disk, which may be large.
 */
export function isHeavyUri(uri: string): boolean {
  const kind = parseResourceUri(uri)?.kind;
  return kind === 'search' || kind === 'folder' || isDiskFolderUri(uri);
}

function parseNote(id: string): ResourceTarget | undefined {
  return ULID.test(id) ? { kind: 'note', id } : undefined;
}

function parseFile(uri: string): ResourceTarget | undefined {
  const isFolder = uri.endsWith('/');
  const path = decode(uri.slice(FILE_URI_PREFIX.length, isFolder ? -1 : undefined));
  if (path === undefined || !isPath(path)) return undefined;
  // A path with an escaped slash decodes to another path, which has another address.
  if (isFolder) return folderUri(path) === uri ? { kind: 'folder', path } : undefined;
  return fileUri(path) === uri ? { kind: 'file', path } : undefined;
}

/** The target of a search. A query does not name a stored entry, so every spelling of it is valid. */
function parseSearch(encoded: string): ResourceTarget | undefined {
  const query = decode(encoded);
  const isWhole = !/[&#]/.test(encoded);
  return isWhole && query !== undefined && query.trim() !== ''
    ? { kind: 'search', query }
    : undefined;
}

function decode(encoded: string): string | undefined {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}

function isPath(path: string): boolean {
  return (
    !/[\0\p{Surrogate}]/u.test(path) &&
    path.split('/').every((name) => !['', '.', '..'].includes(name))
  );
}

/** Escapes the first character; only called for names that start with an ASCII letter or digit. */
function escapeFirst(encoded: string): string {
  const code = encoded.charCodeAt(0).toString(16).toUpperCase();
  return `%${code}${encoded.slice(1)}`;
}
