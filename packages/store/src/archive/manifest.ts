import { checkMediaType, checkPath, MAX_ARCHIVE_ENTRIES } from '../schema/limits.js';
import type { StoredFile } from '../schema/schema.js';
import { StoreError } from '../errors/store-error.js';
import { JsonMembers, type Member } from './json-members.js';
import { annotationsOf, checkTime, reasonOf, revisionOf } from './record-checks.js';
import { UnfitEntry } from './unfit-entry.js';

/** Where files are in an archive. */
export const FILES_FOLDER = 'files/';

/** What an archive says of itself, and of what cannot be in the files. */
export const MANIFEST_NAME = 'manifest.json';

const FORMAT = 'inpage-mcp archive';
const VERSION = 1;

/** What was not taken into an archive, or did not come out of one. */
export interface Skipped {
  /** Of a note the id or the name of its file; of a file its path in the archive. */
  name: string;
  /** A sentence for people. */
  reason: string;
}

/** The content of `manifest.json`. */
export interface Manifest {
  format: typeof FORMAT;
  version: typeof VERSION;
  /** When the export began, in ISO 8601. */
  exportedAt: string;
  /** How many are in the archive. */
  counts: { notes: number; files: number };
  /** The records of the files, in the order of their paths. */
  files: StoredFile[];
  /** What should be in the archive and is not, or not whole. */
  unreadable: Skipped[];
}

/** How much of a list is put into one Blob, in UTF-16 code units. */
const LIST_PART_LENGTH = 1024 * 1024;

/** A list in JSON, an entry on a line, in Blobs: it may be longer than memory. */
class ListInJson {
  readonly #parts: Blob[] = [];
  #text = '';
  #isEmpty = true;

  add(value: unknown): void {
    this.#text += (this.#isEmpty ? '[\n' : ',\n') + JSON.stringify(value);
    this.#isEmpty = false;
    if (this.#text.length < LIST_PART_LENGTH) return;
    this.#parts.push(new Blob([this.#text]));
    this.#text = '';
  }

  get content(): BlobPart[] {
    return this.#isEmpty ? ['[]'] : [...this.#parts, this.#text, '\n]'];
  }
}

/** The content of `manifest.json` as it comes together, for people as well: a file on a line. */
export class ManifestWriter {
  /** How many are in the archive. */
  readonly counts: Manifest['counts'] = { notes: 0, files: 0 };
  readonly #exportedAt: string;
  readonly #files = new ListInJson();
  readonly #unreadable = new ListInJson();

  /** @param exportedAt When the export began, in milliseconds since 1970. */
  constructor(exportedAt: number) {
    this.#exportedAt = new Date(exportedAt).toISOString();
  }

  addFile(file: StoredFile): void {
    this.#files.add(file);
    this.counts.files += 1;
  }

  addUnreadable(unreadable: Skipped): void {
    this.#unreadable.add(unreadable);
  }

  get content(): Blob {
    const head: Omit<Manifest, 'files' | 'unreadable'> = {
      format: FORMAT,
      version: VERSION,
      exportedAt: this.#exportedAt,
      counts: this.counts,
    };
    return new Blob([
      `${JSON.stringify(head).slice(0, -1)},\n"files":`,
      ...this.#files.content,
      ',\n"unreadable":',
      ...this.#unreadable.content,
      '}\n',
    ]);
  }
}

/**
 * What a manifest says of the files in an archive, by their paths: a record, or why the file cannot
 * come in. Undefined for a file of which it says nothing.
 */
export type Claims = Map<string, StoredFile | string | undefined>;

/**
 * Reads a manifest as its bytes come. Of what it says only that is kept which is about a file in the
 * archive: however much it claims, it takes no more memory than they do.
 *
 * @param claims Has all files of the archive; gets what is said of them. The first word counts.
 * @param onmissing Hears of a file that is not in the archive.
 * @throws {StoreError} `invalid-argument` unless it is one of ours, of a version known here.
 */
export async function readManifest(
  chunks: AsyncIterable<Uint8Array>,
  claims: Claims,
  onmissing: (path: string) => void,
): Promise<void> {
  const isKnown = { format: false, version: false };
  let count = 0;
  for await (const { name, value } of membersOf(chunks)) {
    count += 1;
    if (count > MAX_MANIFEST_MEMBERS) refuse(`The ${MANIFEST_NAME} of the archive is too long.`);
    if (name === 'format') isKnown.format = checkFormat(value);
    else if (name === 'version') isKnown.version = checkVersion(value);
    else if (name === 'files') claim(claims, value, onmissing);
    else if (name === 'unreadable') disclaim(claims, value);
  }
  if (!isKnown.format) checkFormat(undefined);
  if (!isKnown.version) checkVersion(undefined);
}

/** What there may be of each entry: that it is there, and that it cannot be read. */
const MAX_MANIFEST_MEMBERS = 2 * MAX_ARCHIVE_ENTRIES;

async function* membersOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Member> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const members = new JsonMembers();
  for await (const chunk of chunks) {
    yield* wellFormed(() => decoder.decode(chunk, { stream: true }), members);
  }
  yield* wellFormed(() => decoder.decode(), members);
  orDamaged(() => members.end());
}

function* wellFormed(decode: () => string, members: JsonMembers): Generator<Member> {
  const found = members.push(orDamaged(decode));
  for (;;) {
    const { done, value } = orDamaged(() => found.next());
    if (done) return;
    yield value;
  }
}

function orDamaged<Value>(work: () => Value): Value {
  try {
    return work();
  } catch {
    refuse(`The ${MANIFEST_NAME} of the archive is damaged.`);
  }
}

function checkFormat(format: unknown): true {
  if (format === FORMAT) return true;
  refuse('This zip archive is not one that was exported here.');
}

function checkVersion(version: unknown): true {
  if (version === VERSION) return true;
  const text = `The archive has version ${JSON.stringify(version)}, and only ${VERSION} is known here: reload the page, there may be a newer version of this app.`;
  refuse(text.slice(0, 300));
}

function claim(claims: Claims, record: unknown, onmissing: (path: string) => void): void {
  const path = field(record, 'path');
  if (typeof path !== 'string') return;
  if (!claims.has(path)) return onmissing(path);
  if (claims.get(path) === undefined) claims.set(path, checkedOrReason(record, path));
}

function disclaim(claims: Claims, unreadable: unknown): void {
  const name = field(unreadable, 'name');
  if (typeof name !== 'string' || !name.startsWith(FILES_FOLDER)) return;
  const path = name.slice(FILES_FOLDER.length);
  if (claims.has(path)) claims.set(path, 'It could not be read whole when it was exported.');
}

function checkedOrReason(record: unknown, path: string): StoredFile | string {
  try {
    return checkedFile(record, path);
  } catch (error) {
    const reason = reasonOf(error);
    if (reason === undefined) throw error;
    return reason;
  }
}

/**
 * The record of a file that an archive has.
 *
 * @throws {UnfitEntry} {@link StoreError} `invalid-argument` unless it is one, within the limits.
 */
function checkedFile(record: unknown, path: string): StoredFile {
  checkPath(path);
  const mediaType = field(record, 'mediaType');
  checkMediaType(mediaType);
  if (mediaType !== mediaType.toLowerCase())
    throw new UnfitEntry('Its media type is not in lower case.');
  const size = field(record, 'size');
  if (!Number.isSafeInteger(size)) throw new UnfitEntry('It has a size that is none.');
  const [createdAt, updatedAt, revision] = ['createdAt', 'updatedAt', 'revision'].map((name) =>
    field(record, name),
  );
  checkTime(createdAt);
  checkTime(updatedAt);
  const digest = field(record, 'digest');
  if (digest !== undefined && !(typeof digest === 'string' && /^[0-9a-f]{64}$/.test(digest))) {
    throw new UnfitEntry('It has a digest that is none.');
  }
  return {
    path,
    mediaType,
    size: size as number,
    createdAt,
    updatedAt,
    revision: revisionOf(revision),
    ...annotationsOf({
      audience: field(record, 'audience'),
      priority: field(record, 'priority'),
    }),
    ...(digest !== undefined && { digest }),
  };
}

/** Only what the object itself has. */
function field(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as { [name: string]: unknown })[name];
}

function refuse(message: string): never {
  throw new StoreError('invalid-argument', message);
}
