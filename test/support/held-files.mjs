// Scripts that arrive as slowly as a test wants: the first half at once, the rest when it says so.
import { EventEmitter, on } from 'node:events';
import { PassThrough } from 'node:stream';
import { workerBundleCode } from '../../scripts/building/worker-bundle.mjs';

/** @type {Promise<Uint8Array> | undefined} */
let workerBundle;

class HeldFile {
  /** How often it was asked for. */
  requests = 0;
  #content;
  #events = new EventEmitter();
  #isHeld = true;
  /** @type {Map<PassThrough, import('node:http').ServerResponse>} */
  #responses = new Map();

  /** @param {Uint8Array} content */
  constructor(content) {
    this.#content = content;
  }

  /**
   * A body that is held, unless the file was let go.
   * @param {import('node:http').ServerResponse} response
   */
  serve(response) {
    const half = Math.ceil(this.#content.length / 2);
    const body = new PassThrough();
    body.write(this.#content.subarray(0, half));
    this.#responses.set(body, response);
    if (!this.#isHeld) this.letGo();
    this.requests += 1;
    this.#events.emit('request');
    return body;
  }

  /**
   * Resolves once it was asked for so often.
   * @param {number} times
   */
  async requested(times) {
    if (this.requests >= times) return;
    for await (const _ of on(this.#events, 'request')) if (this.requests >= times) return;
  }

  /** Sends the rest, to those who ask later, too. */
  letGo() {
    this.#isHeld = false;
    const half = Math.ceil(this.#content.length / 2);
    for (const body of this.#responses.keys()) body.end(this.#content.subarray(half));
    this.#responses.clear();
  }

  /** Ends the connections in the middle. */
  breakOff() {
    for (const response of this.#responses.values()) response.destroy();
    this.#responses.clear();
  }
}

/** @type {HeldFile[]} */
const files = [];

/**
 * Makes one; gives its number.
 * @param {string} [source] by default the default worker, as it is shipped
 */
export async function holdFile(source) {
  workerBundle ??= workerBundleCode();
  const content = source === undefined ? await workerBundle : Buffer.from(source);
  return files.push(new HeldFile(content)) - 1;
}

/** @param {number} number */
export function heldFile(number) {
  const file = files[number];
  if (!file) throw new Error(`There is no file ${number}.`);
  return file;
}

/** @typedef {NonNullable<import('@web/test-runner').TestRunnerConfig['middleware']>[number]} Middleware */

/**
 * Middleware for @web/test-runner: `/__held/N.js`.
 * @param {Parameters<Middleware>[0]} context
 * @param {Parameters<Middleware>[1]} next
 */
export function serveHeldFiles(context, next) {
  const [, number] = /^\/__held\/(\d+)\.js$/.exec(context.path) ?? [];
  if (number === undefined) return next();
  context.type = 'text/javascript';
  context.set('cache-control', 'no-store');
  context.body = heldFile(Number(number)).serve(context.res);
  return undefined;
}
