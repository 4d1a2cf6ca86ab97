// Writes of every kind, drawn by chance, for several lanes that do not touch each other's entries.
import { randomInt } from 'node:crypto';

/**
 * @typedef {import('./page/planned-writes.js').PlannedWrite} PlannedWrite
 * @typedef {import('./expected-state.mjs').State} State
 */

const LANES = 3;

/** Small ones, those that Chromium keeps in a file of their own, and those of several pieces. */
const SIZES = [0, 1, 20, 300, 4_000, 70_000, 300_000, 1_500_000];
const NOTES_AT_ONCE = 25;

/**
 * @template Item
 * @param {Item[]} items
 * @returns {Item | undefined} of no items
 */
const pick = (items) => (items.length > 0 ? items[randomInt(items.length)] : undefined);

/**
 * @param {State} state what there is
 * @param {number} round
 * @param {number} length of each lane
 * @returns {PlannedWrite[][]}
 */
export function planLanes(state, round, length) {
  return Array.from({ length: LANES }, (_, lane) => {
    const mine = [...state.keys()].filter((key) => key.includes(`lane ${lane} `));
    const notes = namesOf(mine, 'note ');
    const files = namesOf(mine, 'file ');
    return Array.from({ length }, (_, index) =>
      nextWrite(notes, files, `lane ${lane} round ${round} write ${index}`),
    );
  });
}

/** @param {string[]} keys @param {string} kind */
const namesOf = (keys, kind) =>
  keys.filter((key) => key.startsWith(kind)).map((key) => key.slice(kind.length));

/**
 * @param {string[]} notes the titles, which it keeps up to date
 * @param {string[]} files the paths, too
 * @param {string} name that nothing else has
 * @returns {PlannedWrite}
 */
function nextWrite(notes, files, name) {
  const text = `${name}, `.repeat((pick(SIZES) ?? 0) / 30);
  const note = pick(notes);
  const file = pick(files);
  const kind = randomInt(10);
  if (note && kind < 2) return { type: 'update', title: note, text };
  if (note && kind === 2) return { type: 'delete', title: takeFrom(notes, note) };
  if (file && kind === 3) return { type: 'remove', path: takeFrom(files, file) };
  if (file && kind === 4) {
    files.push(name);
    return { type: 'move', from: takeFrom(files, file), to: name };
  }
  if (kind < 8) {
    const path = file && kind === 5 ? file : name;
    if (path === name) files.push(name);
    return { type: 'write', path, pattern: `${name}, `, size: pick(SIZES) ?? 0 };
  }
  if (kind === 8) {
    const titles = Array.from({ length: NOTES_AT_ONCE }, (_, index) => `${name} note ${index}`);
    notes.push(...titles);
    return { type: 'createAll', notes: titles.map((title) => ({ title, text: title })) };
  }
  notes.push(name);
  return { type: 'create', title: name, text };
}

/** @param {string[]} names @param {string} name */
function takeFrom(names, name) {
  names.splice(names.indexOf(name), 1);
  return name;
}
