// What must be stored after some writes, of which the last of each lane may have been cut off.
import { createHash } from 'node:crypto';

/**
 * @typedef {import('./page/planned-writes.js').PlannedWrite} PlannedWrite
 * @typedef {{ revision: number, digest: string }} Stored
 * @typedef {Map<string, Stored>} State by `note TITLE` or `file PATH`
 */

/** @param {string} content */
const sha256 = (content) => createHash('sha256').update(content).digest('hex');

/** Changes the state as a write does. @param {State} state @param {PlannedWrite} write */
function apply(state, write) {
  switch (write.type) {
    case 'create':
    case 'update':
      put(state, `note ${write.title}`, sha256(write.text));
      return;
    case 'createAll':
      for (const { title, text } of write.notes) put(state, `note ${title}`, sha256(text));
      return;
    case 'delete':
      state.delete(`note ${write.title}`);
      return;
    case 'write': {
      const { path, pattern, size } = write;
      const text = pattern.repeat(Math.ceil(size / pattern.length)).slice(0, size);
      put(state, `file ${path}`, sha256(text));
      return;
    }
    case 'move': {
      const stored = state.get(`file ${write.from}`);
      if (!stored) throw new Error(`There is no ${write.from}.`);
      state.delete(`file ${write.from}`);
      state.set(`file ${write.to}`, { ...stored, revision: stored.revision + 1 });
      return;
    }
    case 'remove':
      state.delete(`file ${write.path}`);
      return;
  }
}

/** @param {State} state @param {string} key @param {string} digest */
function put(state, key, digest) {
  state.set(key, { revision: (state.get(key)?.revision ?? 0) + 1, digest });
}

/**
 * The state that was read.
 * @param {import('./page/everything.js').Everything} everything
 * @returns {State}
 */
export function stateOf({ notes, files }) {
  /** @type {State} */
  const state = new Map();
  for (const { title, ...stored } of notes) state.set(`note ${title}`, stored);
  for (const { path, ...stored } of files) state.set(`file ${path}`, stored);
  return state;
}

/**
 * What is lost, torn or there for no reason: every write that was acknowledged must be there, and of
 * each lane the next one may be, whole or not at all.
 * @param {State} before
 * @param {PlannedWrite[][]} lanes
 * @param {number[]} acknowledged how many writes of each lane
 * @param {State} found
 */
export function differences(before, lanes, acknowledged, found) {
  const problems = [];
  let unheard = 0;
  const expected = new Map(before);
  for (const [lane, writes] of lanes.entries()) {
    for (const write of writes.slice(0, acknowledged[lane])) apply(expected, write);
  }
  for (const [lane, writes] of lanes.entries()) {
    const next = writes[acknowledged[lane] ?? 0];
    if (!next) continue;
    const done = new Map(expected);
    apply(done, next);
    const keys = [...new Set([...done.keys(), ...expected.keys()])].filter(
      (key) => !isSame(done.get(key), expected.get(key)),
    );
    const count = keys.filter((key) => isSame(found.get(key), done.get(key))).length;
    if (count === 0) continue;
    if (count < keys.length) problems.push(`Torn: ${next.type} of ${keys.join(', ')}`);
    unheard += 1;
    for (const key of keys) setOrDelete(expected, key, done.get(key));
  }
  for (const key of new Set([...expected.keys(), ...found.keys()])) {
    if (isSame(expected.get(key), found.get(key))) continue;
    const [should, is] = [expected.get(key), found.get(key)].map((stored) =>
      JSON.stringify(stored),
    );
    problems.push(`${key}: ${is ?? 'lost'} instead of ${should ?? 'nothing'}`);
  }
  return { problems, unheard };
}

/** @param {Stored | undefined} one @param {Stored | undefined} other */
const isSame = (one, other) => one?.revision === other?.revision && one?.digest === other?.digest;

/** @param {State} state @param {string} key @param {Stored | undefined} stored */
function setOrDelete(state, key, stored) {
  if (stored) state.set(key, stored);
  else state.delete(key);
}
