import { ToolError, type InputOf, type ResourceLink } from '@inpage-mcp/protocol';
import type { FileStore, StoredFile } from '@inpage-mcp/store';
import { fileResource } from '../resources/files/file-resources.js';
import { fileUri, parseResourceUri } from '../resources/resource-uris.js';
import * as fields from './tool-schemas.js';
import { findable, foundOrNone, quoted } from '../resources/tool-words.js';

/** What to do when a file is missing. */
export const FILE_ADVICE = 'Find the file with search_files or in the list of resources.';

/** Whole, unlike a title: two files must not look the same in a question. */
const MAX_QUOTED_PATH = 640;

/** The answer of the tools that write files. */
export const fileAnswer = fields.answerOf({
  path: fields.text,
  uri: fields.text,
  mediaType: fields.text,
  size: fields.described(fields.count, 'In bytes.'),
  revision: fields.revision,
  updatedAt: fields.moment,
});

/** What is said of a file. */
export function fileFactsOf(file: StoredFile): InputOf<typeof fileAnswer> {
  const { path, mediaType, size, revision } = file;
  const updatedAt = new Date(file.updatedAt).toISOString();
  return { path, uri: fileUri(path), mediaType, size, revision, updatedAt };
}

/** A link to a file that was written. */
export function fileLinkTo(file: StoredFile): ResourceLink {
  return { type: 'resource_link', ...fileResource(file) };
}

/**
 * The path out of what a caller names a file by. No path begins like a uri: it would hold empty
 * names.
 *
 * @throws {ToolError} for a uri that is not a file's.
 */
export function pathOf(pathOrUri: string): string {
  if (!pathOrUri.startsWith('file:///')) return pathOrUri;
  const target = parseResourceUri(pathOrUri);
  if (target?.kind === 'file') return target.path;
  throw new ToolError(
    `${quoted(pathOrUri)} is not the uri of a file: percent-encode each name, or give the path.`,
  );
}

/** A path in a question to the user. */
export function quotedPath(path: string): string {
  return quoted(path, MAX_QUOTED_PATH);
}

/** Whether there is a file at a path. */
export async function isThere(files: FileStore, path: string): Promise<boolean> {
  return (await foundOrNone(files.get(path))) !== undefined;
}

/**
 * Refuses a question about a file that is not there, before the user is bothered with it.
 *
 * @param idempotencyKey With one, the file may be gone because the call is a retry.
 */
export async function checkThere(
  files: FileStore,
  path: string,
  idempotencyKey: string | undefined,
): Promise<void> {
  if (idempotencyKey === undefined) await findable(files.get(path), FILE_ADVICE);
}
