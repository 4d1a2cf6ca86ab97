import type { Tool } from '@inpage-mcp/protocol';
import { MAX_TAG_LENGTH } from '@inpage-mcp/store';
import type { Connection } from '../access/connection-context.js';
import { ICONS } from '../resources/icons.js';
import { noteFacts, noteFactsOf } from './note-tool-helpers.js';
import * as fields from './tool-schemas.js';
import { READS, defineOwnTool } from './define-tool.js';

const match = fields.answerOf({
  ...noteFacts,
  excerpt: fields.describe(
    fields.text,
    'Of the text, around the first word that was found; on one line.',
  ),
});

/** The tool `search_notes`. */
export const searchNotes: Tool<Connection> = defineOwnTool({
  name: 'search_notes',
  title: 'Search in notes',
  description:
    "Finds the user's notes in which every word of the query occurs: in the title, a tag or the " +
    'text, as the beginning of a longer word too, whatever the case and accents. The best come first.',
  icons: ICONS.search,
  input: fields.argumentsOf(
    {
      query: fields.query,
      tag: {
        type: 'string',
        maxLength: MAX_TAG_LENGTH,
        description: 'Only notes with exactly this tag. Default: all notes.',
      },
      limit: fields.matchLimit,
    },
    ['query'],
  ),
  output: fields.matchesOf(match, 'notes'),
  annotations: READS,
  isHeavy: () => true,
  async run({ query, ...options }, call) {
    const onProgress = (done: number, total: number): void => call.progress(done, total);
    const search = { ...options, signal: call.signal, onProgress };
    const { matches, ...found } = await call.context.store.notes.search(query, search);
    const facts = matches.map(({ note, excerpt }) => ({ ...noteFactsOf(note), excerpt }));
    return { structuredContent: { matches: facts, ...found } };
  },
});
