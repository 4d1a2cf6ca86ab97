import { checkMediaType, checkPath, MAX_ARCHIVE_ENTRIES } from '../schema/limits.js';
import type { StoredFile } from '../schema/schema.js';
import { StoreError } from '../errors/store-error.js';
import { Yielder } from '../search/words/yielder.js';
import { InvalidEntry } from './invalid-entry.js';
import { FILES_FOLDER, FORMAT, VERSION } from './manifest.js';
import { annotationsOf, checkTime, reasonOf, revisionOf } from './record-checks.js';

/** The manifest of an archive of version 1, which is one JSON document. */
export const FIRST_MANIFEST_NAME = 'manifest.json';

/**
 * The maximum size of a manifest of version 1, in bytes: one of about 140,000 files. It is parsed at once. A
 * real one takes 50 ms, the worst one that can be made takes up to 5 seconds.
 */
export const MAX_FIRST_MANIFEST_BYTES = 32 * 1024 * 1024;

/** The longest line of a manifest, in UTF-16 code units. */
const MAX_LINE_LENGTH = 64 * 1024;

/** The most lines: each entry may be listed twice, as a file and as unreadable. */
const MAX_LINES = 2 * MAX_ARCHIVE_ENTRIES;

/** The manifest's claim about a file: a record, or why the file cannot be imported. */
export type Claim = StoredFile | string;

/**
 * The manifest's claims about the files in an archive, by their paths in the archive. Undefined for a
 * file that the manifest does not list.
 */
export type Claims = Map<string, Claim | undefined>;

/**
 * Reads a manifest line by line. Only claims about files in the archive are kept: the memory needed
 * does not depend on the size of the manifest.
 *
 * @param lines Its lines, parsed: {@link parseLines}, or {@link parseFirstManifest} for version 1.
 * @param claims Contains the paths of all files of the archive; the claims are added. The first
 *   claim about a file counts.
 * @param onmissing Called with the path of each listed file that is not in the archive, and a
 *   function that reads the claim.
 * @throws {UnreadableManifest} if the format is another one.
 * @throws {StoreError} `invalid-argument` unless the version is supported.
 */
export async function readManifest(
  lines: AsyncIterable<unknown>,
  claims: Claims,
  onmissing: MissingListener,
  signal?: AbortSignal,
): Promise<void> {
  const assignment = new ClaimAssignment(claims, onmissing);
  const yielder = new Yielder('user-visible', signal);
  let count = 0;
  let isOurs = false;
  try {
    for await (const line of lines) {
      count += 1;
      if (count > MAX_LINES) refuse('The manifest of the archive is too long.');
      const fields = fieldsOf(line);
      // The first line, unless another program has sorted them.
      if (fields.format === FORMAT) checkVersion(fields.version);
      isOurs ||= fields.format === FORMAT;
      assignment.add(fields);
      markUnreadable(claims, fieldsOf(fields.unreadable));
      if (yielder.isDue) await yielder.yield();
    }
    if (!isOurs) throw new UnreadableManifest('This zip archive was not exported by this app.');
  } catch (error) {
    const isUnreadable = error instanceof UnreadableManifest || error instanceof InvalidEntry;
    throw isUnreadable ? new UnreadableManifest(error.message, isOurs) : error;
  } finally {
    assignment.finish();
  }
}

/**
 * The parsed lines of a manifest; undefined for a blank line.
 *
 * @throws {UnreadableManifest} if a line is too long, or is not JSON in UTF-8.
 */
export async function* parseLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let text = '';
  for await (const chunk of chunks) {
    text += orRefuse(() => decoder.decode(chunk, { stream: true }));
    let start = 0;
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
      yield parseLine(text.slice(start, end));
      start = end + 1;
    }
    text = text.slice(start);
    if (text.length > MAX_LINE_LENGTH) damaged();
  }
  yield parseLine(text + orRefuse(() => decoder.decode()));
}

function parseLine(line: string): unknown {
  if (line.length > MAX_LINE_LENGTH) damaged();
  return line.trim() === '' ? undefined : orRefuse(() => JSON.parse(line) as unknown);
}

/**
 * The manifest of version 1, as the lines that it has since version 2. It is one object, with `format`
 * and `version`, the records of the files in `files`, and the other entries in `unreadable`.
 *
 * @throws {UnreadableManifest} if it is not JSON in UTF-8.
 */
export async function* parseFirstManifest(bytes: Uint8Array): AsyncGenerator {
  const manifest = orRefuse(
    () => JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as unknown,
  );
  yield manifest;
  const { files, unreadable } = fieldsOf(manifest);
  for (const file of arrayOf(files)) yield { file };
  for (const entry of arrayOf(unreadable)) yield { unreadable: entry };
}

function arrayOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/**
 * A manifest that this app cannot have written in this form. Its claims about files before the damage are
 * still valid.
 */
export class UnreadableManifest extends StoreError {
  /** Whether it says that it is one of this app. */
  readonly isOurs: boolean;

  constructor(message: string, isOurs = false) {
    super('invalid-argument', message);
    this.isOurs = isOurs;
  }
}

function damaged(): never {
  throw new UnreadableManifest('The manifest of the archive is damaged.');
}

function orRefuse<Value>(parse: () => Value): Value {
  try {
    return parse();
  } catch {
    damaged();
  }
}

function checkVersion(version: unknown): void {
  if (version === 1 || version === VERSION) return;
  const text = `The archive has version ${JSON.stringify(version)}; this app supports only versions up to ${VERSION}. Reload the page: a newer version of the app may be available.`;
  refuse(text.slice(0, 300));
}

type MissingListener = (path: string, readClaim: () => Claim) => void;

/** Assigns each claim to the file in the archive that it is about. */
class ClaimAssignment {
  readonly #claims: Claims;
  readonly #onmissing: MissingListener;
  /** The paths in the archive, by their composed form (NFC). Computed on first use. */
  #composed: ReadonlyMap<string, string> | undefined;
  /** Claims about paths of another Unicode form, which wait in case another claim has this form. */
  readonly #waiting = new Map<string, { path: string; claim: Claim }>();

  constructor(claims: Claims, onmissing: MissingListener) {
    this.#claims = claims;
    this.#onmissing = onmissing;
  }

  add({ file, name }: Fields): void {
    const record = fieldsOf(file);
    const { path } = record;
    if (typeof path !== 'string') return;
    const isNamed = typeof name === 'string' && name.startsWith(FILES_FOLDER);
    const at = isNamed ? name.slice(FILES_FOLDER.length) : path;
    if (this.#claims.has(at)) {
      if (this.#claims.get(at) === undefined) this.#claims.set(at, claimOf(record, path));
      return;
    }
    // A program may have changed the form of all names, as those of macOS do.
    const other = this.#composedPaths().get(at.normalize('NFC'));
    const readClaim = (): Claim => claimOf(record, path);
    if (other === undefined || this.#waiting.has(other)) this.#onmissing(path, readClaim);
    else this.#waiting.set(other, { path, claim: readClaim() });
  }

  /** Call this after the last claim. */
  finish(): void {
    for (const [at, { path, claim }] of this.#waiting) {
      if (this.#claims.get(at) === undefined) this.#claims.set(at, claim);
      else this.#onmissing(path, () => claim);
    }
  }

  #composedPaths(): ReadonlyMap<string, string> {
    if (this.#composed) return this.#composed;
    const others = [...this.#claims.keys()].filter((path) => /[^\0-\x7f]/.test(path));
    return (this.#composed = new Map(others.map((path) => [path.normalize('NFC'), path])));
  }
}

function markUnreadable(claims: Claims, { name }: Fields): void {
  if (typeof name !== 'string' || !name.startsWith(FILES_FOLDER)) return;
  const path = name.slice(FILES_FOLDER.length);
  if (claims.has(path)) claims.set(path, 'The export could not read the whole file.');
}

function claimOf(record: Fields, path: string): Claim {
  try {
    return parseFile(record, path);
  } catch (error) {
    const reason = reasonOf(error);
    if (reason === undefined) throw error;
    return reason;
  }
}

/**
 * Validates the record of a file, and drops unknown fields.
 *
 * @throws {InvalidEntry} {@link StoreError} `invalid-argument` if it is invalid or exceeds a limit.
 */
function parseFile(record: Fields, path: string): StoredFile {
  const { mediaType, size, createdAt, updatedAt, revision, audience, priority, digest } = record;
  checkPath(path);
  checkMediaType(mediaType);
  if (mediaType !== mediaType.toLowerCase())
    throw new InvalidEntry('Its media type is not in lower case.');
  if (!Number.isSafeInteger(size)) throw new InvalidEntry('Its size is not an integer.');
  checkTime(createdAt);
  checkTime(updatedAt);
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
    ...annotationsOf({ audience, priority }),
    ...(digest !== undefined && { digest }),
  };
}

/** The fields of a value that was parsed from JSON. */
interface Fields {
  readonly [name: string]: unknown;
}

/** The fields of a value; none if it is not an object. */
function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

function refuse(message: string): never {
  throw new StoreError('invalid-argument', message);
}
