import { MAX_TAG_LENGTH } from '@inpage-mcp/store';
import * as z from 'zod';
import type { Feature } from './connection.js';
import { ICONS } from './icons.js';
import { noteUri } from './resource-uris.js';
import { given } from './given.js';
import { argumentsOf } from './tool-arguments.js';
import * as fields from './tool-schemas.js';
import { registerOwnTool } from './tool.js';

const match = z.strictObject({
  id: z.string(),
  uri: z.string(),
  title: z.string(),
  excerpt: z.string().describe('Of the text, around the first word that was found; on one line.'),
  tags: z.array(z.string()),
  revision: fields.revision,
  updatedAt: fields.moment,
});

const searchNotesInput = argumentsOf({
  query: fields.query,
  tag: z
    .string()
    .max(MAX_TAG_LENGTH)
    .optional()
    .describe('Only notes with exactly this tag. Default: all notes.'),
  limit: fields.matchLimit,
});

const searchNotesOutput = z.strictObject({
  matches: z.array(match).describe('The best first, at most limit.'),
  total: z.int().min(0).describe('How many notes match in all.'),
});

/** The tool `search_notes`. */
export const searchNotes: Feature = (mcp, connection) =>
  registerOwnTool(mcp, connection, {
    name: 'search_notes',
    title: 'Search in notes',
    description:
      "Finds the user's notes in which every word of the query occurs: in the title, a tag or the " +
      'text, as the beginning of a longer word too, in upper or lower case. The best come first.',
    icons: ICONS.search,
    input: searchNotesInput,
    output: searchNotesOutput,
    hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
    async run({ query, ...options }, { signal, progress }) {
      const { notes } = connection.store;
      const search = { ...given(options), signal, onProgress: progress };
      const { matches, total } = await notes.search(query, search);
      const found = matches.map(({ note: { id, title, tags, revision, updatedAt }, excerpt }) => ({
        id,
        uri: noteUri(id),
        title,
        excerpt,
        tags,
        revision,
        updatedAt: new Date(updatedAt).toISOString(),
      }));
      return { structured: { matches: found, total } };
    },
  });
