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
import { toWellFormedNote } from '../notes/note-records.js';
import type { NoteSummary } from '../schema/schema.js';
import { cut } from '../records/text-cut.js';
import { splitFrontMatter, withFrontMatter } from './front-matter.js';
import { annotationsOf, checkTime, revisionOf } from './record-checks.js';
import { InvalidEntry } from './invalid-entry.js';
import type { ZipSource } from './write-zip.js';

/** The folder of notes in an archive. */
export const NOTES_FOLDER = 'notes/';

/**
 * The largest note in an archive: the record is included, and a text in JSON, as version 1 may have it,
 * takes up to six bytes for one.
 */
export const MAX_NOTE_ENTRY_BYTES = 6 * MAX_TEXT_BYTES + 1024 * 1024;

/** How much of the title is used for the file name, in code units, so that no name is too long. */
const MAX_SLUG_LENGTH = 60;

/**
 * The longest field that is not a string, in code units: enough for the largest tags. A longer one could
 * take seconds to parse.
 */
const MAX_FIELD_LENGTH = 64 * 1024;

const ENDING = '.md';
const ID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

/** A note of an archive. */
export interface ArchivedNote {
  summary: NoteSummary;
  text: string;
}

/**
 * A note as a Markdown file. If the text contains a lone surrogate, which UTF-8 cannot encode, it
 * becomes U+FFFD, as in every write.
 *
 * @throws {InvalidEntry} if the record is invalid.
 */
export function noteSource(summary: NoteSummary, text: string): ZipSource {
  const { id, title, tags, createdAt, updatedAt, revision, audience, priority } = summary;
  if (!ID.test(id)) throw new InvalidEntry('Its id is not a valid id.');
  checkTime(createdAt);
  checkTime(updatedAt);
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
    ],
    text,
  );
  return {
    name: `${NOTES_FOLDER}${[slugOf(title), id].filter(Boolean).join('-')}${ENDING}`,
    modifiedAt: updatedAt,
    content: new TextEncoder().encode(content),
  };
}

/** Keeps only characters that are allowed in file names everywhere and not special in a shell. */
function slugOf(title: string): string {
  const words = title.normalize('NFC').replaceAll(/[^\p{L}\p{N}\p{M}]+/gu, '-');
  return cut(words.replace(/^-/, ''), 0, MAX_SLUG_LENGTH).replace(/-$/, '');
}

/**
 * Reads a note from a Markdown file. A file with an `id` field is an exported note. Any other file
 * becomes a new note with the file's name as title. Its id is derived from name and text, so that
 * it is imported only once; in an insecure context the id is random.
 *
 * @throws {InvalidEntry} {@link StoreError} `invalid-argument` if it is invalid or exceeds a limit.
 */
export async function readNoteEntry(
  { name, modifiedAt }: { name: string; modifiedAt: number },
  bytes: Uint8Array<ArrayBuffer>,
): Promise<ArchivedNote> {
  const content = decodeUtf8(bytes);
  const { fields, body } = splitFrontMatter(content) ?? {};
  const id = fields?.get('id');
  if (fields && body !== undefined && id !== undefined && ID.test(id.slice(1, -1))) {
    return parseExportedNote(fields, body);
  }
  if (!name.toLowerCase().endsWith(ENDING)) throw new InvalidEntry('It is not a Markdown file.');
  checkText(content);
  const last = name.slice(name.lastIndexOf('/') + 1, -ENDING.length);
  const at = Math.max(modifiedAt, 0);
  return noteOf({
    id: await deriveId(encodeTime(at), [name, content]),
    title: cut(last, 0, MAX_TITLE_LENGTH),
    tags: [],
    createdAt: at,
    updatedAt: at,
    revision: 1,
    text: content,
  });
}

function decodeUtf8(bytes: Uint8Array<ArrayBuffer>): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new InvalidEntry('It is not in UTF-8.');
  }
}

/** Reads a note that {@link noteSource} has written. */
function parseExportedNote(fields: ReadonlyMap<string, string>, body: string): ArchivedNote {
  const read = (name: string): unknown => {
    const json = fields.get(name);
    // Only a string may be long: it takes no time to parse.
    if (json !== undefined && json.length > MAX_FIELD_LENGTH && !json.startsWith('"')) {
      throw new InvalidEntry(
        `Its field ${JSON.stringify(name)} is longer than ${MAX_FIELD_LENGTH} characters.`,
      );
    }
    try {
      return json === undefined ? undefined : (JSON.parse(json) as unknown);
    } catch {
      throw new InvalidEntry(`Its field ${JSON.stringify(name)} is not valid JSON.`);
    }
  };
  const [id, title, tags] = ['id', 'title', 'tags'].map(read);
  const revision = revisionOf(read('revision'));
  // Version 1 had a text with a lone surrogate in this field, and an empty body.
  const text = read('text') ?? body;
  if (typeof id !== 'string' || !ID.test(id)) throw new InvalidEntry('Its id is not a valid id.');
  checkTitle(title);
  checkTags(tags);
  checkText(text);
  const createdAt = timeOf(read('created'));
  const updatedAt = timeOf(read('updated'));
  const annotations = annotationsOf({ audience: read('audience'), priority: read('priority') });
  const content = toWellFormedNote({ title, tags, text });
  return noteOf({ id, createdAt, updatedAt, revision, ...content, ...annotations });
}

function timeOf(iso: unknown): number {
  const ms = typeof iso === 'string' ? Date.parse(iso) : Number.NaN;
  checkTime(ms);
  return ms;
}

/** Adds the fields that are derived from the text. */
function noteOf({
  text,
  ...rest
}: Omit<NoteSummary, 'firstLine' | 'size'> & { text: string }): ArchivedNote {
  return { summary: { ...rest, firstLine: firstLineOf(text), size: utf8Length(text) }, text };
}

/** The suffix of a copy's title. */
const COPY_MARK = ' (imported)';

/**
 * A copy of a note whose id and revision belong to a stored note with another content. Its id is
 * derived from the note, so that repeated imports create one copy; random in an insecure context.
 */
export async function copyOf({ summary, text }: ArchivedNote): Promise<ArchivedNote> {
  const { id, title, tags, createdAt, updatedAt, revision, audience, priority } = summary;
  const source = [id, revision, title, tags, createdAt, updatedAt, audience, priority, text];
  const marked = cut(title, 0, MAX_TITLE_LENGTH - COPY_MARK.length) + COPY_MARK;
  const copy = {
    ...summary,
    id: await deriveId(id.slice(0, 10), source),
    title: marked,
    revision: 1,
  };
  return { summary: copy, text };
}

const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** A ULID of a time and a hash of the content; random in an insecure context. */
async function deriveId(time: string, source: unknown): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(source));
  // Typed as always defined, but only defined in secure contexts.
  const subtle = crypto.subtle as SubtleCrypto | undefined;
  const noise = subtle
    ? new Uint8Array(await subtle.digest('SHA-256', bytes))
    : crypto.getRandomValues(new Uint8Array(16));
  return time + Array.from(noise.subarray(0, 16), (byte) => DIGITS[byte & 31]).join('');
}
