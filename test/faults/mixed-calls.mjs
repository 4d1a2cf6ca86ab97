// Which calls a writer of the mixed load makes.
import { SHARED_FILE, SHARED_NOTE } from './shared-entries.mjs';

/**
 * @typedef {import('./random.mjs').Random} Random
 * @typedef {import('./page/mixed-load.js').MixedCall} MixedCall
 * @typedef {import('./page/mixed-load.js').Patterned} Patterned
 *
 * @typedef {MixedCall['type'] | 'upload' | 'shareLine' | 'shareFile'} Kind
 * @typedef {Partial<Record<Kind, number>>} Habit what a writer does, by weights
 *
 * @typedef {object} Own what a writer has written
 * @property {string[]} notes
 * @property {string[]} files
 * @property {string[]} uploads those of the files that are large
 */

const MIB = 2 ** 20;

/**
 * A writer has one of these in each round. Faults show where a few kinds of calls meet often, rather
 * than all of them seldom.
 * @type {Habit[]}
 */
export const HABITS = [
  { upload: 8, move: 1, remove: 1, prioritise: 1, shareFile: 2 },
  { createAll: 6, import: 2, delete: 3, update: 2 },
  { create: 4, update: 4, tag: 2, delete: 2, write: 3, move: 1, remove: 1, shareLine: 4 },
  { create: 4, write: 3, readNote: 3, readFile: 2, searchNote: 3, upload: 1, export: 0.3 },
];

/** Of texts and small files: Chromium keeps some in its tables, the others in files of their own. */
const TEXT_BYTES = [0, 1, 20, 300, 4_000, 70_000, 300_000];
const FILE_BYTES = [...TEXT_BYTES, 1_500_000, 6_000_000];

/** Up to 16 MiB a file is written in one transaction, a larger one in pieces. */
const UPLOAD_BYTES = [12 * MIB, 16 * MIB, 16 * MIB + 1, 18_000_000, 25_000_000, 33 * MIB, 40 * MIB];
export const UPLOAD_FROM_BYTES = 12 * MIB;

/** Of one writer: all are read after each kill. */
const MAX_UPLOADS = 1;
const MAX_NOTES = 1_000;

const NOTES_AT_ONCE = [20, 100, 100, 500, 1_500];
const TAGS = ['red', 'green', 'blue', 'long '.repeat(20)];

/**
 * A call that succeeds, given what the writer has written.
 * @param {Random} random
 * @param {Habit} habit
 * @param {Own} own
 * @param {string} name that nothing has
 * @returns {MixedCall}
 */
export function drawCall(random, habit, own, name) {
  const kind = random.pickWeighted(habit);
  return drawOf(kind, random, own, name) ?? create(random, name);
}

/**
 * @param {Kind} kind
 * @param {Random} random
 * @param {Own} own
 * @param {string} name
 * @returns {MixedCall | undefined} where there is nothing to do it to
 */
function drawOf(kind, random, own, name) {
  const { notes, files, uploads } = own;
  const title = notes.length > 0 ? random.pick(notes) : undefined;
  const path = files.length > 0 ? random.pick(files) : undefined;
  switch (kind) {
    case 'createAll':
      if (notes.length > MAX_NOTES) return undefined;
      return { type: 'createAll', titles: numbered(name, random.pick(NOTES_AT_ONCE)) };
    case 'update':
      return title === undefined ? undefined : { type: 'update', title, text: text(random, name) };
    case 'tag':
      return title === undefined ? undefined : { type: 'tag', title, tags: [random.pick(TAGS)] };
    case 'delete':
    case 'readNote':
    case 'searchNote':
      return title === undefined ? undefined : { type: kind, title };
    case 'remove':
    case 'readFile':
      return path === undefined ? undefined : { type: kind, path };
    case 'prioritise':
      return path === undefined ? undefined : { type: kind, path, priority: random.next() };
    case 'move':
      if (path === undefined) return undefined;
      return {
        type: 'move',
        from: path,
        to: drawPath(
          random,
          files.filter((to) => to !== path),
          name,
        ),
      };
    case 'write':
      return write(drawPath(random, files, name), name, random.pick(FILE_BYTES));
    case 'upload': {
      const target = uploads.length < MAX_UPLOADS ? name : random.pick(uploads);
      return write(target, name, random.pick(UPLOAD_BYTES));
    }
    case 'import':
      if (notes.length > MAX_NOTES) return undefined;
      return {
        type: 'import',
        titles: numbered(name, random.pick(NOTES_AT_ONCE)),
        files: numbered(`${name} file`, 2).map((path) =>
          write(path, path, random.pick(FILE_BYTES)),
        ),
      };
    case 'shareLine':
      // Not with the word of the writer, by which its own notes are found.
      return { type: 'append', title: SHARED_NOTE, line: `by${name}` };
    case 'shareFile':
      return write(SHARED_FILE, name, random.pick(UPLOAD_BYTES));
    case 'export':
      return { type: 'export' };
    default:
      return undefined;
  }
}

/** @param {Random} random @param {string} name @returns {MixedCall} */
const create = (random, name) => ({
  type: 'create',
  title: name,
  text: text(random, name),
  tags: [random.pick(TAGS)],
});

/** @param {Random} random @param {string} name @returns {Patterned} */
const text = (random, name) => ({ pattern: `${name}, `, size: random.pick(TEXT_BYTES) });

/** @param {string} path @param {string} name @param {number} size @returns {MixedCall & { type: 'write' }} */
const write = (path, name, size) => ({
  type: 'write',
  path,
  bytes: { pattern: `${name}, `, size },
});

/** A new path, or one that is there: its file is replaced. @param {Random} random @param {string[]} paths @param {string} name */
const drawPath = (random, paths, name) =>
  paths.length > 0 && random.next() < 0.5 ? random.pick(paths) : name;

/** @param {string} name @param {number} count */
const numbered = (name, count) =>
  Array.from({ length: count }, (_, index) => `${name} number ${String(index).padStart(4, '0')}`);
