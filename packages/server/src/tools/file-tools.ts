import type { Tool } from '@inpage-mcp/protocol';
import type { Connection, Feature } from '../access/connection.js';
import { saveFile } from './file-save-tool.js';
import { searchFiles } from './file-search-tool.js';
import {
  checkThere,
  FILE_ADVICE,
  fileAnswer,
  fileFactsOf,
  fileLinkTo,
  isThere,
  pathOf,
  quotedPath,
} from './file-tool-terms.js';
import { omitUndefined } from '@inpage-mcp/protocol';
import { ICONS } from '../resources/icons.js';
import { fileUri } from '../resources/resource-uris.js';
import * as fields from './tool-schemas.js';
import { defineOwnTool } from './tool.js';
import { findable } from '../resources/tool-words.js';

/** Tools that write the user's files, and one that finds them. */
export function fileTools(): Feature {
  return (server) => {
    for (const tool of [saveFile, moveFile, deleteFile, searchFiles]) server.addTool(tool);
  };
}

const moveFile: Tool<Connection> = defineOwnTool({
  name: 'move_file',
  title: 'Move or rename a file',
  description: 'Gives a file another path: another name, another folder or both.',
  icons: ICONS.move,
  input: fields.argumentsOf(
    {
      from: fields.described(fields.filePath, `Where it is. ${fields.filePath.description}`),
      to: fields.described(
        fields.filePath,
        `Where it shall be, name included. ${fields.filePath.description}`,
      ),
      overwrite: {
        type: 'boolean',
        default: false,
        description:
          'Whether a file that is there already is replaced; else that is a conflict. Default: false.',
      },
      expectedRevision: fields.described(
        fields.expectedRevision,
        `Of the file that moves. ${fields.expectedRevision.description}`,
      ),
      idempotencyKey: fields.idempotencyKey,
    },
    ['from', 'to'],
  ),
  output: fields.answerOf({
    ...fileAnswer.properties,
    from: fields.described(fields.text, 'The path before.'),
  }),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
  async question({ overwrite, idempotencyKey, ...paths }, { context }) {
    const { files } = context.store;
    const from = pathOf(paths.from);
    const to = pathOf(paths.to);
    await checkThere(files, from, idempotencyKey);
    const isOver = overwrite && (await isThere(files, to));
    return `Move the file ${quotedPath(from)} ${isOver ? 'over the file' : 'to'} ${quotedPath(to)}?`;
  },
  async run({ from: fromOrUri, to, ...options }, { context, signal }) {
    const from = pathOf(fromOrUri);
    const moved = context.store.files.move(from, pathOf(to), { ...omitUndefined(options), signal });
    const file = await findable(moved, FILE_ADVICE);
    return { structuredContent: { ...fileFactsOf(file), from }, links: [fileLinkTo(file)] };
  },
});

const deleteFile: Tool<Connection> = defineOwnTool({
  name: 'delete_file',
  title: 'Delete a file',
  description: 'Deletes a file for good. It cannot be brought back.',
  icons: ICONS.delete,
  input: fields.argumentsOf(
    {
      path: fields.filePath,
      expectedRevision: fields.expectedRevision,
      idempotencyKey: fields.idempotencyKey,
    },
    ['path'],
  ),
  output: fields.answerOf({ path: fields.text, uri: fields.text, deleted: fields.deleted }),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
  async question({ path: pathOrUri, idempotencyKey }, { context }) {
    const path = pathOf(pathOrUri);
    await checkThere(context.store.files, path, idempotencyKey);
    return `Delete the file ${quotedPath(path)}?`;
  },
  async run({ path: pathOrUri, ...options }, { context, signal }) {
    const path = pathOf(pathOrUri);
    const { files } = context.store;
    await findable(files.delete(path, { ...omitUndefined(options), signal }), FILE_ADVICE);
    return { structuredContent: { path, uri: fileUri(path), deleted: true as const } };
  },
});
