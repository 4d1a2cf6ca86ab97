// A device whose browser is killed while it syncs: what it writes, and what must be stored after that.
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { callPage } from './call-page.mjs';

/**
 * @typedef {import('./page/synced.js').SyncedCall} SyncedCall
 * @typedef {import('./page/synced.js').SyncPlace} SyncPlace
 * @typedef {import('./random.mjs').Random} Random
 * @typedef {import('../support/browsers/killable-browser.mjs').KillableBrowser} KillableBrowser
 * @typedef {import('../support/browsers/killable-browser.mjs').Tab} Tab
 * @typedef {Map<string, string | undefined>} Change what a call leaves of each entry, if anything
 */

const DATABASE = 'faults-sync';

/** The title of the note that all devices change. */
export const SHARED = 'Shared';

/**
 * How many notes and files a device has, about.
 * @typedef {{ notes: number, files: number }} Amount
 * @type {Amount}
 */
const FEW = { notes: 14, files: 6 };

/** The smallest is in one piece, the largest in some. */
const SIZES = [10, 5_000, 700_000, 3_000_000];

/** The longest pause between two calls, in milliseconds. */
const MAX_PAUSE_MS = 40;

/** One device, with what only it writes, and the lines that it adds to the shared note. */
export class SyncedDevice {
  browser;
  /** A word in the names of all its own notes and files, and in those of nobody else. */
  word;
  /** How many calls were acknowledged. */
  acknowledged = 0;
  /** How often its keys were changed here. */
  keyChanges = 0;
  /** The lines that must be in the shared note. @type {string[]} */
  lines = [];
  /** What must be stored: by `note TITLE` or `file PATH` the text or the digest. @type {Map<string, string>} */
  state = new Map();
  #place;
  #amount;
  #calls = 0;
  /** Of the call that was under way when the browser was killed. @type {Change} */
  #inDoubt = new Map();
  /** @type {Tab | undefined} */
  #tab;

  /**
   * @param {KillableBrowser} browser on a fresh profile, not started
   * @param {number} number
   * @param {SyncPlace} place
   * @param {Amount} [amount]
   */
  constructor(browser, number, place, amount = FEW) {
    this.browser = browser;
    this.word = `device${number}`;
    this.#place = place;
    this.#amount = amount;
  }

  /** @returns {Tab} */
  get tab() {
    if (!this.#tab) throw new Error(`${this.word} is not open.`);
    return this.#tab;
  }

  async open() {
    await this.browser.start();
    this.#tab = await this.browser.openTab();
    await callPage(this.tab, 'openSynced', DATABASE, this.#place, this.word);
  }

  async kill() {
    this.browser.kill();
    await this.browser.ended();
  }

  /** Writes as many notes as it may have. */
  async fill() {
    for (let index = 0; index < this.#amount.notes; index += 1) {
      const title = `${this.word} first ${index}`;
      const call = /** @type {const} */ ({ type: 'note', title, text: `${title}\nwith a line.\n` });
      await callPage(this.tab, 'callSynced', call);
      apply(this.state, changeOf(call, this.state));
      this.acknowledged += 1;
    }
  }

  /**
   * Writes until a time, or until the browser is killed.
   * @param {Random} random
   * @param {number} endMs
   */
  async write(random, endMs) {
    while (Date.now() < endMs) {
      const call = this.#draw(random);
      const change = changeOf(call, this.state);
      this.#inDoubt = change;
      const isWritten = await callPage(this.tab, 'callSynced', call).catch((error) => {
        // Without the server, there are no other keys.
        if (call.type === 'keys' && this.browser.group !== undefined) return false;
        throw error;
      });
      this.#inDoubt = new Map();
      apply(this.state, change);
      if (isWritten && call.type === 'line') this.lines.push(call.line);
      if (isWritten && call.type === 'keys') this.keyChanges += 1;
      this.acknowledged += 1;
      await sleep(random.between(0, MAX_PAUSE_MS));
    }
  }

  /**
   * Compares what is there after a kill with what it has written itself. The call that was under way may
   * have been done.
   * @returns {Promise<string[]>} what is wrong
   */
  async compareOwn() {
    const found = new Map(await callPage(this.tab, 'readSynced', this.word));
    const isDone = [...this.#inDoubt].every(([key, content]) => found.get(key) === content);
    if (isDone) apply(this.state, this.#inDoubt);
    this.#inDoubt = new Map();
    return [...new Set([...this.state.keys(), ...found.keys()])]
      .filter((key) => found.get(key) !== this.state.get(key))
      .map(
        (key) =>
          `${this.word}: ${key} is ${short(found.get(key))}, not ${short(this.state.get(key))}`,
      );
  }

  /** @param {Random} random @returns {SyncedCall} */
  #draw(random) {
    this.#calls += 1;
    const name = `${this.word} ${this.#calls}`;
    const titles = namesOf(this.state, 'note ');
    const paths = namesOf(this.state, 'file ');
    const hasAllNotes = titles.length >= this.#amount.notes;
    const hasAllFiles = paths.length >= this.#amount.files;
    const type = random.pickWeighted({
      // In a soak the note would become too long for one.
      line: this.#amount === FEW ? 6 : 1,
      create: hasAllNotes ? 0 : 3,
      update: titles.length > 0 ? 5 : 0,
      deleteNote: titles.length > 0 ? (hasAllNotes ? 4 : 1) : 0,
      file: hasAllFiles ? 0 : 3,
      replace: paths.length > 0 ? 1 : 0,
      move: paths.length > 0 ? 2 : 0,
      deleteFile: paths.length > 0 ? (hasAllFiles ? 4 : 1) : 0,
      keys: 1,
    });
    const text = `${name}\n${'A line of a note.\n'.repeat(random.between(0, 40))}`;
    if (type === 'line') return { type, title: SHARED, line: `${name};`, position: random.next() };
    if (type === 'create') return { type: 'note', title: name, text };
    if (type === 'update') return { type: 'note', title: random.pick(titles), text };
    if (type === 'deleteNote') return { type, title: random.pick(titles) };
    if (type === 'move') return { type, from: random.pick(paths), to: `moved/${name}` };
    if (type === 'deleteFile') return { type, path: random.pick(paths) };
    if (type === 'keys') return { type };
    const path = type === 'file' ? name : random.pick(paths);
    const size = random.pick(SIZES);
    return { type: 'file', path, pattern: name.padEnd(10, '.').slice(-10), size };
  }
}

/**
 * @param {SyncedCall} call
 * @param {Map<string, string>} state
 * @returns {Change}
 */
function changeOf(call, state) {
  switch (call.type) {
    case 'note':
      return new Map([[`note ${call.title}`, call.text]]);
    case 'deleteNote':
      return new Map([[`note ${call.title}`, undefined]]);
    case 'file':
      return new Map([[`file ${call.path}`, digestOf(call.pattern, call.size)]]);
    case 'move':
      return new Map([
        [`file ${call.from}`, undefined],
        [`file ${call.to}`, state.get(`file ${call.from}`)],
      ]);
    case 'deleteFile':
      return new Map([[`file ${call.path}`, undefined]]);
    default:
      return new Map();
  }
}

/** @param {Map<string, string>} state @param {Change} change */
function apply(state, change) {
  for (const [key, content] of change) {
    if (content === undefined) state.delete(key);
    else state.set(key, content);
  }
}

/** @param {Map<string, string>} state @param {string} prefix */
const namesOf = (state, prefix) =>
  [...state.keys()].filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length));

/** @param {string} pattern @param {number} size */
const digestOf = (pattern, size) =>
  [...createHash('sha256').update(Buffer.alloc(size, pattern)).digest()].join();

/** @param {string | undefined} content */
const short = (content) =>
  content === undefined ? 'missing' : JSON.stringify(content.slice(0, 40));
