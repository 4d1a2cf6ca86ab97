import type { Tool } from '@inpage-mcp/protocol';
import type { Connection } from '../access/connection-context.js';
import { fileAnswer, fileFactsOf } from './file-tool-helpers.js';
import { ICONS } from '../resources/icons.js';
import * as fields from './tool-schemas.js';
import { READS, defineOwnTool } from './define-tool.js';

/** The tool `search_files`. */
export const searchFiles: Tool<Connection> = defineOwnTool({
  name: 'search_files',
  title: 'Search for files',
  description:
    "Finds the user's files by their names and folders: every word of the query must begin a word " +
    'of the path, whatever the case and accents. Does not look into the files.',
  icons: ICONS.search,
  input: fields.argumentsOf({ query: fields.query, limit: fields.matchLimit }, ['query']),
  output: fields.matchesOf(fileAnswer, 'files'),
  annotations: READS,
  isHeavy: () => true,
  async run({ query, limit }, { context, signal }) {
    const { matches, ...found } = await context.store.files.search(query, { limit, signal });
    return { structuredContent: { matches: matches.map(fileFactsOf), ...found } };
  },
});
