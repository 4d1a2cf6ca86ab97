// A note and a file that all writers of the mixed load change at the same time.
import { isContent, isStored } from './expected-state.mjs';

/**
 * @typedef {import('./expected-state.mjs').Entry} Entry
 * @typedef {import('./expected-state.mjs').Stored} Stored
 * @typedef {import('./page/mixed-load.js').MixedCall} MixedCall
 * @typedef {import('./page/mixed-load.js').MixedResult} MixedResult
 */

export const SHARED_NOTE = 'Shared';
export const SHARED_FILE = 'shared.bin';

/** To the note lines are only added, and the file is only replaced: their revisions give the order. */
export class SharedEntries {
  /** The lines that must be in the note, in any order. @type {Set<string>} */
  #lines = new Set();
  /** The file of the highest revision that is known. @type {Entry | undefined} */
  #file;
  /** What was under way at the kill. @type {MixedCall[]} */
  #inDoubt = [];

  /**
   * Takes the result of a call, unless it is about something else.
   * @param {MixedCall} call
   * @param {MixedResult} result
   * @returns {boolean} whether it was about these
   */
  acknowledged(call, { revision = 0 }) {
    if (isOfNote(call)) this.#lines.add(call.line);
    else if (isOfFile(call)) this.#written({ revision, content: call.bytes, label: '' });
    else return false;
    return true;
  }

  /**
   * Takes a call that was cut off, unless it is about something else.
   * @param {MixedCall} call
   * @returns {boolean} whether it was about these
   */
  mayHaveDone(call) {
    const isShared = isOfNote(call) || isOfFile(call);
    if (isShared) this.#inDoubt.push(call);
    return isShared;
  }

  /**
   * Compares what was found after a kill; from then on that is what must be there.
   * @param {{ lines: string[], revision: number }} note
   * @param {Stored | undefined} file
   */
  compare(note, file) {
    const inDoubt = this.#inDoubt.splice(0);
    return [...this.#compareNote(note, inDoubt), ...this.#compareFile(file, inDoubt)];
  }

  /**
   * @param {{ lines: string[], revision: number }} note
   * @param {MixedCall[]} inDoubt
   */
  #compareNote({ lines, revision }, inDoubt) {
    const found = new Set(lines);
    const possible = new Set([...this.#lines, ...inDoubt.filter(isOfNote).map(({ line }) => line)]);
    const lost = [...this.#lines].filter((line) => !found.has(line));
    const wrong = [...found].filter((line) => !possible.has(line));
    this.#lines = found;
    const problems = [
      ...lost.map((line) => `${SHARED_NOTE}: lost: ${line}`),
      ...wrong.map((line) => `${SHARED_NOTE}: nobody has written: ${line}`),
    ];
    if (found.size < lines.length) problems.push(`${SHARED_NOTE}: a line is there twice`);
    if (revision !== lines.length + 1) {
      problems.push(`${SHARED_NOTE}: ${lines.length} lines with revision ${revision}`);
    }
    return problems;
  }

  /**
   * @param {Stored | undefined} found
   * @param {MixedCall[]} inDoubt
   */
  #compareFile(found, inDoubt) {
    if (isStored(found, this.#file)) return [];
    const least = (this.#file?.revision ?? 0) + 1;
    const writes = inDoubt.filter(isOfFile);
    const write = found && writes.find(({ bytes }) => isContent(found.content, bytes));
    // A file at a new path begins above each that was deleted before.
    const end = this.#file ? least + writes.length : Infinity;
    if (found && write && found.revision >= least && found.revision < end) {
      this.#file = { revision: found.revision, content: write.bytes, label: '' };
      return [];
    }
    const [is, should] = [found, this.#file].map((entry) => JSON.stringify(entry) ?? 'nothing');
    return [`${SHARED_FILE}: ${is} instead of ${should}, or one of ${writes.length} after it`];
  }

  /** @param {Entry} file */
  #written(file) {
    if (file.revision > (this.#file?.revision ?? 0)) this.#file = file;
  }
}

/** @param {MixedCall} call @returns {call is MixedCall & { type: 'append' }} */
const isOfNote = (call) => call.type === 'append' && call.title === SHARED_NOTE;

/** @param {MixedCall} call @returns {call is MixedCall & { type: 'write' }} */
const isOfFile = (call) => call.type === 'write' && call.path === SHARED_FILE;
