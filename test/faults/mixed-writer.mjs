// A writer of the mixed load: what it does, and what must be stored after that.
import {
  apply,
  compare,
  isRevision,
  isStored,
  stepsOf,
  storedFile,
  storedNote,
} from './expected-state.mjs';
import { drawCall, HABITS, UPLOAD_FROM_BYTES } from './mixed-calls.mjs';
import { Random } from './random.mjs';

/**
 * @typedef {import('./expected-state.mjs').State} State
 * @typedef {import('./expected-state.mjs').Stored} Stored
 * @typedef {import('./page/mixed-load.js').MixedCall} MixedCall
 * @typedef {import('./page/mixed-load.js').MixedResult} MixedResult
 * @typedef {import('./shared-entries.mjs').SharedEntries} SharedEntries
 */

/** One writer, whose notes and files nobody else changes, and those that it shares with the others. */
export class MixedWriter {
  /** A word in the names of all its own notes and files, and in those of nobody else. */
  word;
  #number;
  #shared;
  /** @type {State} */
  #state = new Map();
  /** @type {MixedCall | undefined} */
  #underWay;
  /** @type {string[]} */
  #problems = [];
  #random = new Random();
  #habit = HABITS[0] ?? {};
  #prefix = '';
  #calls = 0;

  /**
   * @param {number} number
   * @param {SharedEntries} shared
   */
  constructor(number, shared) {
    this.#number = number;
    this.#shared = shared;
    this.word = `writer${number}`;
  }

  /**
   * @param {number} seed
   * @param {number} round
   */
  startRound(seed, round) {
    this.#random = new Random(seed, round, this.#number);
    this.#habit = this.#random.pick(HABITS);
    this.#prefix = `${this.word} round ${round} call`;
    this.#calls = 0;
  }

  /** How many notes and files of its own there must be. */
  get counts() {
    const { notes, files } = this.#own();
    return { notes: notes.length, files: files.length };
  }

  /**
   * Takes the result of the call that was under way, if there was one, and begins the next.
   * @param {MixedResult | null} result
   * @returns {MixedCall}
   */
  next(result) {
    if (this.#underWay && result) this.#acknowledged(this.#underWay, result);
    this.#calls += 1;
    const name = `${this.#prefix} ${String(this.#calls).padStart(4, '0')}`;
    this.#underWay = drawCall(this.#random, this.#habit, this.#own(), name);
    return this.#underWay;
  }

  /** @param {string} message */
  failed(message) {
    this.#problems.push(`${this.word}: ${message}`);
  }

  /**
   * Compares what was found after a kill; from then on that is what must be there.
   * @param {Map<string, Stored>} found what has its word
   */
  compare(found) {
    const call = this.#underWay;
    this.#underWay = undefined;
    const isShared = call !== undefined && this.#shared.mayHaveDone(call);
    const steps = call && !isShared ? stepsOf(this.#state, call) : [];
    const { problems, unacknowledged } = compare(this.#state, steps, found);
    return { problems: [...this.#problems.splice(0), ...problems], unacknowledged };
  }

  /**
   * @param {MixedCall} call
   * @param {MixedResult} result
   */
  #acknowledged(call, result) {
    if (this.#shared.acknowledged(call, result)) return;
    for (const step of stepsOf(this.#state, call)) apply(this.#state, step);
    const problem = this.#contradiction(call, result);
    if (problem !== undefined) this.failed(`${call.type}: ${problem}`);
  }

  /**
   * How a result contradicts what must be there.
   * @param {MixedCall} call
   * @param {MixedResult} result
   * @returns {string | undefined}
   */
  #contradiction(call, { revision, note, file, titles }) {
    const read = (note && storedNote(note)) ?? (file && storedFile(file));
    if (read && !isStored(read[1], this.#state.get(read[0]))) return JSON.stringify(read);
    if (call.type === 'searchNote' && !titles?.includes(call.title)) return `not ${call.title}`;
    if (revision === undefined) return undefined;
    const key = keyOf(call);
    const expected = this.#state.get(key);
    if (!expected || !isRevision(revision, expected))
      return `revision ${revision} instead of ${expected?.revision}`;
    this.#state.set(key, { ...expected, revision, isLeast: false });
    return undefined;
  }

  #own() {
    /** @type {import('./mixed-calls.mjs').Own} */
    const own = { notes: [], files: [], uploads: [] };
    for (const [key, { content }] of this.#state) {
      const name = key.slice(5);
      if (key.startsWith('note ')) own.notes.push(name);
      else own.files.push(name);
      if (content.size >= UPLOAD_FROM_BYTES) own.uploads.push(name);
    }
    return own;
  }
}

/** The entry that a call writes. @param {MixedCall} call */
function keyOf(call) {
  if ('title' in call) return `note ${call.title}`;
  if ('to' in call) return `file ${call.to}`;
  return 'path' in call ? `file ${call.path}` : '';
}
