// What must be stored after some calls, of which the last may have been cut off.
import { createHash } from 'node:crypto';

/**
 * @typedef {import('./page/mixed-load.js').MixedCall} MixedCall
 * @typedef {import('./page/mixed-load.js').Patterned} Patterned
 * @typedef {import('./page/everything.js').NoteEntry} NoteEntry
 * @typedef {import('./page/everything.js').FileEntry} FileEntry
 *
 * @typedef {object} Entry a note or a file
 * @property {number} revision
 * @property {boolean} [isLeast] whether the revision may be higher: a file at a new path begins above each
 *   that was deleted before, by anybody. Once it was seen, it is known
 * @property {Patterned} content the text or the bytes
 * @property {string} label what can be changed besides: the tags of a note, the priority of a file
 *
 * @typedef {Map<string, Entry>} State by `note TITLE` or `file PATH`
 * @typedef {Map<string, Entry | undefined>} Step what one transaction leaves of each entry, if anything
 * @typedef {{ revision: number, content: string, label: string }} Stored an entry as it was read: a
 *   content is the text itself or a digest
 */

/** @param {string} text @returns {Patterned} the text itself */
const once = (text) => ({ pattern: text, size: text.length });

/** The steps in which a call changes the state, one after the other. @param {State} state @param {MixedCall} call @returns {Step[]} */
export function stepsOf(state, call) {
  switch (call.type) {
    case 'create':
      return [new Map([added(`note ${call.title}`, call.text, call.tags.join())])];
    case 'createAll':
      return [new Map(call.titles.map((title) => added(`note ${title}`, once(title))))];
    case 'update':
      return [changed(state, `note ${call.title}`, { content: call.text })];
    case 'tag':
      return [changed(state, `note ${call.title}`, { label: call.tags.join() })];
    case 'delete':
      return [new Map([[`note ${call.title}`, undefined]])];
    case 'write': {
      const key = `file ${call.path}`;
      if (state.has(key)) return [changed(state, key, { content: call.bytes })];
      return [new Map([added(key, call.bytes)])];
    }
    case 'prioritise':
      return [changed(state, `file ${call.path}`, { label: String(call.priority) })];
    case 'move':
      return [moved(state, `file ${call.from}`, `file ${call.to}`)];
    case 'remove':
      return [new Map([[`file ${call.path}`, undefined]])];
    case 'import':
      return [
        ...call.titles.map((title) => new Map([added(`note ${title}`, once(title))])),
        ...call.files.map(({ path, bytes }) => new Map([added(`file ${path}`, bytes)])),
      ];
    default:
      return [];
  }
}

/** @param {string} key @param {Patterned} content @param {string} [label] @returns {[string, Entry]} */
const added = (key, content, label = '') => [
  key,
  { revision: 1, content, label, isLeast: key.startsWith('file ') },
];

/** @param {State} state @param {string} key @param {Partial<Entry>} change @returns {Step} */
function changed(state, key, change) {
  const entry = existing(state, key);
  return new Map([[key, { ...entry, ...change, revision: entry.revision + 1 }]]);
}

/** @param {State} state @param {string} from @param {string} to @returns {Step} */
function moved(state, from, to) {
  const entry = existing(state, from);
  const replaced = state.get(to);
  const revision = Math.max(entry.revision, replaced?.revision ?? 0) + 1;
  const isLeast = Boolean(entry.isLeast || !replaced || replaced.isLeast);
  return new Map([
    [from, undefined],
    [to, { ...entry, revision, isLeast }],
  ]);
}

/** @param {State} state @param {string} key */
function existing(state, key) {
  const entry = state.get(key);
  if (!entry) throw new Error(`There is no ${key}.`);
  return entry;
}

/** @param {State} state @param {Step} step */
export function apply(state, step) {
  for (const [key, entry] of step) {
    if (entry) state.set(key, entry);
    else state.delete(key);
  }
}

/** @param {NoteEntry} note @returns {[string, Stored]} */
export const storedNote = ({ title, revision, content, tags }) => [
  `note ${title}`,
  { revision, content, label: tags.join() },
];

/** @param {FileEntry} file @returns {[string, Stored]} */
export const storedFile = ({ path, revision, content, priority }) => [
  `file ${path}`,
  { revision, content, label: String(priority ?? '') },
];

/** @param {number} revision @param {Entry} entry */
export const isRevision = (revision, entry) =>
  entry.isLeast ? revision >= entry.revision : revision === entry.revision;

/** Whether an entry is stored as it must be, or is not there as it must not be. @param {Stored | undefined} stored @param {Entry | undefined} entry */
export function isStored(stored, entry) {
  if (!stored || !entry) return !stored && !entry;
  if (!isRevision(stored.revision, entry) || stored.label !== entry.label) return false;
  return isContent(stored.content, entry.content);
}

/** @param {string} stored the content itself or its digest @param {Patterned} content */
export const isContent = (stored, content) =>
  stored === digestOf(content) ||
  (stored.length === content.size && stored === bytesOf(content).toString());

/** @param {Patterned} content */
const bytesOf = ({ pattern, size }) => Buffer.alloc(size, pattern);

const PIECE_BYTES = 2 ** 20;

/** @type {WeakMap<Patterned, string>} */
const digests = new WeakMap();

/** The digest of a content, as the store makes that of a file. @param {Patterned} content */
function digestOf(content) {
  const known = digests.get(content);
  if (known !== undefined) return known;
  const bytes = bytesOf(content);
  const whole = createHash('sha256');
  for (let start = 0; start < bytes.length; start += PIECE_BYTES) {
    const piece = bytes.subarray(start, start + PIECE_BYTES);
    whole.update(createHash('sha256').update(piece).digest());
  }
  const digest = whole.digest('hex');
  digests.set(content, digest);
  return digest;
}

/**
 * Compares what must be there with what was found. The call that was cut off may have taken all of its
 * steps, none, or the first ones; the state is changed to what it has done.
 *
 * @param {State} state after what was acknowledged
 * @param {Step[]} steps of the call that was cut off
 * @param {Map<string, Stored>} found
 * @returns {{ problems: string[], unacknowledged: number }} what is lost, torn or there for no
 *   reason, and how many steps were taken and never acknowledged
 */
export function compare(state, steps, found) {
  const problems = [];
  let unacknowledged = 0;
  for (const [index, step] of steps.entries()) {
    const keys = [...step.keys()];
    const done = keys.filter((key) => isStored(found.get(key), step.get(key)));
    if (done.length === 0) continue;
    if (done.length < keys.length) problems.push(`Torn: ${keys.length} entries, ${done.join()}`);
    if (unacknowledged < index) problems.push(`Not in its order: ${keys.join()}`);
    unacknowledged += 1;
    apply(state, step);
  }
  for (const key of new Set([...state.keys(), ...found.keys()])) {
    const [is, should] = [found.get(key), state.get(key)];
    if (!isStored(is, should)) problems.push(`${key}: ${shown(is)} instead of ${shown(should)}`);
    else if (is && should?.isLeast)
      state.set(key, { ...should, revision: is.revision, isLeast: false });
  }
  return { problems, unacknowledged };
}

/** @param {unknown} entry */
const shown = (entry) => (entry === undefined ? 'nothing' : JSON.stringify(entry));
