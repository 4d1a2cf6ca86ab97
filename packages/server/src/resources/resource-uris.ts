import { MAX_URI_LENGTH } from '@inpage-mcp/protocol';

/**
 * The only file that knows what the addresses of notes and files look like.
 *
 * An address is valid when it is, byte for byte, the one this file would generate: nothing is
 * decoded into existence, so `..`, `%2e`, upper or lower case escapes never name another resource.
 */

/** What an address of this server points at. Paths have no slash at either end. */
export type ResourceTarget =
  | { kind: 'note'; id: string }
  | { kind: 'search'; query: string }
  | { kind: 'file'; path: string }
  | { kind: 'folder'; path: string };

/** RFC 6570 template of a note's address. */
export const NOTE_URI_TEMPLATE = 'note:///{id}';
/** RFC 6570 template of the address of a search among the notes. */
export const SEARCH_URI_TEMPLATE = 'note:///search{?q}';
/** RFC 6570 template of a file's address. */
export const FILE_URI_TEMPLATE = 'file:///{+path}';
/** RFC 6570 template of a folder's address. */
export const FOLDER_URI_TEMPLATE = 'file:///{+folder}/';

/** What the address of every search begins with. */
export const SEARCH_URI_PREFIX = 'note:///search?';

/** What the address of every note and search begins with. */
export const NOTE_URI_PREFIX = 'note:///';
/** What the address of every file and folder begins with. */
export const FILE_URI_PREFIX = 'file:///';

const SEARCH_PREFIX = `${SEARCH_URI_PREFIX}q=`;

/** A ULID in canonical form; the first character holds the top bits of the time only. */
const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

/**
 * Pathnames that other schemes of this server use. Some clients tell resources apart by pathname
 * alone, so a file of such a name has its first byte escaped.
 */
const RESERVED_NAMES: readonly string[] = ['search', 'storage', 'activity'];

/** The address of a note, from its ULID. */
export function noteUri(id: string): string {
  return NOTE_URI_PREFIX + id;
}

/** The address of a file: each segment of its path percent-encoded on its own. */
export function fileUri(path: string): string {
  const encoded = path.split('/').map(encodeURIComponent).join('/');
  const reserved = RESERVED_NAMES.includes(path) || ULID.test(path);
  return FILE_URI_PREFIX + (reserved ? escapeFirst(encoded) : encoded);
}

/** The address of a folder, from its path without a slash at the end. */
export function folderUri(path: string): string {
  return `${FILE_URI_PREFIX}${path.split('/').map(encodeURIComponent).join('/')}/`;
}

/** The paths of the folders that a file is in, the outermost first. */
export function foldersOf(path: string): string[] {
  const names = path.split('/').slice(0, -1);
  return names.map((_name, index) => names.slice(0, index + 1).join('/'));
}

/** What an address points at, whether or not it exists; `undefined` for anything else. */
export function parseResourceUri(uri: string): ResourceTarget | undefined {
  // Longer than any address that can be generated.
  if (uri.length > MAX_URI_LENGTH) return undefined;
  if (uri.startsWith(SEARCH_PREFIX)) return parseSearch(uri.slice(SEARCH_PREFIX.length));
  if (uri.startsWith(NOTE_URI_PREFIX)) return parseNote(uri.slice(NOTE_URI_PREFIX.length));
  if (uri.startsWith(FILE_URI_PREFIX)) return parseFile(uri);
  return undefined;
}

function parseNote(id: string): ResourceTarget | undefined {
  return ULID.test(id) ? { kind: 'note', id } : undefined;
}

function parseFile(uri: string): ResourceTarget | undefined {
  const isFolder = uri.endsWith('/');
  const path = decode(uri.slice(FILE_URI_PREFIX.length, isFolder ? -1 : undefined));
  if (path === undefined || !isPath(path)) return undefined;
  // An escaped slash decodes to another path, whose address is then another one.
  if (isFolder) return folderUri(path) === uri ? { kind: 'folder', path } : undefined;
  return fileUri(path) === uri ? { kind: 'file', path } : undefined;
}

/** A query names nothing that is kept, so any spelling of it is as good as another. */
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

/** Only called for names that start with an ASCII letter or digit. */
function escapeFirst(encoded: string): string {
  const code = encoded.charCodeAt(0).toString(16).toUpperCase();
  return `%${code}${encoded.slice(1)}`;
}
