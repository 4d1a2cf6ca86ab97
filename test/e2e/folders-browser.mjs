// Real folders of the disk in a real browser, without a picker: they are dropped.
import { spawnSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { chromium } from 'playwright-core';
import { launchFlags } from '../../scripts/browsers/chromium.mjs';
import { buildBrowserPage } from '../../scripts/serving/browser-page.mjs';
import { serveFolder } from '../../scripts/serving/static-server.mjs';
import { inRoot } from '../../scripts/project/project.mjs';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('./folders-page.js').FoldersPage} FoldersPage */
/** @typedef {{ page: FoldersPage }} Global */

const CHROMIUM = process.env['CHROME_PATH'] ?? '';

const site = await buildBrowserPage('Folders', {
  entryPoints: { page: inRoot('test/e2e/folders-page.ts') },
});
await writeFile(
  join(site, 'index.html'),
  '<!doctype html><title>Folders</title><script type="module" src="page.js"></script>',
);
const server = await serveFolder(site);
after(closeSite);
const origin = new URL(server.url).origin;

/** Ends the server of the page. */
export async function closeSite() {
  await server.close();
}

/** @param {number} id */
function endProcess(id) {
  try {
    process.kill(id, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

/** A folder of the disk and a browser. */
export class Desk {
  #profile;
  /** @type {import('playwright-core').BrowserContext | undefined} */
  #context;

  /** @param {string} home a folder for the test alone */
  constructor(home) {
    this.root = join(home, 'project');
    this.home = home;
    this.#profile = join(home, 'profile');
  }

  /** Starts the browser, again on the same profile. */
  async start(executablePath = CHROMIUM, args = launchFlags) {
    const options = { executablePath, args };
    this.#context = await chromium.launchPersistentContext(this.#profile, options);
  }

  /**
   * Starts the browser where the system watches no more folders than this. Resolves with whether the
   * system lets a test set that.
   * @param {number} watches
   */
  async startWithFewWatches(watches) {
    const limited = `echo ${watches} > /proc/sys/user/max_inotify_watches && exec "$0" "$@"`;
    const unshare = ['--user', '--map-root-user', 'sh', '-c', limited];
    if (spawnSync('unshare', [...unshare, 'true']).status !== 0) return false;
    const program = join(this.home, 'few-watches.sh');
    const quoted = unshare.map((word) => `'${word}'`).join(' ');
    await writeFile(program, `#!/bin/sh\nexec unshare ${quoted} '${CHROMIUM}' "$@"\n`);
    await chmod(program, 0o700);
    await this.start(program, [...new Set([...launchFlags, '--no-sandbox'])]);
    return true;
  }

  async close() {
    await this.#context?.close();
    this.#context = undefined;
  }

  /** The ids of the processes of the browser. */
  async processes() {
    const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
    const commands = ids.map(async (id) => {
      const command = await readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '');
      return command.includes(this.#profile) ? [Number(id)] : [];
    });
    return (await Promise.all(commands)).flat();
  }

  /**
   * Ends all processes of the browser at once.
   * @param {readonly number[]} known those that are there already: to find them takes a while
   */
  async kill(known = []) {
    known.forEach(endProcess);
    (await this.processes()).forEach(endProcess);
    this.#context = undefined;
  }

  get origin() {
    return origin;
  }

  get context() {
    if (!this.#context) throw new Error('The browser is not running.');
    return this.#context;
  }

  /** Lets the page write without a prompt, which a browser without a window does not show. */
  async permit() {
    await this.#prefer({ file_system_write_guard: { [`${origin},*`]: { setting: 1 } } });
  }

  /** What "Allow on every visit" is; the browser must not have been started yet. */
  async permitForGood() {
    const path = { path: this.root, 'display-name': 'project', 'is-directory': true };
    const chosen = { ...path, readable: true, writable: true };
    const key = `${origin},*`;
    await this.#prefer({
      file_system_access_extended_permission: { [key]: { setting: 1 } },
      file_system_access_chooser_data: { [key]: { setting: { 'chosen-objects': [chosen] } } },
    });
  }

  /** @param {Record<string, unknown>} exceptions what is permitted to the page */
  async #prefer(exceptions) {
    const preferences = {
      profile: { content_settings: { exceptions } },
      // It asks a server about each written program, and waits five seconds for it.
      safebrowsing: { enabled: false },
    };
    const folder = join(this.#profile, 'Default');
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'Preferences'), JSON.stringify(preferences));
  }

  async openTab() {
    const tab = this.context.pages().find((one) => one.url() === 'about:blank');
    const page = tab ?? (await this.context.newPage());
    await page.goto(server.url);
    await page.waitForFunction('globalThis.page !== undefined');
    return page;
  }

  /**
   * Mounts the folder of the disk.
   * @param {Page} page
   * @param {import('@inpage-mcp/runtime').MountFolderOptions} [options]
   * @param {string} [path]
   */
  async mount(page, options = {}, path = this.root) {
    const devTools = await page.context().newCDPSession(page);
    const data = { items: [], files: [path], dragOperationsMask: 19 };
    for (const type of /** @type {const} */ (['dragEnter', 'dragOver', 'drop']))
      await devTools.send('Input.dispatchDragEvent', { type, x: 50, y: 50, data });
    await devTools.detach();
    return await page.evaluate(async (given) => {
      const { runtime, dropped } = /** @type {Global} */ (/** @type {unknown} */ (globalThis)).page;
      const [handle] = await dropped();
      const { uri, state, name } = await runtime.mountFolder(/** @type {any} */ (handle), given);
      return { uri, state, name };
    }, options);
  }

  /** Writes files below the folder, by their paths. @param {Record<string, string>} files */
  async write(files) {
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(this.root, path)), { recursive: true });
      await writeFile(join(this.root, path), text);
    }
  }
}

/**
 * Runs a function of the test's page in it.
 * @param {Page} page
 * @param {'list' | 'read' | 'call'} name
 * @param {unknown[]} args
 */
export async function inPage(page, name, ...args) {
  return await page.evaluate(
    async ([method, given]) => {
      const all = /** @type {any} */ (globalThis).page;
      return await all[/** @type {string} */ (method)](.../** @type {unknown[]} */ (given));
    },
    [name, args],
  );
}

/**
 * A test with a folder and a browser of its own.
 * @param {string} name
 * @param {(desk: Desk, t: import('node:test').TestContext) => Promise<void>} body
 */
export function testWithFolder(name, body) {
  void test(name, async (t) => {
    const home = await mkdtemp(join(tmpdir(), 'inpage-mcp-folders-'));
    const desk = new Desk(home);
    try {
      await mkdir(desk.root);
      await body(desk, t);
    } finally {
      await desk.close();
      await rm(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
    }
  });
}
