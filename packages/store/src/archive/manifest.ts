import { checkMediaType, checkPath } from '../limits.js';
import type { StoredFile } from '../schema.js';
import { StoreError } from '../store-error.js';
import { annotationsOf, checkRevision, checkTime } from './record-checks.js';
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

/** The content of `manifest.json`, for people as well: a file on a line. */
export function manifestJson(
  content: Omit<Manifest, 'format' | 'version'>,
): Uint8Array<ArrayBuffer> {
  const { exportedAt, counts, files, unreadable } = content;
  const head = { format: FORMAT, version: VERSION, exportedAt, counts };
  const json = `${JSON.stringify(head).slice(0, -1)},\n"files":${lines(files)},\n"unreadable":${lines(unreadable)}}\n`;
  return new TextEncoder().encode(json);
}

function lines(values: readonly unknown[]): string {
  return values.length === 0
    ? '[]'
    : `[\n${values.map((value) => JSON.stringify(value)).join(',\n')}\n]`;
}

/** What an archive says, as far as it can be told before it is looked at one by one. */
export interface ReadManifest {
  /** What the records of the files claim to be, by path. */
  files: Map<string, unknown>;
  /** The names of the files that are not whole. */
  unreadable: ReadonlySet<string>;
}

/** @throws {StoreError} `invalid-argument` unless it is one of ours, of a version known here. */
export function readManifest(bytes: Uint8Array): ReadManifest {
  const manifest = parsed(bytes);
  if (field(manifest, 'format') !== FORMAT) {
    throw new StoreError('invalid-argument', 'This zip archive is not one that was exported here.');
  }
  const version = field(manifest, 'version');
  if (version !== VERSION) {
    const text = `The archive has version ${JSON.stringify(version)}, and only ${VERSION} is known here: reload the page, there may be a newer version of this app.`;
    throw new StoreError('invalid-argument', text.slice(0, 300));
  }
  const files = new Map<string, unknown>();
  for (const file of list(manifest, 'files')) {
    const path = field(file, 'path');
    if (typeof path === 'string') files.set(path, file);
  }
  const names = list(manifest, 'unreadable').map((one) => field(one, 'name'));
  return { files, unreadable: new Set(names.filter((name) => typeof name === 'string')) };
}

/**
 * The record of a file that an archive has.
 *
 * @throws {UnfitEntry} {@link StoreError} `invalid-argument` unless it is one, within the limits.
 */
export function checkedFile(record: unknown, path: string, size: number): StoredFile {
  checkPath(path);
  const mediaType = field(record, 'mediaType');
  checkMediaType(mediaType);
  if (mediaType !== mediaType.toLowerCase())
    throw new UnfitEntry('Its media type is not in lower case.');
  if (field(record, 'size') !== size) throw new UnfitEntry('It has another size than it had.');
  const [createdAt, updatedAt, revision] = ['createdAt', 'updatedAt', 'revision'].map((name) =>
    field(record, name),
  );
  checkTime(createdAt);
  checkTime(updatedAt);
  checkRevision(revision);
  const digest = field(record, 'digest');
  if (digest !== undefined && !(typeof digest === 'string' && /^[0-9a-f]{64}$/.test(digest))) {
    throw new UnfitEntry('It has a digest that is none.');
  }
  return {
    path,
    mediaType,
    size,
    createdAt,
    updatedAt,
    revision,
    ...annotationsOf({
      audience: field(record, 'audience'),
      priority: field(record, 'priority'),
    }),
    ...(digest !== undefined && { digest }),
  };
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as unknown;
  } catch {
    throw new StoreError('invalid-argument', `The ${MANIFEST_NAME} of the archive is damaged.`);
  }
}

function list(value: unknown, name: string): unknown[] {
  const found = field(value, name);
  return Array.isArray(found) ? (found as unknown[]) : [];
}

/** Only what the object itself has. */
function field(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as { [name: string]: unknown })[name];
}
