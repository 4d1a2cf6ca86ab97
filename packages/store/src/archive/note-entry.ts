import { encodeTime } from 'ulid';
import { firstLineOf } from '../records/first-line.js';
import {
  checkTags,
  checkText,
  checkTitle,
  MAX_TEXT_BYTES,
  MAX_TITLE_LENGTH,
  utf8Length,
} from '../schema/limits.js';
import { wellFormed } from '../notes/note-records.js';
import type { NoteSummary } from '../schema/schema.js';
import { cut } from '../records/text-cut.js';
import { splitFrontMatter, withFrontMatter } from './front-matter.js';
import { annotationsOf, checkTime, revisionOf } from './record-checks.js';
import { UnfitEntry } from './unfit-entry.js';
import type { ZipSource } from './write-zip.js';

/** Where notes are in an archive. */
export const NOTES_FOLDER = 'notes/';

/** The longest that a note can get: JSON may take six bytes for one, and a record comes with it. */
export const MAX_NOTE_ENTRY_BYTES = 6 * MAX_TEXT_BYTES + 1024 * 1024;

/** How much of the title is in the name of a note's file, in code units: no name is too long. */
const MAX_SLUG_LENGTH = 60;

const ENDING = '.md';
const ID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

/** A note of an archive. */
export interface ArchivedNote {
  summary: NoteSummary;
  text: string;
}

/**
 * A note as a Markdown file. A text that UTF-8 cannot hold, for a half of a surrogate pair in it, is
 * a field in JSON, and the body is empty.
 *
 * @throws {UnfitEntry} where the record is none.
 */
export function noteSource(summary: NoteSummary, text: string): ZipSource {
  const { id, title, tags, createdAt, updatedAt, revision, audience, priority } = summary;
  if (!ID.test(id)) throw new UnfitEntry('Its id is none.');
  checkTime(createdAt);
  checkTime(updatedAt);
  const isEscaped = /\p{Surrogate}/u.test(text);
  const content = withFrontMatter(
    [
      ['id', id],
      ['title', title],
      ['tags', tags],
      ['created', new Date(createdAt).toISOString()],
      ['updated', new Date(updatedAt).toISOString()],
      ['revision', revision],
      ['audience', audience],
      ['priority', priority],
      ['text', isEscaped ? text : undefined],
    ],
    isEscaped ? '' : text,
  );
  return {
    name: `${NOTES_FOLDER}${[slugOf(title), id].filter(Boolean).join('-')}${ENDING}`,
    modifiedAt: updatedAt,
    content: new TextEncoder().encode(content),
  };
}

/** What any system lets be in the name of a file, and nothing that a shell would read. */
function slugOf(title: string): string {
  const words = title.normalize('NFC').replaceAll(/[^\p{L}\p{N}\p{M}]+/gu, '-');
  return cut(words.replace(/^-/, ''), 0, MAX_SLUG_LENGTH).replace(/-$/, '');
}

/**
 * The note that is in a Markdown file: one of ours, told by its first field, or any other, which
 * becomes a new note named as the file. Another is given an id that is the same for the same name and
 * text, so that it comes in once; in an insecure context there is no such id.
 *
 * @throws {UnfitEntry} {@link StoreError} `invalid-argument` where it is none, or past a limit.
 */
export async function readNoteEntry(
  { name, modifiedAt }: { name: string; modifiedAt: number },
  bytes: Uint8Array<ArrayBuffer>,
): Promise<ArchivedNote> {
  const content = decoded(bytes);
  const { fields, body } = splitFrontMatter(content) ?? {};
  const id = fields?.get('id');
  if (fields && body !== undefined && id !== undefined && ID.test(id.slice(1, -1))) {
    return ownNote(fields, body);
  }
  if (!name.toLowerCase().endsWith(ENDING)) throw new UnfitEntry('It is no Markdown file.');
  checkText(content);
  const last = name.slice(name.lastIndexOf('/') + 1, -ENDING.length);
  const at = Math.max(modifiedAt, 0);
  return noteOf({
    id: await idOf(encodeTime(at), [name, content]),
    title: cut(last, 0, MAX_TITLE_LENGTH),
    tags: [],
    createdAt: at,
    updatedAt: at,
    revision: 1,
    text: content,
  });
}

function decoded(bytes: Uint8Array<ArrayBuffer>): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new UnfitEntry('It is not in UTF-8.');
  }
}

/** A note that {@link noteSource} has written. */
function ownNote(fields: ReadonlyMap<string, string>, body: string): ArchivedNote {
  const read = (name: string): unknown => {
    const json = fields.get(name);
    try {
      return json === undefined ? undefined : (JSON.parse(json) as unknown);
    } catch {
      throw new UnfitEntry(`Its field ${JSON.stringify(name)} is not in JSON.`);
    }
  };
  const [id, title, tags] = ['id', 'title', 'tags'].map(read);
  const revision = revisionOf(read('revision'));
  const text = read('text') ?? body;
  if (typeof id !== 'string' || !ID.test(id)) throw new UnfitEntry('Its id is none.');
  checkTitle(title);
  checkTags(tags);
  checkText(text);
  const createdAt = timeOf(read('created'));
  const updatedAt = timeOf(read('updated'));
  const annotations = annotationsOf({ audience: read('audience'), priority: read('priority') });
  const said = wellFormed({ title, tags, text });
  return noteOf({ id, createdAt, updatedAt, revision, ...said, ...annotations });
}

function timeOf(iso: unknown): number {
  const ms = typeof iso === 'string' ? Date.parse(iso) : Number.NaN;
  checkTime(ms);
  return ms;
}

/** The record with what is told by the text. */
function noteOf({
  text,
  ...given
}: Omit<NoteSummary, 'firstLine' | 'size'> & { text: string }): ArchivedNote {
  return { summary: { ...given, firstLine: firstLineOf(text), size: utf8Length(text) }, text };
}

/** What the title of a copy ends with. */
const COPY_MARK = ' (imported)';

/**
 * A note beside one that has its id and revision and says something else. Its id is the same for the
 * same note of an archive, so that there is one copy however often it comes; in an insecure context
 * it never is.
 */
export async function copyOf({ summary, text }: ArchivedNote): Promise<ArchivedNote> {
  const { id, title, tags, createdAt, updatedAt, revision, audience, priority } = summary;
  const said = [id, revision, title, tags, createdAt, updatedAt, audience, priority, text];
  const marked = cut(title, 0, MAX_TITLE_LENGTH - COPY_MARK.length) + COPY_MARK;
  const copy = { ...summary, id: await idOf(id.slice(0, 10), said), title: marked, revision: 1 };
  return { summary: copy, text };
}

const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** A ULID of a time that is told by what it is for: the same for the same. */
async function idOf(time: string, said: unknown): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(said));
  // Typed as always there, which it is in secure contexts only.
  const subtle = crypto.subtle as SubtleCrypto | undefined;
  const noise = subtle
    ? new Uint8Array(await subtle.digest('SHA-256', bytes))
    : crypto.getRandomValues(new Uint8Array(16));
  return time + Array.from(noise.subarray(0, 16), (byte) => DIGITS[byte & 31]).join('');
}
