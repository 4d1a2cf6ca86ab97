import type { Note, NoteStore } from '@inpage-mcp/store';
import * as z from 'zod';
import type { Feature } from './connection.js';
import { ICONS } from './icons.js';
import { noteResource } from './note-resources.js';
import { searchNotes } from './note-search-tool.js';
import { invalidParams } from './protocol-errors.js';
import { noteUri, parseResourceUri } from './resource-uris.js';
import { given } from './given.js';
import { argumentsOf } from './tool-arguments.js';
import * as fields from './tool-schemas.js';
import { registerOwnTool, type ToolAnswer } from './tool.js';
import { findable, foundOrNone, quoted } from './tool-words.js';

/** Tools that write and find the user's notes. */
export function noteTools(): Feature {
  return (mcp, connection) => {
    for (const register of [createNote, updateNote, appendToNote, deleteNote, searchNotes]) {
      register(mcp, connection);
    }
  };
}

const noteAnswer = z.strictObject({
  id: z.string(),
  uri: z.string(),
  title: z.string(),
  tags: z.array(z.string()),
  revision: fields.revision,
  size: z.int().min(0).describe('Of the text, in bytes of UTF-8.'),
  updatedAt: fields.moment,
});

const createNoteInput = argumentsOf({
  title: fields.noteTitle,
  text: fields.noteText.describe(`Markdown, ${fields.NOTE_TEXT_LIMIT}. ${fields.ONE_MESSAGE}`),
  tags: fields.noteTags.optional().describe(`${fields.noteTags.description} Default: none.`),
  audience: fields.audience
    .optional()
    .describe(`${fields.audience.description} Default: nothing is said.`),
  priority: fields.priority
    .optional()
    .describe(`${fields.priority.description} Default: nothing is said.`),
  idempotencyKey: fields.idempotencyKey.optional(),
});

const createNote: Feature = (mcp, connection) =>
  registerOwnTool(mcp, connection, {
    name: 'create_note',
    title: 'Create a note',
    description:
      "Writes a new note among the user's own. Use update_note or append_to_note for one that " +
      'exists already.',
    icons: ICONS.create,
    input: createNoteInput,
    output: noteAnswer,
    hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
    question: ({ title }) => `Create the note ${quoted(title || 'Untitled note')}?`,
    async run({ idempotencyKey, ...note }, { signal }) {
      const { notes } = connection.store;
      return answerOf(await notes.create(given(note), given({ idempotencyKey, signal })));
    },
  });

const STAYS = 'Default: as it is.';

const updateNoteInput = argumentsOf({
  id: fields.noteId,
  title: fields.noteTitle
    .optional()
    .describe(`The new title. ${fields.noteTitle.description} ${STAYS}`),
  text: fields.noteText
    .optional()
    .describe(
      `The whole new text: Markdown, ${fields.NOTE_TEXT_LIMIT}. ${fields.ONE_MESSAGE} ${STAYS}`,
    ),
  tags: fields.noteTags
    .optional()
    .describe(`All tags from now on. ${fields.noteTags.description} ${STAYS}`),
  audience: fields.audience
    .nullable()
    .optional()
    .describe(`${fields.audience.description} null removes it. ${STAYS}`),
  priority: fields.priority
    .nullable()
    .optional()
    .describe(`${fields.priority.description} null removes it. ${STAYS}`),
  expectedRevision: fields.expectedRevision.optional(),
  idempotencyKey: fields.idempotencyKey.optional(),
}).refine((input) => changesOf(input).length > 0, {
  error: `Nothing to change: give at least one of title, text, tags, audience and priority.`,
});

const updateNote: Feature = (mcp, connection) =>
  registerOwnTool(mcp, connection, {
    name: 'update_note',
    title: 'Change a note',
    description:
      'Replaces the title, the text, the tags or what is said of a note; what is not given stays. ' +
      'Read the note first. The revision that search_notes or an earlier change told, passed as ' +
      'expectedRevision, keeps you from overwriting what others wrote since.',
    icons: ICONS.edit,
    input: updateNoteInput,
    output: noteAnswer,
    hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
    async question(input) {
      const note = await named(connection.store.notes, idOf(input.id));
      return `Change the ${changesOf(input).join(', ')} of ${note}?`;
    },
    async run({ id, idempotencyKey, ...update }, { signal }) {
      const options = given({ idempotencyKey, signal });
      const changed = connection.store.notes.update(idOf(id), given(update), options);
      return answerOf(await findable(changed, ADVICE));
    },
  });

const appendToNoteInput = argumentsOf({
  id: fields.noteId,
  text: fields.noteText.describe(
    `What to add: Markdown. The whole note has ${fields.NOTE_TEXT_LIMIT} afterwards. ${fields.ONE_MESSAGE}`,
  ),
  expectedRevision: fields.expectedRevision.optional(),
  idempotencyKey: fields.idempotencyKey.optional(),
});

const appendToNote: Feature = (mcp, connection) =>
  registerOwnTool(mcp, connection, {
    name: 'append_to_note',
    title: 'Add to a note',
    description:
      'Adds Markdown at the end of a note, on a line of its own. Nothing is lost when others add ' +
      'at the same time.',
    icons: ICONS.append,
    input: appendToNoteInput,
    output: noteAnswer,
    hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
    question: async ({ id }) => `Add to ${await named(connection.store.notes, idOf(id))}?`,
    async run({ id, text, ...options }, { signal }) {
      const changed = connection.store.notes.append(idOf(id), text, { ...given(options), signal });
      return answerOf(await findable(changed, ADVICE));
    },
  });

const deleteNoteInput = argumentsOf({
  id: fields.noteId,
  expectedRevision: fields.expectedRevision.optional(),
  idempotencyKey: fields.idempotencyKey.optional(),
});

const deleteNoteOutput = z.strictObject({
  id: z.string(),
  uri: z.string(),
  deleted: fields.deleted,
});

const deleteNote: Feature = (mcp, connection) =>
  registerOwnTool(mcp, connection, {
    name: 'delete_note',
    title: 'Delete a note',
    description: 'Deletes a note for good. It cannot be brought back.',
    icons: ICONS.delete,
    input: deleteNoteInput,
    output: deleteNoteOutput,
    hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
    async question({ id, idempotencyKey }) {
      const { notes } = connection.store;
      const mayBeRetry = idempotencyKey !== undefined;
      return `Delete ${await named(notes, idOf(id), mayBeRetry)}?`;
    },
    async run({ id: idOrUri, ...options }, { signal }) {
      const id = idOf(idOrUri);
      const { notes } = connection.store;
      await findable(notes.delete(id, { ...given(options), signal }), ADVICE);
      return { structured: { id, uri: noteUri(id), deleted: true as const } };
    },
  });

const ADVICE = 'Find the note with search_notes or in the list of resources.';

/** What an update is about. */
function changesOf(update: { [field: string]: unknown }): string[] {
  const changeable = ['title', 'text', 'tags', 'audience', 'priority'];
  return changeable.filter((field) => update[field] !== undefined);
}

/** The id out of what a caller names a note by. What cannot be one is never looked for. */
function idOf(idOrUri: string): string {
  const target = parseResourceUri(idOrUri.includes(':') ? idOrUri : noteUri(idOrUri));
  if (target?.kind === 'note') return target.id;
  throw invalidParams(`There is no note ${quoted(idOrUri)}. ${ADVICE}`);
}

/**
 * A note in a question to the user.
 *
 * @param mayBeGone Whether a note that is not there is named by its uri alone, rather than refused.
 */
async function named(notes: NoteStore, id: string, mayBeGone = false): Promise<string> {
  const note = mayBeGone ? await foundOrNone(notes.get(id)) : await findable(notes.get(id), ADVICE);
  const uri = noteUri(id);
  return note ? `the note ${quoted(note.title || 'Untitled note')} (${uri})` : `the note ${uri}`;
}

function answerOf(note: Note): ToolAnswer<z.output<typeof noteAnswer>> {
  const { id, title, tags, revision, size } = note;
  const updatedAt = new Date(note.updatedAt).toISOString();
  return {
    structured: { id, uri: noteUri(id), title, tags, revision, size, updatedAt },
    links: [{ type: 'resource_link', ...noteResource(note) }],
  };
}
