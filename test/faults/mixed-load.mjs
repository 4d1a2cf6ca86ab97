// A profile in which several tabs write all kinds of things at the same time, until the browser is killed.
import assert from 'node:assert/strict';
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { storedFile, storedNote } from './expected-state.mjs';
import { openCallLine } from './call-line.mjs';
import { callPage } from './call-page.mjs';
import { MixedWriter } from './mixed-writer.mjs';
import { Random } from './random.mjs';
import { SHARED_FILE, SHARED_NOTE, SharedEntries } from './shared-entries.mjs';

/**
 * @typedef {import('./expected-state.mjs').Stored} Stored
 * @typedef {import('../support/browsers/killable-browser.mjs').KillableBrowser} KillableBrowser
 * @typedef {import('./page/mixed-load.js').MixedResult} MixedResult
 * @typedef {import('../support/browsers/killable-browser.mjs').Tab} Tab
 */

const DATABASE = 'faults-mix';

const MIN_TABS = 2;
const MAX_TABS = 3;
const WRITERS_OF_A_TAB = 3;

/** The kill comes after so many acknowledgements: at once, or, so often, up to so many milliseconds later. */
const MAX_CALLS = 400;
const KILL_LATER = 0.5;
const MAX_LATER_MS = 250;

/** On a slow machine it comes earlier. */
const MAX_WRITING_MS = 6_000;

/** One profile with what was written in it. */
export class MixedLoad {
  /** How many calls were acknowledged. */
  acknowledged = 0;
  /** How many transactions were found that had never been acknowledged. */
  unacknowledged = 0;
  /** How long it took to open the database after each kill, in milliseconds. @type {number[]} */
  opens = [];
  #browser;
  #seed;
  #keepsCopy;
  #shared = new SharedEntries();
  #writers = Array.from(
    { length: MAX_TABS * WRITERS_OF_A_TAB },
    (_, number) => new MixedWriter(number, this.#shared),
  );
  /** The first tab. @type {Tab | undefined} */
  #page;
  #sharedNote = '';
  #isKilled = false;
  /** @type {NodeJS.Timeout | undefined} */
  #timer;

  /**
   * @param {KillableBrowser} browser on a fresh profile
   * @param {number} seed of all that is drawn
   * @param {boolean} keepsCopy whether the profile has to hold what the last kill has left, too
   */
  constructor(browser, seed, keepsCopy) {
    this.#browser = browser;
    this.#seed = seed;
    this.#keepsCopy = keepsCopy;
  }

  async start() {
    await this.#open();
    this.#sharedNote = await callPage(this.#tab, 'createSharedNote');
  }

  /**
   * Lets the writers write, kills the browser, starts it again and looks what is there.
   * @param {number} round
   * @returns {Promise<string[]>} what is lost, torn, twice or wrong
   */
  async killOnce(round) {
    await this.#writeAndKill(round);
    this.#browser.assertBackend();
    if (this.#keepsCopy) this.#copyDatabase();
    this.opens.push(await this.#open());
    return await this.#compare();
  }

  /**
   * Waits until the store has done what it does later, and looks what is there.
   * @returns {Promise<string[]>} what is not done, lost, torn, twice or wrong
   */
  async finish() {
    const left = await callPage(this.#tab, 'whenTidy', DATABASE);
    const problems = await this.#compare();
    await this.#browser.close();
    return [...left.map((store) => `There is something left in ${store}.`), ...problems];
  }

  #copyDatabase() {
    const copy = join(this.#browser.profile, 'after-kill');
    rmSync(copy, { recursive: true, force: true });
    cpSync(this.#browser.databaseFolder, copy, { recursive: true });
  }

  get #tab() {
    assert.ok(this.#page, 'No tab is open.');
    return this.#page;
  }

  async #open() {
    await this.#browser.start();
    this.#page = await this.#browser.openTab();
    return await callPage(this.#page, 'open', DATABASE);
  }

  async #openAnother() {
    const page = await this.#browser.openTab();
    await callPage(page, 'open', DATABASE);
    return page;
  }

  /** @param {number} round */
  async #writeAndKill(round) {
    const random = new Random(this.#seed, round);
    const tabs = random.between(MIN_TABS, MAX_TABS);
    // Few as often as many: on the logarithm.
    const deadly = this.acknowledged + Math.ceil(MAX_CALLS ** random.next());
    const laterMs = random.next() < KILL_LATER ? random.between(0, MAX_LATER_MS) : 0;
    const others = Array.from({ length: tabs - 1 }, () => this.#openAnother());
    const pages = [this.#tab, ...(await Promise.all(others))];
    for (const writer of this.#writers) writer.startRound(this.#seed, round);
    const line = await this.#openLine(deadly, laterMs);
    this.#isKilled = false;
    this.#killIn(MAX_WRITING_MS);
    const writing = pages.map((page, tab) =>
      callPage(page, 'callWithoutEnd', line, writersOf(tab)),
    );
    // It has no end but the kill, unless calls fail; the writers know of those.
    await Promise.allSettled(writing);
    await this.#browser.ended();
    clearTimeout(this.#timer);
  }

  /**
   * Lets the writers say what comes next. A call counts as acknowledged once its result is here: so
   * of each writer one call is in doubt when the browser is killed.
   * @param {number} deadly the acknowledgement at which the browser is killed
   * @param {number} laterMs or so many milliseconds after it
   */
  #openLine(deadly, laterMs) {
    return openCallLine({
      /** @param {number} number @param {MixedResult | null} result */
      nextCall: (number, result) => {
        if (result) this.acknowledged += 1;
        if (this.acknowledged === deadly) this.#killIn(laterMs);
        return this.#writers[number]?.next(result);
      },
      /** @param {number} number @param {string} message */
      callFailed: (number, message) => {
        // A process that dies a moment later than the others sees them fail.
        if (!this.#isKilled) this.#writers[number]?.failed(message);
      },
    });
  }

  /** @param {number} delayMs */
  #killIn(delayMs) {
    const kill = () => {
      this.#isKilled = true;
      this.#browser.kill();
    };
    clearTimeout(this.#timer);
    if (delayMs === 0) kill();
    else this.#timer = setTimeout(kill, delayMs);
  }

  async #compare() {
    const { notes, files, problems } = await callPage(this.#tab, 'readEverything', DATABASE);
    const { losses, troubles } = await callPage(this.#tab, 'reports');
    const found = new Map([...notes.map(storedNote), ...files.map(storedFile)]);
    const reported = [...losses.map((loss) => JSON.stringify(loss)), ...troubles, ...problems];
    // Nothing of it is as it was: each entry is missed.
    if (!found.has(`note ${SHARED_NOTE}`)) return [...reported, `${found.size} entries are left.`];
    const note = await callPage(this.#tab, 'readSharedNote', this.#sharedNote);
    const ofWriters = this.#compareWriters(found);
    const ofShared = this.#shared.compare(note, found.get(`file ${SHARED_FILE}`));
    return [...reported, ...ofWriters, ...ofShared, ...(await this.#compareSearch())];
  }

  /** @param {Map<string, Stored>} found */
  #compareWriters(found) {
    const unknown = new Set(found.keys());
    unknown.delete(`note ${SHARED_NOTE}`);
    unknown.delete(`file ${SHARED_FILE}`);
    const differences = this.#writers.flatMap((writer) => {
      const own = new Map([...found].filter(([key]) => key.includes(writer.word)));
      for (const key of own.keys()) unknown.delete(key);
      const { problems, unacknowledged } = writer.compare(own);
      this.unacknowledged += unacknowledged;
      return problems;
    });
    return [...differences, ...[...unknown].map((key) => `Nobody has written the ${key}.`)];
  }

  /** Whether searches find as much as there is. */
  async #compareSearch() {
    const words = this.#writers.map(({ word }) => word);
    const found = await callPage(this.#tab, 'countFound', words);
    return this.#writers.flatMap(({ word, counts }, index) => {
      if (isDeepStrictEqual(found[index], counts)) return [];
      const [is, should] = [found[index], counts].map((entry) => JSON.stringify(entry));
      return [`A search for ${word} finds ${is} instead of ${should}.`];
    });
  }
}

/** The numbers of the writers of a tab. @param {number} tab */
const writersOf = (tab) =>
  Array.from({ length: WRITERS_OF_A_TAB }, (_, index) => tab * WRITERS_OF_A_TAB + index);
