import { checkMediaType, checkPath, MAX_ARCHIVE_ENTRIES } from '../schema/limits.js';
import type { StoredFile } from '../schema/schema.js';
import { StoreError } from '../errors/store-error.js';
import { JsonMembers, type Member } from './json-members.js';
import { annotationsOf, checkTime, reasonOf, revisionOf } from './record-checks.js';
import { InvalidEntry } from './invalid-entry.js';

/** The folder of files in an archive. */
export const FILES_FOLDER = 'files/';

/** The file that describes the archive, and contains the metadata of its files. */
export const MANIFEST_NAME = 'manifest.json';

const FORMAT = 'inpage-mcp archive';
const VERSION = 1;

/** An entry that was not exported or not imported. */
export interface Skipped {
  /** For a note its id or the name of its file; for a file its path in the archive. */
  name: string;
  /** A sentence for users. */
  reason: string;
}

/** The content of `manifest.json`. */
export interface Manifest {
  format: typeof FORMAT;
  version: typeof VERSION;
  /** When the export started, in ISO 8601. */
  exportedAt: string;
  /** How many notes and files are in the archive. */
  counts: { notes: number; files: number };
  /** The records of the files, in the order of their paths. */
  files: StoredFile[];
  /** The entries that are missing from the archive, or incomplete. */
  unreadable: Skipped[];
}

/** The size of the Blobs that hold a list, in UTF-16 code units. */
const LIST_PART_LENGTH = 1024 * 1024;

/** A JSON array, one entry a line, in Blobs: it need not fit into memory. */
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

/** Builds the content of `manifest.json`. For human readers, each file is on a line of its own. */
export class ManifestWriter {
  readonly counts: Manifest['counts'] = { notes: 0, files: 0 };
  readonly #exportedAt: string;
  readonly #files = new ListInJson();
  readonly #unreadable = new ListInJson();

  /** @param exportedAt When the export started, in milliseconds since 1970. */
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
 * The manifest's claims about the files in an archive, by path: a record, or why the file cannot be
 * imported. Undefined for a file that the manifest does not list.
 */
export type Claims = Map<string, StoredFile | string | undefined>;

/**
 * Reads a manifest from a stream of bytes. Only claims about files in the archive are kept: the
 * memory needed does not depend on the size of the manifest.
 *
 * @param claims Contains the paths of all files of the archive; the claims are added. The first
 *   claim about a file counts.
 * @param onmissing Called with the path of each listed file that is not in the archive.
 * @throws {StoreError} `invalid-argument` unless the format and version are supported.
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
    else if (name === 'files') addRecord(claims, value, onmissing);
    else if (name === 'unreadable') markUnreadable(claims, value);
  }
  if (!isKnown.format) checkFormat(undefined);
  if (!isKnown.version) checkVersion(undefined);
}

/** Each entry may be listed twice: as a file, and as unreadable. */
const MAX_MANIFEST_MEMBERS = 2 * MAX_ARCHIVE_ENTRIES;

async function* membersOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Member> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const members = new JsonMembers();
  for await (const chunk of chunks) {
    yield* parseMembers(() => decoder.decode(chunk, { stream: true }), members);
  }
  yield* parseMembers(() => decoder.decode(), members);
  orRefuse(() => members.end());
}

function* parseMembers(decode: () => string, members: JsonMembers): Generator<Member> {
  const found = members.push(orRefuse(decode));
  for (;;) {
    const { done, value } = orRefuse(() => found.next());
    if (done) return;
    yield value;
  }
}

function orRefuse<Value>(work: () => Value): Value {
  try {
    return work();
  } catch {
    refuse(`The ${MANIFEST_NAME} of the archive is damaged.`);
  }
}

function checkFormat(format: unknown): true {
  if (format === FORMAT) return true;
  refuse('This zip archive was not exported by this app.');
}

function checkVersion(version: unknown): true {
  if (version === VERSION) return true;
  const text = `The archive has version ${JSON.stringify(version)}; this app supports only version ${VERSION}. Reload the page: a newer version of the app may be available.`;
  refuse(text.slice(0, 300));
}

function addRecord(claims: Claims, record: unknown, onmissing: (path: string) => void): void {
  const path = field(record, 'path');
  if (typeof path !== 'string') return;
  if (!claims.has(path)) return onmissing(path);
  if (claims.get(path) === undefined) claims.set(path, parseFileOrReason(record, path));
}

function markUnreadable(claims: Claims, unreadable: unknown): void {
  const name = field(unreadable, 'name');
  if (typeof name !== 'string' || !name.startsWith(FILES_FOLDER)) return;
  const path = name.slice(FILES_FOLDER.length);
  if (claims.has(path)) claims.set(path, 'The export could not read the whole file.');
}

function parseFileOrReason(record: unknown, path: string): StoredFile | string {
  try {
    return parseFile(record, path);
  } catch (error) {
    const reason = reasonOf(error);
    if (reason === undefined) throw error;
    return reason;
  }
}

/**
 * Validates the record of a file.
 *
 * @throws {InvalidEntry} {@link StoreError} `invalid-argument` if it is invalid or exceeds a limit.
 */
function parseFile(record: unknown, path: string): StoredFile {
  checkPath(path);
  const mediaType = field(record, 'mediaType');
  checkMediaType(mediaType);
  if (mediaType !== mediaType.toLowerCase())
    throw new InvalidEntry('Its media type is not in lower case.');
  const size = field(record, 'size');
  if (!Number.isSafeInteger(size)) throw new InvalidEntry('Its size is not an integer.');
  const [createdAt, updatedAt, revision] = ['createdAt', 'updatedAt', 'revision'].map((name) =>
    field(record, name),
  );
  checkTime(createdAt);
  checkTime(updatedAt);
  const digest = field(record, 'digest');
  if (digest !== undefined && !(typeof digest === 'string' && /^[0-9a-f]{64}$/.test(digest))) {
    throw new InvalidEntry('Its digest is not a SHA-256 digest in lower-case hex.');
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

/** Reads an own property; undefined if it does not exist. */
function field(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as { [name: string]: unknown })[name];
}

function refuse(message: string): never {
  throw new StoreError('invalid-argument', message);
}
