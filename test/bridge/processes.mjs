// Bridge processes, and the official clients that use them.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../scripts/serving/free-port.mjs';
import { FakePage, ORIGIN, PageSocket } from './fake-page.mjs';
import { until, within } from './until.mjs';

export const PROGRAM = resolve(import.meta.dirname, '../../packages/bridge/dist/main.js');

/** The program with the deadlines of a place. */
const BRIDGE = fileURLToPath(import.meta.resolve('./program.mjs'));

/** In an hour, no machine is so slow that a page or a hub has not answered. */
const PATIENT = { pageAnswerMs: 3_600_000, hubAnswerMs: 3_600_000 };

/** @typedef {Awaited<ReturnType<typeof newPlace>>} Place a port and a state folder of one test */

/**
 * A port and a state folder of a test, with all processes that are started there; ended with the test.
 * @param {{ after: (end: () => unknown) => void }} test
 * @param {Partial<import('../../packages/bridge/dist/wire/limits.js').Deadlines>} [deadlines]
 */
export async function newPlace(test, deadlines) {
  const folder = mkdtempSync(join(tmpdir(), 'inpage-mcp-bridge-'));
  const port = await freePort();
  /** @type {Set<import('node:child_process').ChildProcess>} */
  const children = new Set();
  /** @type {Set<() => unknown>} */
  const ends = new Set();
  const TEST_DEADLINES = JSON.stringify({ ...PATIENT, ...deadlines });
  const env = { ...process.env, INPAGE_MCP_STATE: folder, HOME: folder, TEST_DEADLINES };
  test.after(async () => {
    for (const end of ends) await end();
    for (const child of children) child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    folder,
    port,
    env,
    /** Something to end with the test. @param {() => unknown} end */
    atEnd: (end) => void ends.add(end),
    /** Starts a bridge process. @param {string[]} args */
    start(...args) {
      const child = spawn(process.execPath, [BRIDGE, '--port', String(port), ...args], {
        env,
        stdio: ['pipe', 'pipe', 'pipe'],
      });
      children.add(child);
      child.on('exit', () => children.delete(child));
      return new BridgeProcess(child);
    },
  };
}

/** A bridge process, whose host is the test. */
export class BridgeProcess {
  stderr = '';
  #stdout = '';
  /** @type {any[]} */
  messages = [];
  /** @type {(() => void)[]} */
  #watchers = [];
  /** @type {number | null | undefined} */
  exitCode;

  /** @param {import('node:child_process').ChildProcessWithoutNullStreams} child */
  constructor(child) {
    this.child = child;
    child.stderr.setEncoding('utf8').on('data', (text) => {
      this.stderr += text;
      this.#wake();
    });
    child.stdout.setEncoding('utf8').on('data', (text) => {
      this.#stdout += text;
      // Not for each part of a long line: it would be copied each time.
      if (!text.includes('\n')) return;
      const lines = this.#stdout.split('\n');
      this.#stdout = lines.pop() ?? '';
      for (const line of lines) this.messages.push(JSON.parse(line));
      this.#wake();
    });
    child.stdin.on('error', () => {});
    child.on('exit', (code) => {
      this.exitCode = code;
      this.#wake();
    });
  }

  /** @param {any} message */
  send(message) {
    this.child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  /** Resolves with the first value that is truthy. @template T @param {() => T | undefined} find @returns {Promise<T>} */
  until(find) {
    const watch = async () => {
      for (;;) {
        const found = find();
        if (found) return found;
        await new Promise((wake) => this.#watchers.push(() => wake(undefined)));
      }
    };
    return within(String(find), watch());
  }

  /** The answer to a request. @param {number | string} id */
  answer(id) {
    const isAnswer = (/** @type {any} */ message) => message.id === id && !message.method;
    return this.until(() => this.messages.find(isAnswer));
  }

  /** Sends a request, and resolves with its answer. @param {number | string} id @param {string} method @param {object} [params] */
  request(id, method, params = {}) {
    this.send({ id, method, params });
    return this.answer(id);
  }

  /** The handshake of a legacy host. @param {object} [capabilities] */
  async initialize(capabilities = {}) {
    const clientInfo = { name: 'test host', version: '1.0.0' };
    const answer = await this.request('init', 'initialize', {
      protocolVersion: '2025-11-25',
      capabilities,
      clientInfo,
    });
    this.send({ method: 'notifications/initialized' });
    return answer;
  }

  #wake() {
    for (const wake of this.#watchers.splice(0)) wake();
  }
}

/** The memory of a process, in MiB: `VmHWM` is the most that it has used. @param {BridgeProcess} process_ @param {string} kind */
export const memory = ({ child }, kind) =>
  Number(
    new RegExp(`${kind}:\\s+(\\d+)`).exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1],
  ) / 1024;

/** Resolves when a bridge listens on a port. @param {number} port */
export async function listening(port) {
  const open = () => PageSocket.open(port).catch(() => undefined);
  const socket = await until(`a bridge listens on port ${port}`, open);
  socket?.close();
  await socket?.closed();
}

/**
 * Pairs a page, which the user of the bridge has configured (`--page`).
 * @param {number} port
 * @param {string} [origin]
 */
export async function pairPage(port, origin = ORIGIN) {
  await listening(port);
  const socket = await PageSocket.open(port, { origin });
  const { finish } = await socket.pair();
  const pairing = await finish();
  await socket.next('welcome');
  socket.close();
  await socket.closed();
  return pairing;
}

/** The origin of the page whose pairing needs no person. */
export const PAGE = ['--page', `${ORIGIN}/notes`];

/** A page that is paired, and serves. @param {Place} place @param {Partial<ConstructorParameters<typeof FakePage>[1]>} [options] */
export async function openPage(place, options) {
  const pairing = await pairPage(place.port);
  const page = new FakePage(place.port, { pairing, ...options });
  place.atEnd(() => page.stop());
  return page.connect();
}

/**
 * A place with such a page.
 * @param {{ after: (end: () => unknown) => void }} t
 * @param {{ deadlines?: Parameters<typeof newPlace>[1], args?: string[] } & Partial<ConstructorParameters<typeof FakePage>[1]>} [options]
 */
export async function startPage(t, { deadlines, args = [], ...options } = {}) {
  const place = await newPlace(t, deadlines);
  const bridge = place.start(...PAGE, ...args);
  const page = await openPage(place, options);
  return { place, bridge, pairing: page.pairing, page };
}

/** The same over HTTP. @param {Parameters<typeof startPage>[0]} t @param {Parameters<typeof startPage>[1]} [options] */
export async function startHttp(t, { args = [], ...options } = {}) {
  const http = ['--http', '--http-port', '0', ...args];
  const started = await startPage(t, { ...options, args: http });
  const { bridge } = started;
  const url = await bridge.until(() => /http:\S+/.exec(bridge.stderr)?.[0]);
  return { ...started, url, httpPort: Number(new URL(url).port) };
}

/**
 * A client of the official SDK, version 2, over HTTP where there is a `url`, else over stdio.
 * @param {Place} place
 * @param {{ args?: string[], mode?: 'auto' | 'legacy', capabilities?: object, name?: string, url?: string | undefined }} [options]
 */
export async function connectSdk(
  place,
  { args = [], mode = 'legacy', capabilities = {}, name = 'sdk host', url } = {},
) {
  const transport = url
    ? new StreamableHTTPClientTransport(new URL(url))
    : new StdioClientTransport({
        command: process.execPath,
        args: [BRIDGE, '--port', String(place.port), ...args],
        env: /** @type {Record<string, string>} */ (place.env),
        stderr: 'ignore',
      });
  const client = new Client(
    { name, version: '1.0.0' },
    { capabilities, ...(mode === 'auto' && { versionNegotiation: { mode } }) },
  );
  place.atEnd(() => client.close());
  await client.connect(transport);
  return { client, transport };
}

/** The text of a result. @param {any} result @returns {string} */
export const textOf = ({ content }) => content[0].text;

/** The names of all tools. @param {Client} client */
export async function toolNames(client) {
  const { tools } = await client.listTools();
  return tools.map(({ name }) => name);
}

/** The addresses of resources of whose changes a client was notified, from now on. @param {Client} client */
export function updatesOf(client) {
  /** @type {string[]} */
  const uris = [];
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
    uris.push(params.uri);
  });
  return uris;
}
