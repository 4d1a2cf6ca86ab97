import * as z from 'zod';
import type { Feature } from './connection.js';
import { fileAnswer, fileFactsOf } from './file-tool-terms.js';
import { ICONS } from './icons.js';
import { argumentsOf } from './tool-arguments.js';
import * as fields from './tool-schemas.js';
import { registerOwnTool } from './tool.js';

const searchFilesInput = argumentsOf({
  query: fields.query,
  limit: fields.matchLimit,
});

const searchFilesOutput = z.strictObject({
  matches: z.array(fileAnswer).describe('The best first, at most limit.'),
  total: z.int().min(0).describe('How many files match in all.'),
});

/** The tool `search_files`. */
export const searchFiles: Feature = (mcp, connection) =>
  registerOwnTool(mcp, connection, {
    name: 'search_files',
    title: 'Search for files',
    description:
      "Finds the user's files by their names and folders: those in whose path every word of the " +
      'query begins some word, in upper or lower case. Does not look into the files.',
    icons: ICONS.search,
    input: searchFilesInput,
    output: searchFilesOutput,
    hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
    async run({ query, limit }, { signal }) {
      const { matches, total } = await connection.store.files.search(query, { limit, signal });
      return { structured: { matches: matches.map(fileFactsOf), total } };
    },
  });
