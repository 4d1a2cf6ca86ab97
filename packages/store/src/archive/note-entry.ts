import { decodeText } from '@inpage-mcp/encoding';
import { decodeTime, encodeTime } from 'ulid';
import { firstLineOf } from '../records/first-line.js';
import {
  checkTags,
  checkText,
  MAX_TAG_LENGTH,
  MAX_TAGS,
  MAX_TEXT_BYTES,
  MAX_TITLE_LENGTH,
  utf8Length,
} from '../schema/limits.js';
import type { NoteSummary } from '../schema/schema.js';
import { cut } from '../records/text-cut.js';
import {
  findFrontMatter,
  type ParseYaml,
  parseFields,
  splitFields,
  withFrontMatter,
} from '../records/front-matter.js';
import { annotationsOf, checkTime, reasonOf, revisionOf } from './record-checks.js';
import { InvalidEntry } from './invalid-entry.js';
import type { ZipSource } from './write-zip.js';

/** The folder of notes in an archive. */
export const NOTES_FOLDER = 'notes/';

/**
 * The maximum size of a note in an archive. It includes the record, and a text in JSON, which version 1 may
 * have and which takes up to six bytes for one.
 */
export const MAX_NOTE_ENTRY_BYTES = 6 * MAX_TEXT_BYTES + 1024 * 1024;

/** The maximum length of the title in the file name, in code units, so that no name is too long. */
const MAX_SLUG_LENGTH = 60;

const ENDING = '.md';
const ID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

/** A note of an archive. */
export interface ArchivedNote {
  summary: NoteSummary;
  text: string;
  /** Whether its revision could not be read. The note then counts as old as the stored note. */
  isRevisionLost?: boolean;
}

/** The fields of a note in its front matter. */
const FIELDS = [
  'id',
  'title',
  'tags',
  'created',
  'updated',
  'revision',
  'audience',
  'priority',
] as const;
/** The field in which version 1 stored a text with a lone surrogate; the body was empty then. */
const TEXT_FIELD = 'text' as const;

/** The values in a front matter. */
type Fields = { readonly [name in (typeof FIELDS)[number] | typeof TEXT_FIELD]?: unknown };

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
  const own = ownProperties(text);
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
    own?.body ?? text,
    own?.yaml,
  );
  return {
    name: `${NOTES_FOLDER}${[slugOf(title), id].filter(Boolean).join('-')}${ENDING}`,
    modifiedAt: updatedAt,
    content: new TextEncoder().encode(content),
  };
}

/**
 * The properties at the beginning of a text, as other programs write them. They must be in one block with
 * ours, because those programs would treat a second block as a part of the text. Undefined if the properties
 * would change on the way back.
 */
function ownProperties(text: string): { yaml: string; body: string } | undefined {
  const { yaml, bodyStart = 0 } = findFrontMatter(text) ?? {};
  if (yaml === undefined || splitFields(yaml, FIELDS).others !== yaml) return undefined;
  const body = text.slice(bodyStart);
  return text === `---\n${yaml}---\n${body}` && body !== '' ? { yaml, body } : undefined;
}

/** Keeps only characters that are allowed in file names everywhere and not special in a shell. */
function slugOf(title: string): string {
  const words = title.normalize('NFC').replaceAll(/[^\p{L}\p{N}\p{M}]+/gu, '-');
  return cut(words.replace(/^-/, ''), 0, MAX_SLUG_LENGTH).replace(/-$/, '');
}

/**
 * Reads a note from a Markdown file. A file with an `id` field is an exported note, which another
 * program may have edited since: a field that cannot be read costs that field only. Any other file
 * becomes a new note, with the title and tags of its front matter, or its name as title. Its id is
 * derived from name and text, so that it is imported only once; in an insecure context the id is random.
 *
 * @throws {InvalidEntry} {@link StoreError} `invalid-argument` if it is invalid or exceeds a limit.
 */
export async function readNoteEntry(
  { name, modifiedAt }: { name: string; modifiedAt: number },
  bytes: Uint8Array<ArrayBuffer>,
  parseYaml: ParseYaml | undefined,
): Promise<ArchivedNote> {
  const content = await textOf(bytes);
  const { yaml = '', bodyStart = 0 } = findFrontMatter(content) ?? {};
  const body = content.slice(bodyStart);
  const names = body === '' ? [...FIELDS, TEXT_FIELD] : FIELDS;
  const { fields: sources, others } = splitFields(yaml, names);
  const values = await parseFields([...sources.values()], parseYaml);
  const fields: Fields = Object.fromEntries(
    [...sources.keys()].map((field, index) => [field, values[index]]),
  );
  const at = Math.max(modifiedAt, 0);
  const id = typeof fields.id === 'string' && ID.test(fields.id) ? fields.id : idIn(name);
  if (id !== undefined) {
    const known = titleAndTagsOf(fields, name, id);
    // Fields that a note does not have stay before its text, and so do those that cannot be read.
    const kept = others + unreadOf(sources, fields, known.tags);
    const fence = kept && '---\n';
    const text = typeof fields.text === 'string' ? fields.text.toWellFormed() : body;
    const whole = fence + kept + fence + text;
    const dates = await datesIn(yaml, parseYaml);
    return exportedNote(id, { ...known, text: whole }, fields, at, dates);
  }
  if (!name.toLowerCase().endsWith(ENDING)) throw new InvalidEntry('It is not a Markdown file.');
  checkText(content);
  const { created, updated = at } = await datesIn(yaml, parseYaml);
  const createdAt = created ?? Math.min(at, updated);
  return noteOf({
    id: await deriveId(encodeTime(at), [name, content]),
    ...titleAndTagsOf({ ...fields, title: fields.title || undefined }, name),
    createdAt,
    updatedAt: Math.max(createdAt, updated),
    revision: 1,
    text: content,
  });
}

/** Whether a field has no value; it may still have quotes or brackets. */
function isEmpty(source: string): boolean {
  const value = source.slice(source.indexOf(':') + 1).replaceAll(/[\s"'[\]{}]/g, '');
  return ['', 'null', '~'].includes(value);
}

/** The fields for title and tags, as they are written, of which a part would be lost. */
function unreadOf(
  sources: ReadonlyMap<string, string>,
  { title, tags: given }: Fields,
  tags: readonly string[],
): string {
  const isRead = Array.isArray(given) ? given.length === tags.length : tags.length > 0;
  const unread = [
    typeof title === 'string' ? undefined : sources.get('title'),
    isRead ? undefined : sources.get('tags'),
  ];
  return unread.filter((source) => source !== undefined && !isEmpty(source)).join('');
}

/** The id that {@link noteSource} puts at the end of a name, because the id in the file may be lost. */
function idIn(name: string): string | undefined {
  return /(?:^|[-/])([0-7][0-9A-HJKMNP-TV-Z]{25})\.md$/i.exec(name)?.[1]?.toUpperCase();
}

/** The names by which other programs call the time when a note was created, and when it was changed. */
const CREATED = ['created', 'created_at', 'created-at', 'date'] as const;
const UPDATED = ['updated', 'updated_at', 'updated-at', 'modified', 'last_modified'] as const;

/** The only form of a date in which the day is certain. Years past 9999 have six digits, and a sign. */
const SURE_DATE =
  /^((?:\d{4}|[+-]\d{6})-\d{2}-\d{2})(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z| ?[+-]\d{2}:?\d{2})?)?$/;

/** The times in a front matter. */
interface Dates {
  created?: number | undefined;
  updated?: number | undefined;
}

async function datesIn(yaml: string, parseYaml: ParseYaml | undefined): Promise<Dates> {
  const { fields } = splitFields(yaml, [...CREATED, ...UPDATED]);
  const values = await parseFields([...fields.values()], parseYaml);
  const byName = new Map([...fields.keys()].map((name, index) => [name, values[index]]));
  const firstOf = (
    names: readonly (typeof CREATED | typeof UPDATED)[number][],
  ): number | undefined =>
    names.map((name) => timeOf(byName.get(name))).find((time) => time !== undefined);
  return { created: firstOf(CREATED), updated: firstOf(UPDATED) };
}

function timeOf(value: unknown): number | undefined {
  // An object with a field such as `toString` cannot be converted to a text.
  const text = typeof value === 'string' ? value : '';
  const day = SURE_DATE.exec(text)?.[1];
  const ms = day !== undefined && isDay(day) ? Date.parse(text) : Number.NaN;
  return ifValid(() => (checkTime(ms), ms));
}

/** Whether the day exists: JavaScript engines turn a day that does not exist into the next one. */
function isDay(text: string): boolean {
  const day = Date.parse(text);
  return Number.isFinite(day) && new Date(day).toISOString().startsWith(text);
}

async function textOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const decoded = await decodeText(bytes);
  if (!decoded) throw new InvalidEntry('It is not a text in UTF-8, or in another encoding.');
  return decoded.text.replace(/^\uFEFF/, '');
}

/**
 * A note that {@link noteSource} has written, and that another program may have edited.
 *
 * @param modifiedAt The time when the file was modified.
 * @param dates The times in its front matter.
 */
function exportedNote(
  id: string,
  content: { title: string; tags: string[]; text: string },
  fields: Fields,
  modifiedAt: number,
  { created: createdAt = decodeTime(id), updated }: Dates,
): ArchivedNote {
  checkText(content.text);
  const revision = ifValid(() => revisionOf(numberOf(fields.revision)));
  const note = noteOf({
    id,
    createdAt,
    updatedAt: updated ?? Math.max(createdAt, modifiedAt),
    revision: revision ?? 1,
    ...content,
    ...ifValid(() => annotationsOf({ audience: fields.audience })),
    ...ifValid(() => annotationsOf({ priority: numberOf(fields.priority) })),
  });
  return revision === undefined ? { ...note, isRevisionLost: true } : note;
}

/** Title and tags in front matter. Default: the name of the file, without the id, and no tags. */
function titleAndTagsOf(
  { title, tags }: Fields,
  name: string,
  id?: string,
): { title: string; tags: string[] } {
  const fileName = name.slice(name.lastIndexOf('/') + 1).replace(/\.md$/i, '');
  const found = typeof title === 'string' ? title : id ? fileName.replace(`-${id}`, '') : fileName;
  return {
    title: cut(found, 0, MAX_TITLE_LENGTH).toWellFormed(),
    tags: ifValid(() => tagsOf(tags).map((tag) => tag.toWellFormed())) ?? [],
  };
}

/**
 * Tags in a list, or in one string with commas or spaces between them, as some programs write them. Tags that
 * are too long are truncated, as a title is.
 */
function tagsOf(value: unknown): string[] {
  const words = typeof value === 'string' && value.split(value.includes(',') ? ',' : /\s/);
  const tags: unknown = words ? words.map((word) => word.trim()).filter(Boolean) : value;
  const cutTags = Array.isArray(tags)
    ? tags
        .slice(0, MAX_TAGS)
        .map((tag) => (typeof tag === 'string' ? cut(tag, 0, MAX_TAG_LENGTH) : tag))
    : tags;
  checkTags(cutTags);
  return cutTags;
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'string' ? Number(value) : undefined;
}

/** The value of a field; undefined if it is invalid. */
function ifValid<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch (error) {
    if (reasonOf(error) === undefined) throw error;
    return undefined;
  }
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
