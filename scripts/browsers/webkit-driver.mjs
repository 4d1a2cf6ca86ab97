// Drives WebKitGTK, by WebDriver over plain HTTP: a browser for each driver, with windows.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { inRoot } from '../project/project.mjs';
import { freePort } from '../serving/free-port.mjs';
import { killGroup } from './process-group.mjs';

/** The interval at which the driver is asked whether a script has ended, in milliseconds. */
const POLL_MS = 20;

/** The maximum time that a driver may take to start, in milliseconds. */
const START_MS = 30_000;

/**
 * The outcome of a script.
 * @typedef {{ state: 'running' } | { state: 'done', value?: string } | { state: 'failed', error: string }} Outcome
 */

/** @type {Promise<{ name: string, stop(): void }> | undefined} */
let display;

/** A virtual screen, one for all browsers of this process. */
function ensureDisplay() {
  display ??= (async () => {
    const args = ['-displayfd', '3', '-screen', '0', '1600x1200x24', '-nolisten', 'tcp'];
    const child = spawn('Xvfb', args, { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
    const stop = () => child.kill();
    process.once('exit', stop);
    const numbers = /** @type {import('node:stream').Readable} */ (child.stdio[3]);
    const [number] = await once(numbers, 'data');
    child.unref();
    /** @type {import('node:net').Socket} */ (numbers).unref();
    return { name: `:${String(number).trim()}`, stop };
  })();
  return display;
}

/** A driver with its browser, on a separate profile. */
export class WebKitBrowser {
  #driver;
  #base;
  #session = '';
  #last = /** @type {Promise<unknown>} */ (Promise.resolve());
  /** The profile, which is kept if it was given. */
  #profile;
  #isOwnProfile;

  /**
   * @param {import('node:child_process').ChildProcess} driver
   * @param {number} port
   * @param {{ profile: string, isOwnProfile: boolean }} parts
   */
  constructor(driver, port, { profile, isOwnProfile }) {
    this.#driver = driver;
    this.#base = `http://127.0.0.1:${port}`;
    this.#profile = profile;
    this.#isOwnProfile = isOwnProfile;
  }

  /**
   * Starts a browser with its first window.
   * @param {{ isPrivate?: boolean, profile?: string }} [options] without a profile it gets a new one, which
   *   is deleted with it
   */
  static async start({ isPrivate = false, profile: given } = {}) {
    const { name } = await ensureDisplay();
    const profile = given ?? mkdtempSync(join(tmpdir(), 'inpage-mcp-webkit-'));
    const folders = ['HOME', 'XDG_RUNTIME_DIR', 'XDG_DATA_HOME', 'XDG_CACHE_HOME'];
    const { WEBKIT_DISABLE_COMPOSITING_MODE: _, ...environment } = process.env;
    const env = {
      ...environment,
      ...Object.fromEntries([...folders, 'XDG_CONFIG_HOME'].map((folder) => [folder, profile])),
      PRIVATE: isPrivate ? '1' : '0',
      DISPLAY: name,
      // Its sandbox needs more rights than a container has.
      WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
      LIBGL_ALWAYS_SOFTWARE: '1',
      GTK_A11Y: 'none',
      NO_AT_BRIDGE: '1',
      GSETTINGS_BACKEND: 'memory',
      // Otherwise, a daemon would be started that nothing ends.
      DBUS_SESSION_BUS_ADDRESS: 'disabled:',
    };
    const port = await freePort();
    const args = [`--port=${port}`, '--host=127.0.0.1'];
    // The driver gets its own group, so that all processes that it starts can be ended with it.
    const driver = spawn('WebKitWebDriver', args, { env, stdio: 'ignore', detached: true });
    const browser = new WebKitBrowser(driver, port, { profile, isOwnProfile: !given });
    process.once('exit', browser.#killAll);
    await browser.#begin();
    return browser;
  }

  /** The number of the first of its processes, which form a group. */
  get group() {
    return this.#driver.pid;
  }

  /** The window that exists from the start. */
  async firstWindow() {
    return new WebKitWindow(this, String(await this.command('GET', '/window')));
  }

  async newWindow() {
    const { handle } = await this.inTurn(async () => {
      // The window that was chosen last may be closed.
      const [any] = await this.command('GET', '/window/handles');
      await this.command('POST', '/window', { handle: any });
      return await this.command('POST', '/window/new', { type: 'window' });
    });
    return new WebKitWindow(this, handle);
  }

  /** Closes all windows but one. @param {WebKitWindow} kept */
  async closeOthers(kept) {
    await this.inTurn(async () => {
      for (const handle of await this.command('GET', '/window/handles')) {
        if (handle === kept.handle) continue;
        await this.command('POST', '/window', { handle });
        await this.command('DELETE', '/window');
      }
    });
  }

  /** Closes the browser, as its user does. */
  async close() {
    await Promise.race([this.#send('DELETE', this.#session).catch(() => undefined), pause(3_000)]);
    await this.kill();
  }

  /** Kills all its processes at once, in the middle of their work. */
  async kill() {
    this.#killAll();
    process.removeListener('exit', this.#killAll);
    // The last process may still write for a moment.
    if (this.#isOwnProfile)
      await rm(this.#profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }

  /**
   * A command of the session, which is about the window that was chosen last.
   * @param {string} method
   * @param {string} path
   * @param {object} [body]
   * @returns {Promise<any>}
   */
  command(method, path, body) {
    return this.#send(method, `${this.#session}${path}`, body);
  }

  /**
   * Runs commands that belong together, such as to choose a window and to do something in it.
   * @template Value
   * @param {() => Promise<Value>} run
   * @returns {Promise<Value>}
   */
  inTurn(run) {
    const done = this.#last.then(run, run);
    this.#last = done.catch(() => undefined);
    return done;
  }

  #killAll = () => {
    if (this.group !== undefined) killGroup(this.group);
  };

  async #begin() {
    const giveUpAt = performance.now() + START_MS;
    while (!(await this.#send('GET', '/status').catch(() => undefined))) {
      if (performance.now() > giveUpAt) throw new Error('WebKitWebDriver does not start.');
      await pause(50);
    }
    const binary = inRoot('scripts/browsers/webkit-window.py');
    const { sessionId } = await this.#send('POST', '/session', {
      capabilities: {
        alwaysMatch: {
          browserName: 'webkit-window',
          'webkitgtk:browserOptions': { binary, args: [] },
          unhandledPromptBehavior: 'ignore',
          timeouts: { script: 300_000, pageLoad: 300_000 },
        },
      },
    });
    this.#session = `/session/${sessionId}`;
  }

  /**
   * @param {string} method
   * @param {string} path
   * @param {object} [body]
   * @returns {Promise<any>}
   */
  async #send(method, path, body) {
    const hasBody = method === 'POST';
    const response = await fetch(this.#base + path, {
      method,
      ...(hasBody && { body: JSON.stringify(body ?? {}) }),
      headers: { 'content-type': 'application/json' },
    });
    const { value } = await response.json();
    if (value?.error) throw new Error(`${path}: ${value.error}: ${value.message}`);
    return value;
  }
}

/**
 * The names that WebDriver uses for the keys without a character.
 * https://www.w3.org/TR/webdriver2/#keyboard-actions
 */
const KEYS = /** @type {{ [name: string]: string }} */ ({
  Backspace: '\uE003',
  Tab: '\uE004',
  Enter: '\uE007',
  '\n': '\uE007',
  Shift: '\uE008',
  Control: '\uE009',
  Alt: '\uE00A',
  Escape: '\uE00C',
  PageUp: '\uE00E',
  PageDown: '\uE00F',
  End: '\uE010',
  Home: '\uE011',
  ArrowLeft: '\uE012',
  ArrowUp: '\uE013',
  ArrowRight: '\uE014',
  ArrowDown: '\uE015',
  Delete: '\uE017',
  Meta: '\uE03D',
});

/** @typedef {{ type: 'keyDown' | 'keyUp', value: string }} KeyAction */

/** @param {string} key such as `ArrowDown` or `a` @returns {KeyAction} */
const keyDown = (key) => ({ type: 'keyDown', value: KEYS[key] ?? key });

/** @param {string} key @returns {KeyAction} */
const keyUp = (key) => ({ type: 'keyUp', value: KEYS[key] ?? key });

/** A window of the browser. If a method does the same as one of Playwright's pages, it has the same name. */
export class WebKitWindow {
  #url = '';
  #scripts = 0;

  /**
   * @param {WebKitBrowser} browser
   * @param {string} handle
   */
  constructor(browser, handle) {
    /** The browser of this window. */
    this.browser = browser;
    /** The handle by which the driver knows the window. */
    this.handle = handle;
  }

  /** The address that the window was last sent to. */
  url() {
    return this.#url;
  }

  /** @param {string} url */
  async goto(url) {
    this.#url = url;
    await this.#here('POST', '/url', { url });
  }

  async goBack() {
    await this.#here('POST', '/back');
  }

  async reload() {
    await this.#here('POST', '/refresh');
  }

  /** @param {{ width: number, height: number }} size */
  async setViewportSize(size) {
    await this.#here('POST', '/window/rect', size);
  }

  keyboard = {
    /** @param {string} text one key for each character */
    type: (text) => this.#sendKeys(Array.from(text).flatMap((key) => [keyDown(key), keyUp(key)])),
    /** @param {string} key such as `ArrowDown` or `a` */
    press: (key) => this.#sendKeys([keyDown(key), keyUp(key)]),
    /** @param {string} key */
    down: (key) => this.#sendKeys([keyDown(key)]),
    /** @param {string} key */
    up: (key) => this.#sendKeys([keyUp(key)]),
  };

  /** The context in which another window can be opened. */
  browserContext() {
    return { newPage: () => this.browser.newWindow() };
  }

  /**
   * Runs a function in the page, and resolves with its result as JSON has it. The driver runs one command at
   * a time. So the function is only started, and its outcome is polled, and other windows can be driven in
   * between.
   * @template Value, Argument
   * @param {(argument: Argument) => Value} run
   * @param {Argument} [argument]
   * @returns {Promise<Awaited<Value>>}
   */
  async evaluate(run, argument) {
    const id = `script-${(this.#scripts += 1)}`;
    await this.#script(
      `const [id, argument] = arguments;
       const outcomes = (globalThis.__outcomes ??= {});
       outcomes[id] = { state: 'running' };
       (async () => (${run.toString()})(argument))().then(
         (value) => { outcomes[id] = { state: 'done', value: JSON.stringify(value) }; },
         (error) => { outcomes[id] = { state: 'failed', error: error?.stack ? error + '\\n' + error.stack : String(error) }; },
       );`,
      [id, argument ?? null],
    );
    for (;;) {
      /** @type {Outcome} */
      const outcome = await this.#script(
        `return globalThis.__outcomes?.[arguments[0]] ?? { state: 'failed', error: 'The page is gone.' };`,
        [id],
      );
      if (outcome.state === 'failed') throw new Error(outcome.error);
      if (outcome.state === 'done') return JSON.parse(outcome.value ?? 'null');
      await pause(POLL_MS);
    }
  }

  async close() {
    await this.#here('DELETE', '/window');
  }

  /** @param {KeyAction[]} actions */
  async #sendKeys(actions) {
    await this.#here('POST', '/actions', { actions: [{ type: 'key', id: 'keyboard', actions }] });
  }

  /**
   * @param {string} script
   * @param {unknown[]} args
   */
  async #script(script, args) {
    return await this.#here('POST', '/execute/sync', { script, args });
  }

  /**
   * @param {string} method
   * @param {string} path
   * @param {object} [body]
   */
  async #here(method, path, body) {
    return await this.browser.inTurn(async () => {
      await this.browser.command('POST', '/window', { handle: this.handle });
      return await this.browser.command(method, path, body);
    });
  }
}
