// A real browser whose processes can be killed, and whose profile outlives them.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { groupEnded, killGroup } from '../../../scripts/browsers/process-group.mjs';

/**
 * @typedef {'leveldb' | 'sqlite' | 'firefox' | 'webkit'} Backend what keeps IndexedDB: one of the two
 *   that Chromium has, or that of another browser
 */

/**
 * A tab, as far as every driver has it.
 * @typedef {object} Tab
 * @property {(url: string) => Promise<unknown>} goto
 * @property {() => Promise<unknown>} reload
 * @property {() => Promise<void>} close
 * @property {<Value, Argument>(run: (argument: Argument) => Value, argument: Argument) => Promise<Awaited<Value>>} evaluate
 */

/** As large as the window of a desk; in CSS pixels. */
export const WINDOW = { width: 1280, height: 800 };

/** A browser on a profile, started again as often as a test kills it. */
export class KillableBrowser {
  /** @type {Backend} */
  backend;
  /** The page that its tabs begin with. @type {URL} */
  home;
  /** The folder that outlives the browser. */
  profile;
  /** For what a browser leaves behind that is killed. */
  temporary;
  /** The number of its first process, while it runs. @type {number | undefined} */
  group;

  /**
   * @param {Backend} backend
   * @param {{ home: URL, folder: string }} options `folder` for the profile and what is temporary
   */
  constructor(backend, { home, folder }) {
    this.backend = backend;
    this.home = home;
    this.profile = join(folder, 'profile');
    this.temporary = join(folder, 'temporary');
    for (const path of [this.profile, this.temporary]) mkdirSync(path, { recursive: true });
  }

  /** Where the browser keeps the databases. @returns {string} */
  get databaseFolder() {
    throw new Error('Each browser has a place of its own.');
  }

  /** The part of the profile where the data of sites is, which a small disk takes the place of. */
  get sitesFolder() {
    return this.profile;
  }

  /** @returns {Promise<void>} */
  async start() {
    throw new Error('Each browser is started in its own way.');
  }

  /** An empty tab. @returns {Promise<Tab>} */
  async newTab() {
    throw new Error('Each browser has tabs of its own.');
  }

  /** Lets the browser end in its own way. @returns {Promise<void>} */
  async quit() {
    throw new Error('Each browser ends in its own way.');
  }

  /**
   * A tab of the page, before anything was called.
   * @param {URL} url
   */
  async openTab(url = this.home) {
    const tab = await this.newTab();
    await tab.goto(url.href);
    return tab;
  }

  /** Ends every process at once. */
  kill() {
    if (this.group !== undefined) killGroup(this.group);
  }

  /** Resolves when every process has ended. */
  async ended() {
    if (this.group !== undefined) await groupEnded(this.group);
    this.group = undefined;
  }

  /** Lets the browser end in its own way: what it has not written yet is written then. */
  async close() {
    if (this.group === undefined) return;
    // The answer may not come any more.
    await this.quit().catch(() => undefined);
    await this.ended();
  }

  /** Fails unless the databases of the profile are where they are looked for. */
  assertBackend() {
    const names = existsSync(this.databaseFolder) ? readdirSync(this.databaseFolder) : [];
    assert.ok(names.length > 0, `There is nothing in ${this.databaseFolder}.`);
  }
}

/** @param {string} name */
export function requireEnv(name) {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: run these tests with npm.`);
  return value;
}
