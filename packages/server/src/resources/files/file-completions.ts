import { MAX_COMPLETIONS } from '@inpage-mcp/protocol';
import { MAX_PAGE, MAX_PATH_BYTES, type StoreView } from '@inpage-mcp/store';
import { completionOf, createWordMatcher } from '../completions.js';
import { MAX_INLINE_BYTES } from '../contents/content.js';
import type { Completion } from '../resource-provider.js';
import { fileUri } from '../resource-uris.js';

/**
 * The characters that `{+…}` leaves unchanged (RFC 6570 section 3.2.3) but our addresses escape,
 * and `%`, which begins an escape there.
 */
const ESCAPED: readonly string[] = '%:?#[]@$&+,;='.split('');

/** An incomplete escape at the end of the typed value. */
const INCOMPLETE_ESCAPE = /%[0-9A-Fa-f]?$/;

/** The maximum length of a value: a path with every byte escaped. */
const MAX_VALUE_LENGTH = 3 * MAX_PATH_BYTES;

/**
 * Values of `path` in `file:///{+path}`: completes the next name of the path. Folders end in a
 * slash.
 *
 * A value is the readable path, but with the characters escaped that `{+path}` would not escape, so
 * that its expansion is exactly our address. The typed value may have this form, or be the path
 * itself.
 */
export async function completeFilePaths(
  store: StoreView,
  value: string,
  signal: AbortSignal,
): Promise<Completion> {
  const { names, total } = await childrenOf(store, value, MAX_COMPLETIONS, signal);
  return { values: names.slice(0, MAX_COMPLETIONS).map((name) => templateValue(name)), total };
}

/**
 * Completes `folder` in `file:///{+folder}/` in the same way: folders only, without the slash, which is in
 * the template. The total counts the first 10,000 names only.
 */
export async function completeFolderPaths(
  store: StoreView,
  value: string,
  signal: AbortSignal,
): Promise<Completion> {
  const { names } = await childrenOf(store, value, MAX_PAGE, signal);
  const folders = names.filter((name) => name.endsWith('/'));
  return completionOf(folders.map((name) => templateValue(name.slice(0, -1), 'folder')));
}

/**
 * The paths of image files that contain all typed words, in the order of paths. Images that are too
 * large to send are omitted.
 *
 * @param signal Cancels the call, which then rejects with `signal.reason`.
 */
export async function completeImagePaths(
  store: StoreView,
  value: string,
  signal: AbortSignal,
): Promise<string[]> {
  if (value.length > MAX_PATH_BYTES) return [];
  const matches = createWordMatcher(value);
  const found: string[] = [];
  for await (const files of store.files.names({ signal })) {
    for (const { path, mediaType, size } of files) {
      const isImage = mediaType.startsWith('image/') && size <= MAX_INLINE_BYTES;
      if (isImage && matches(path)) found.push(path);
    }
  }
  return found;
}

/** The value that expands to the address of a file or a folder. */
function templateValue(path: string, kind: 'file' | 'folder' = 'file'): string {
  const value = Array.from(path, escapeCharacter).join('');
  if (kind === 'folder' || path.endsWith('/')) return value;
  const address = fileUri(path).slice(fileUri('').length);
  // In the address of a reserved name, only the first character is escaped.
  return /^[0-9A-Za-z]/.test(path) && address.startsWith('%') ? address : value;
}

function escapeCharacter(character: string): string {
  return ESCAPED.includes(character) ? encodeURIComponent(character) : character;
}

/** The files and folders that a typed value may continue to, in either form, by code units. */
async function childrenOf(
  store: StoreView,
  value: string,
  limit: number,
  signal: AbortSignal,
): Promise<{ names: string[]; total: number }> {
  if (value.length > MAX_VALUE_LENGTH) return { names: [], total: 0 };
  const found = await Promise.all(
    possiblePrefixes(value).map((prefix) => store.files.children(prefix, { limit, signal })),
  );
  return {
    names: found.flatMap(({ names }) => names).toSorted(byCodeUnits),
    total: found.reduce((sum, { total }) => sum + total, 0),
  };
}

/** The path prefixes that a typed value may mean; none of them begins with another. */
function possiblePrefixes(value: string): string[] {
  const decoded = decode(value);
  const prefixes = [value, ...(decoded === undefined ? [] : [decoded]), ...completeEscape(value)];
  return [...new Set(prefixes)].filter((prefix, _index, all) =>
    all.every((other) => other === prefix || !prefix.startsWith(other)),
  );
}

/**
 * The paths that an incomplete escape may mean: `a%2` may become `a%23`, which is `a#`, or any other
 * character with such an escape.
 */
function completeEscape(value: string): string[] {
  const started = INCOMPLETE_ESCAPE.exec(value)?.[0].toUpperCase();
  if (started === undefined) return [];
  const before = decode(value.slice(0, -started.length));
  if (before === undefined) return [];
  return ESCAPED.filter((character) => escapeCharacter(character).startsWith(started)).map(
    (character) => before + character,
  );
}

/** The path of a value; `undefined` if the value is not an escaped path. A slash is never escaped. */
function decode(value: string): string | undefined {
  if (/%2f/i.test(value)) return undefined;
  try {
    return decodeURIComponent(value);
  } catch {
    return undefined;
  }
}

function byCodeUnits(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
