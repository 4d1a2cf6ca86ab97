import { ToolError, type InputOf, type ResourceLink } from '@inpage-mcp/protocol';
import { StoreError, type FileStore, type StoredFile, type StoreScope } from '@inpage-mcp/store';
import { fileResource } from '../resources/files/file-resources.js';
import { momentOf } from '../resources/resource-annotations.js';
import { FILE_URI_PREFIX, fileUri, parseFileName } from '../resources/resource-uris.js';
import * as fields from './tool-schemas.js';
import { quote } from '../resources/quote.js';

/** The text that is added to the error if a file does not exist. */
export const FILE_ADVICE = 'Find the file with search_files or in the list of resources.';

/**
 * The length limit of a quoted path. Paths are quoted in full, unlike titles, because two files must not look
 * the same in a question.
 */
const MAX_QUOTED_PATH = 640;

/** The output of the tools that write files. */
export const fileAnswer = fields.answerOf(
  {
    path: fields.text,
    uri: fields.text,
    mediaType: fields.text,
    size: fields.describe(fields.count, 'In bytes.'),
    revision: fields.revision,
    updatedAt: fields.moment,
  },
  // A file of the disk has no revision.
  ['revision'],
);

/** The output for a file. */
export function fileFactsOf(file: StoredFile): InputOf<typeof fileAnswer> {
  const { path, mediaType, size, revision } = file;
  const updatedAt = momentOf(file.updatedAt);
  return { path, uri: fileUri(path), mediaType, size, revision, updatedAt };
}

/** A link to a written file. */
export function fileLinkTo(file: StoredFile): ResourceLink {
  return { type: 'resource_link', ...fileResource(file) };
}

/**
 * The path of a file that is given by its path or uri. The store rejects an invalid path.
 *
 * @throws {ToolError} if the uri is not that of a file.
 */
export function pathOf(pathOrUri: string): string {
  const path = parseFileName(pathOrUri);
  if (path !== undefined) return path;
  if (!pathOrUri.startsWith(FILE_URI_PREFIX)) return pathOrUri;
  throw new ToolError(
    `${quote(pathOrUri)} is not the uri of a file: percent-encode each name, or give the path.`,
  );
}

/** Quotes a path for a question to the user. */
export function quotePath(path: string): string {
  return quote(path, MAX_QUOTED_PATH);
}

/** Whether a file exists at a path, readable or not. */
export async function exists(files: FileStore, path: string): Promise<boolean> {
  const isMissing = await files.get(path).then(
    () => false,
    (error: unknown) => error instanceof StoreError && error.code === 'not-found',
  );
  return !isMissing;
}

/** Whether a part of the store may contain a file. */
export function hasFiles({ files }: StoreScope): boolean {
  return files === 'all' || files.paths.size + files.folders.size > 0;
}
