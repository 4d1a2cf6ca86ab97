// Loaded on first use.
import type {
  Note,
  NoteSummary,
  NoteUpdate,
  StoredFile,
  TextChange,
  WholeChange,
} from '@inpage-mcp/server/control-plane';
import { RuntimeError } from '../worker/runtime-error.js';
import type { RuntimeFiles, RuntimeNotes } from './runtime-data.js';

/** How often a change of a note is undone anew when others write at the same time. */
const MAX_ATTEMPTS = 5;

interface Data {
  notes: RuntimeNotes;
  files: RuntimeFiles;
}

/**
 * Undoes a change; see `RuntimeHistory.revert`.
 *
 * @throws {RuntimeError} `conflict`, or as the writes do.
 */
export async function revertChange(whole: WholeChange, { notes, files }: Data): Promise<void> {
  try {
    if (whole.change.kind === 'file') await revertFile(files, whole);
    else await revertNote(notes, whole);
  } catch (error) {
    throw hasCode(error, 'not-found') ? changedSince() : error;
  }
}

async function revertNote(notes: RuntimeNotes, { change, contents }: WholeChange): Promise<void> {
  const { key: id, type } = change;
  const { before, text } = contents;
  if (type === 'deleted') {
    await notes.restore({ ...(before as NoteSummary), text: text?.removed ?? '' });
    return;
  }
  for (let attempt = 1; ; attempt += 1) {
    const note = await notes.get(id);
    const options = { expectedRevision: note.revision };
    try {
      if (type === 'created') {
        if (note.text !== (text?.added ?? '') || note.title !== change.title) throw changedSince();
        await notes.delete(id, options);
      } else {
        const update = updateThatReverts(note, contents);
        if (update) await notes.update(id, update, options);
      }
      return;
    } catch (error) {
      // Only what the store says of the revision: somebody else was faster.
      const isOvertaken = hasCode(error, 'conflict') && !(error instanceof ChangedSince);
      if (!isOvertaken || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}

const FIELDS = ['title', 'tags', 'audience', 'priority'] as const;

/**
 * Undefined if nothing was changed.
 *
 * @throws {ChangedSince} if nothing is left of the change, or its place was changed.
 */
function updateThatReverts(
  note: Note,
  { before, after, text: changed }: WholeChange['contents'],
): NoteUpdate | undefined {
  const was = before as NoteSummary;
  const became = after as NoteSummary;
  const update: NoteUpdate = {};
  const fields = FIELDS.filter((field) => !same(was[field], became[field]));
  if (!changed && fields.length === 0) return undefined;
  if (changed) {
    const text = textBefore(note.text, changed);
    if (text === undefined) throw changedSince();
    update.text = text;
  }
  // A field that somebody has changed since stays.
  const isTaken = (field: (typeof FIELDS)[number]): boolean =>
    fields.includes(field) && same(note[field], became[field]);
  if (isTaken('title')) update.title = was.title;
  if (isTaken('tags')) update.tags = was.tags;
  if (isTaken('audience')) update.audience = was.audience ?? null;
  if (isTaken('priority')) update.priority = was.priority ?? null;
  if (Object.keys(update).length === 0) throw changedSince();
  return update;
}

/** The text without the change; undefined if the place of the change is not to be found, or not for sure. */
function textBefore(
  text: string,
  { start, removed, added, lead, trail }: TextChange,
): string | undefined {
  const place = lead + added + trail;
  const at = start - lead.length;
  const found = text.startsWith(place, at) ? at : onlyIndexOf(text, place);
  if (found === undefined) return undefined;
  const rest = text.slice(found + place.length);
  return text.slice(0, found) + lead + removed + trail + rest;
}

function onlyIndexOf(text: string, place: string): number | undefined {
  const first = text.indexOf(place);
  return place === '' || first === -1 || first !== text.lastIndexOf(place) ? undefined : first;
}

async function revertFile(files: RuntimeFiles, { change, contents }: WholeChange): Promise<void> {
  const { key: path, type, from = path } = change;
  const { content = new Blob() } = contents;
  const before = contents.before as StoredFile;
  if (type === 'deleted') {
    await files.restore(before, content, { expectedRevision: 0 });
    return;
  }
  const { file: now } = await files.read(path);
  if (!isSameFile(now, contents.after as StoredFile)) throw changedSince();
  const options = { expectedRevision: now.revision };
  if (type === 'created') return await files.delete(path, options);
  if (type === 'moved') {
    await files.move(path, from, options);
    if (contents.replaced) await files.restore(contents.replaced, content, { expectedRevision: 0 });
    return;
  }
  const updatedAt = Math.max(Date.now(), now.updatedAt);
  await files.restore({ ...before, revision: now.revision + 1, updatedAt }, content, options);
}

/** Whether a file has the content that it had. In an insecure context there are no digests. */
function isSameFile(file: StoredFile, other: StoredFile): boolean {
  if (file.digest === undefined || other.digest === undefined)
    return file.revision === other.revision;
  return file.digest === other.digest && file.mediaType === other.mediaType;
}

const same = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

const hasCode = (error: unknown, code: string): boolean =>
  error instanceof RuntimeError && error.code === code;

class ChangedSince extends RuntimeError {}

function changedSince(): ChangedSince {
  return new ChangedSince(
    'conflict',
    'It was changed since, at the same place: nothing was undone.',
  );
}
