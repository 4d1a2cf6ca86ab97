import { omitUndefined, MAX_COMPLETIONS } from '@inpage-mcp/protocol';
import { MAX_PAGE, MAX_PATH_BYTES, type StoreView } from '@inpage-mcp/store';
import { CompletionValues } from '../completion-values.js';
import { MAX_INLINE_BYTES } from '../contents/content.js';
import type { Completion } from '../resource-provider.js';
import { fileUri } from '../resource-uris.js';
import { holdsWordsOf } from '../typed-words.js';

/**
 * What `{+…}` leaves as it is (RFC 6570 section 3.2.3) though our addresses escape it, and `%`, which
 * it takes for the start of an escape.
 */
const ESCAPED: readonly string[] = '%:?#[]@$&+,;='.split('');

/** The end of what was typed, when that is the start of an escape. */
const STARTED_ESCAPE = /%[0-9A-Fa-f]?$/;

/** The longest value that there is: every byte of a path, escaped. */
const MAX_VALUE_LENGTH = 3 * MAX_PATH_BYTES;

/**
 * Values of `path` in `file:///{+path}`: what was typed, one name further. Folders end in a slash.
 *
 * A value is the path as people read it, except for what `{+path}` would not escape, so that
 * expanding it gives exactly our address. What was typed may be in that form, or the path itself.
 */
export async function completeFilePaths(
  store: StoreView,
  value: string,
  signal?: AbortSignal,
): Promise<Completion> {
  const { names, total } = await childrenOf(store, value, MAX_COMPLETIONS, signal);
  return { values: names.slice(0, MAX_COMPLETIONS).map((name) => templateValue(name)), total };
}

/**
 * The same for `folder` in `file:///{+folder}/`: folders only, without the slash, which is the
 * template's. The total is true among the first 10,000 names.
 */
export async function completeFolderPaths(
  store: StoreView,
  value: string,
  signal?: AbortSignal,
): Promise<Completion> {
  const { names } = await childrenOf(store, value, MAX_PAGE, signal);
  const folders = new CompletionValues();
  for (const name of names) {
    if (name.endsWith('/')) folders.add(templateValue(name.slice(0, -1), 'folder'));
  }
  return folders;
}

/**
 * The paths of image files that hold all words of what was typed, in the order of paths. Those too
 * large to be sent are left out.
 *
 * @param signal Ends it: it then rejects with `signal.reason`.
 */
export async function completeImagePaths(
  store: StoreView,
  value: string,
  signal?: AbortSignal,
): Promise<CompletionValues> {
  const found = new CompletionValues();
  if (value.length > MAX_PATH_BYTES) return found;
  const holdsWords = holdsWordsOf(value);
  for await (const files of store.files.names(omitUndefined({ signal }))) {
    for (const { path, mediaType, size } of files) {
      const isImage = mediaType.startsWith('image/') && size <= MAX_INLINE_BYTES;
      if (isImage && holdsWords(path)) found.add(path);
    }
  }
  return found;
}

/** The value that expands to the address of a file, or of a folder. */
function templateValue(path: string, kind: 'file' | 'folder' = 'file'): string {
  const value = Array.from(path, escapeCharacter).join('');
  if (kind === 'folder' || path.endsWith('/')) return value;
  const address = fileUri(path).slice(fileUri('').length);
  // A reserved name has its first letter escaped, and nothing else to escape.
  return /^[0-9A-Za-z]/.test(path) && address.startsWith('%') ? address : value;
}

function escapeCharacter(character: string): string {
  return ESCAPED.includes(character) ? encodeURIComponent(character) : character;
}

/** What the typed value leads to, in whichever form it is; in the order of code units. */
async function childrenOf(
  store: StoreView,
  value: string,
  limit: number,
  signal: AbortSignal | undefined,
): Promise<{ names: string[]; total: number }> {
  if (value.length > MAX_VALUE_LENGTH) return { names: [], total: 0 };
  const found = await Promise.all(
    prefixesMeantBy(value).map((prefix) =>
      store.files.children(prefix, omitUndefined({ limit, signal })),
    ),
  );
  return {
    names: found.flatMap(({ names }) => names).toSorted(byCodeUnits),
    total: found.reduce((sum, { total }) => sum + total, 0),
  };
}

/** The beginnings of paths that a typed value may stand for, of which none begins with another. */
function prefixesMeantBy(value: string): string[] {
  const decoded = decode(value);
  const prefixes = [value, ...(decoded === undefined ? [] : [decoded]), ...startedEscapes(value)];
  return [...new Set(prefixes)].filter((prefix, _index, all) =>
    all.every((other) => other === prefix || !prefix.startsWith(other)),
  );
}

/** `a%2` may become `a%23`, which is `a#`, or any other character that is escaped like that. */
function startedEscapes(value: string): string[] {
  const started = STARTED_ESCAPE.exec(value)?.[0].toUpperCase();
  if (started === undefined) return [];
  const before = decode(value.slice(0, -started.length));
  if (before === undefined) return [];
  return ESCAPED.filter((character) => escapeCharacter(character).startsWith(started)).map(
    (character) => before + character,
  );
}

/** `undefined` for what is no escaped form of a path; a slash is never escaped. */
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
