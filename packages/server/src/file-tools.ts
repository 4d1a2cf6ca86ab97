import * as z from 'zod';
import type { Feature } from './connection.js';
import { saveFile } from './file-save-tool.js';
import { searchFiles } from './file-search-tool.js';
import {
  checkThere,
  FILE_ADVICE,
  fileAnswer,
  fileAnswerOf,
  isThere,
  pathOf,
  quotedPath,
} from './file-tool-terms.js';
import { ICONS } from './icons.js';
import { fileUri } from './resource-uris.js';
import { given } from './given.js';
import { argumentsOf } from './tool-arguments.js';
import * as fields from './tool-schemas.js';
import { registerOwnTool } from './tool.js';
import { findable } from './tool-words.js';

/** Tools that write the user's files, and one that finds them. */
export function fileTools(): Feature {
  return (mcp, connection) => {
    for (const register of [saveFile, moveFile, deleteFile, searchFiles]) register(mcp, connection);
  };
}

const moveFileInput = argumentsOf({
  from: fields.filePath.describe(`Where it is. ${fields.filePath.description}`),
  to: fields.filePath.describe(`Where it shall be, name included. ${fields.filePath.description}`),
  overwrite: z
    .boolean()
    .default(false)
    .describe(
      'Whether a file that is there already is replaced; else that is a conflict. Default: false.',
    ),
  expectedRevision: fields.expectedRevision
    .optional()
    .describe(`Of the file that moves. ${fields.expectedRevision.description}`),
  idempotencyKey: fields.idempotencyKey.optional(),
});

const moveFileOutput = fileAnswer.extend({ from: z.string().describe('The path before.') });

const moveFile: Feature = (mcp, connection) =>
  registerOwnTool(mcp, connection, {
    name: 'move_file',
    title: 'Move or rename a file',
    description: 'Gives a file another path: another name, another folder or both.',
    icons: ICONS.move,
    input: moveFileInput,
    output: moveFileOutput,
    hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
    async question({ overwrite, idempotencyKey, ...paths }) {
      const { files } = connection.store;
      const from = pathOf(paths.from);
      const to = pathOf(paths.to);
      await checkThere(files, from, idempotencyKey);
      const isOver = overwrite && (await isThere(files, to));
      return `Move the file ${quotedPath(from)} ${isOver ? 'over the file' : 'to'} ${quotedPath(to)}?`;
    },
    async run({ from: fromOrUri, to, ...options }, { signal }) {
      const { files } = connection.store;
      const from = pathOf(fromOrUri);
      const moved = files.move(from, pathOf(to), { ...given(options), signal });
      const { structured, links } = fileAnswerOf(await findable(moved, FILE_ADVICE));
      return { structured: { ...structured, from }, ...given({ links }) };
    },
  });

const deleteFileInput = argumentsOf({
  path: fields.filePath,
  expectedRevision: fields.expectedRevision.optional(),
  idempotencyKey: fields.idempotencyKey.optional(),
});

const deleteFileOutput = z.strictObject({
  path: z.string(),
  uri: z.string(),
  deleted: fields.deleted,
});

const deleteFile: Feature = (mcp, connection) =>
  registerOwnTool(mcp, connection, {
    name: 'delete_file',
    title: 'Delete a file',
    description: 'Deletes a file for good. It cannot be brought back.',
    icons: ICONS.delete,
    input: deleteFileInput,
    output: deleteFileOutput,
    hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
    async question({ path: pathOrUri, idempotencyKey }) {
      const path = pathOf(pathOrUri);
      await checkThere(connection.store.files, path, idempotencyKey);
      return `Delete the file ${quotedPath(path)}?`;
    },
    async run({ path: pathOrUri, ...options }, { signal }) {
      const path = pathOf(pathOrUri);
      const { files } = connection.store;
      await findable(files.delete(path, { ...given(options), signal }), FILE_ADVICE);
      return { structured: { path, uri: fileUri(path), deleted: true as const } };
    },
  });
