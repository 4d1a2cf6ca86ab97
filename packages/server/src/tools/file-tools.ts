import type { Tool } from '@inpage-mcp/protocol';
import type { Connection, Feature } from '../access/connection-context.js';
import { saveFile } from './file-save-tool.js';
import { searchFiles } from './file-search-tool.js';
import {
  FILE_ADVICE,
  fileAnswer,
  fileFactsOf,
  fileLinkTo,
  exists,
  hasFiles,
  pathOf,
  quotePath,
} from './file-tool-helpers.js';
import { ICONS } from '../resources/icons.js';
import { fileUri } from '../resources/resource-uris.js';
import * as fields from './tool-schemas.js';
import { REPLACES, defineOwnTool } from './define-tool.js';

/** Tools that write and find the user's files. */
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
      from: fields.describe(fields.filePath, `Where it is. ${fields.filePath.description}`),
      to: fields.describe(
        fields.filePath,
        `The new path, name included. ${fields.filePath.description}`,
      ),
      overwrite: {
        type: 'boolean',
        default: false,
        description:
          'Whether a file that exists there is replaced; otherwise it is a conflict. Default: false.',
      },
      expectedRevision: fields.describe(
        fields.expectedRevision,
        `Of the file that moves. ${fields.expectedRevision.description}`,
      ),
      expectedLastModified: fields.expectedLastModified,
      idempotencyKey: fields.idempotencyKey,
    },
    ['from', 'to'],
  ),
  output: fields.answerOf(
    { ...fileAnswer.properties, from: fields.describe(fields.text, 'The path before.') },
    ['revision'],
  ),
  annotations: REPLACES,
  async question({ overwrite, ...paths }, { context }) {
    const from = pathOf(paths.from);
    const to = pathOf(paths.to);
    const isOver = overwrite && (await exists(context.store.files, to));
    return `Move the file ${quotePath(from)} ${isOver ? 'over the file' : 'to'} ${quotePath(to)}?`;
  },
  async run(
    { from: fromOrUri, to, expectedLastModified: _onDisk, ...options },
    { context, signal },
  ) {
    const from = pathOf(fromOrUri);
    const file = await context.store.files.move(from, pathOf(to), { ...options, signal });
    return { structuredContent: { ...fileFactsOf(file), from }, links: [fileLinkTo(file)] };
  },
  onDisk: (input) => input,
  advice: FILE_ADVICE,
  // A move needs two paths.
  isUsableIn: ({ files }) => files === 'all' || files.folders.size > 0 || files.paths.size > 1,
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
      expectedLastModified: fields.expectedLastModified,
      idempotencyKey: fields.idempotencyKey,
    },
    ['path'],
  ),
  output: fields.answerOf({ path: fields.text, uri: fields.text, deleted: fields.deleted }),
  annotations: REPLACES,
  question: ({ path }) => `Delete the file ${quotePath(pathOf(path))}?`,
  async run({ path: pathOrUri, expectedLastModified: _onDisk, ...options }, { context, signal }) {
    const path = pathOf(pathOrUri);
    await context.store.files.delete(path, { ...options, signal });
    return { structuredContent: { path, uri: fileUri(path), deleted: true as const } };
  },
  onDisk: (input) => input,
  advice: FILE_ADVICE,
  isUsableIn: hasFiles,
});
