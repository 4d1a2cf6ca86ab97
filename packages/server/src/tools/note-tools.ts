import type { InputOf, Tool } from '@inpage-mcp/protocol';
import { type ToolAnswer, ToolError } from '@inpage-mcp/protocol';
import type { Note } from '@inpage-mcp/store';
import type { Connection, Feature } from '../access/connection-context.js';
import { ICONS } from '../resources/icons.js';
import { noteResource } from '../resources/notes/note-resources.js';
import { searchNotes } from './note-search-tool.js';
import {
  describeNote,
  hasNotes,
  idOf,
  NOTE_ADVICE,
  noteFacts,
  noteFactsOf,
} from './note-tool-helpers.js';
import { noteUri } from '../resources/resource-uris.js';
import * as fields from './tool-schemas.js';
import { ADDS, defineOwnTool, REPLACES } from './define-tool.js';
import { quote } from '../resources/quote.js';

/** Tools that write and find the user's notes. */
export function noteTools(): Feature {
  return (server) => {
    for (const tool of [createNote, updateNote, appendToNote, deleteNote, searchNotes]) {
      server.addTool(tool);
    }
  };
}

const noteAnswer = fields.answerOf({
  ...noteFacts,
  size: fields.describe(fields.count, 'Of the text, in bytes of UTF-8.'),
});

const NOT_SET = 'Default: not set.';

const createNote: Tool<Connection> = defineOwnTool({
  name: 'create_note',
  title: 'Create a note',
  description:
    "Writes a new note among the user's own. Use update_note or append_to_note for one that " +
    'exists already.',
  icons: ICONS.create,
  input: fields.argumentsOf(
    {
      title: fields.noteTitle,
      text: fields.describe(
        fields.noteText,
        `Markdown, ${fields.NOTE_TEXT_LIMIT}. ${fields.ONE_MESSAGE}`,
      ),
      tags: fields.describe(fields.noteTags, `${fields.noteTags.description} Default: none.`),
      audience: fields.describe(fields.audience, `${fields.audience.description} ${NOT_SET}`),
      priority: fields.describe(fields.priority, `${fields.priority.description} ${NOT_SET}`),
      idempotencyKey: fields.idempotencyKey,
    },
    ['title', 'text'],
  ),
  output: noteAnswer,
  annotations: ADDS,
  question: ({ title }) => `Create the note ${quote(title || 'Untitled note')}?`,
  async run({ idempotencyKey, ...note }, { context, signal }) {
    return answerOf(await context.store.notes.create(note, { idempotencyKey, signal }));
  },
  // The id of a new note is in no part of the store.
  isUsableIn: ({ notes }) => notes === 'all',
});

const STAYS = 'Default: as before.';

const updateNote: Tool<Connection> = defineOwnTool({
  name: 'update_note',
  title: 'Change a note',
  description:
    'Replaces the title, text, tags, audience or priority of a note; what is not given stays. ' +
    'Read the note first. The revision that search_notes or an earlier change returned, passed as ' +
    'expectedRevision, keeps you from overwriting what others wrote since.',
  icons: ICONS.edit,
  input: fields.argumentsOf(
    {
      id: fields.noteId,
      title: fields.describe(
        fields.noteTitle,
        `The new title. ${fields.noteTitle.description} ${STAYS}`,
      ),
      text: fields.describe(
        fields.noteText,
        `The whole new text: Markdown, ${fields.NOTE_TEXT_LIMIT}. ${fields.ONE_MESSAGE} ${STAYS}`,
      ),
      tags: fields.describe(
        fields.noteTags,
        `All tags from now on. ${fields.noteTags.description} ${STAYS}`,
      ),
      audience: fields.audienceChange,
      priority: fields.priorityChange,
      expectedRevision: fields.expectedRevision,
      idempotencyKey: fields.idempotencyKey,
    },
    ['id'],
  ),
  output: noteAnswer,
  annotations: REPLACES,
  async question(input, { context }) {
    const changes = changesOf(input).join(', ');
    return `Change the ${changes} of ${await describeNote(context.store.notes, idOf(input.id))}?`;
  },
  async run(input, { context, signal }) {
    changesOf(input);
    const { id, expectedRevision, idempotencyKey, ...update } = input;
    const options = { expectedRevision, idempotencyKey, signal };
    return answerOf(await context.store.notes.update(idOf(id), update, options));
  },
  advice: NOTE_ADVICE,
  isUsableIn: hasNotes,
});

const appendToNote: Tool<Connection> = defineOwnTool({
  name: 'append_to_note',
  title: 'Add to a note',
  description:
    'Adds Markdown at the end of a note, on a line of its own. Nothing is lost when others add ' +
    'at the same time.',
  icons: ICONS.append,
  input: fields.argumentsOf(
    {
      id: fields.noteId,
      text: fields.describe(
        fields.noteText,
        `What to add: Markdown. The whole note may have ${fields.NOTE_TEXT_LIMIT} afterwards. ${fields.ONE_MESSAGE}`,
      ),
      expectedRevision: fields.expectedRevision,
      idempotencyKey: fields.idempotencyKey,
    },
    ['id', 'text'],
  ),
  output: noteAnswer,
  annotations: ADDS,
  question: async ({ id }, { context }) =>
    `Add to ${await describeNote(context.store.notes, idOf(id))}?`,
  async run({ id, text, ...options }, { context, signal }) {
    return answerOf(await context.store.notes.append(idOf(id), text, { ...options, signal }));
  },
  advice: NOTE_ADVICE,
  isUsableIn: hasNotes,
});

const deleteNote: Tool<Connection> = defineOwnTool({
  name: 'delete_note',
  title: 'Delete a note',
  description: 'Deletes a note for good. It cannot be brought back.',
  icons: ICONS.delete,
  input: fields.argumentsOf(
    {
      id: fields.noteId,
      expectedRevision: fields.expectedRevision,
      idempotencyKey: fields.idempotencyKey,
    },
    ['id'],
  ),
  output: fields.answerOf({
    id: fields.text,
    uri: fields.text,
    title: fields.describe(fields.text, 'As it was.'),
    deleted: fields.deleted,
  }),
  annotations: REPLACES,
  question: async ({ id }, { context }) =>
    `Delete ${await describeNote(context.store.notes, idOf(id))}?`,
  async run({ id: idOrUri, ...options }, { context, signal }) {
    const id = idOf(idOrUri);
    const deleted = await context.store.notes.delete(id, { ...options, signal });
    const title = deleted?.title ?? '';
    return { structuredContent: { id, uri: noteUri(id), title, deleted: true as const } };
  },
  advice: NOTE_ADVICE,
  isUsableIn: hasNotes,
});

const CHANGEABLE = ['title', 'text', 'tags', 'audience', 'priority'] as const;

/**
 * The fields that an update changes.
 *
 * @throws {ToolError} if the update changes nothing.
 */
function changesOf(update: { [field in (typeof CHANGEABLE)[number]]?: unknown }): string[] {
  const changes = CHANGEABLE.filter((field) => update[field] !== undefined);
  if (changes.length > 0) return changes;
  throw new ToolError(
    'Nothing to change: give at least one of title, text, tags, audience and priority.',
  );
}

function answerOf(note: Note): ToolAnswer<InputOf<typeof noteAnswer>> {
  return {
    structuredContent: { ...noteFactsOf(note), size: note.size },
    links: [{ type: 'resource_link', ...noteResource(note) }],
  };
}
