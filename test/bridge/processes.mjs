// Bridge processes, and the official clients that use them.
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { PageSocket, ORIGIN } from './fake-page.mjs';

export const PROGRAM = resolve(import.meta.dirname, '../../packages/bridge/dist/main.js');

/** A port that nobody uses. @returns {Promise<number>} */
export function freePort() {
  return new Promise((settle) => {
    const server = createServer();
    server.listen(0, '127.0.0.1', () => {
      const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
      server.close(() => settle(port));
    });
  });
}

/** @typedef {Awaited<ReturnType<typeof newPlace>>} Place a port and a state folder of one test */

/**
 * A port and a state folder of a test, with all processes that are started there; ended with the test.
 * @param {{ after: (end: () => unknown) => void }} test
 */
export async function newPlace(test) {
  const folder = mkdtempSync(join(tmpdir(), 'inpage-mcp-bridge-'));
  const port = await freePort();
  /** @type {Set<import('node:child_process').ChildProcess>} */
  const children = new Set();
  /** @type {Set<() => unknown>} */
  const ends = new Set();
  const env = { ...process.env, INPAGE_MCP_STATE: folder, HOME: folder };
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
      const child = spawn(process.execPath, [PROGRAM, '--port', String(port), ...args], {
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

  /** Resolves with a value once there is one. @template T @param {() => T} find */
  async until(find) {
    for (;;) {
      const found = find();
      if (found) return found;
      await new Promise((wake) => this.#watchers.push(() => wake(undefined)));
    }
  }

  /** The answer to a request. @param {number | string} id */
  answer(id) {
    return this.until(() => this.messages.find((message) => message.id === id && !message.method));
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

/** Resolves when something listens on a port. @param {number} port */
export async function listening(port) {
  for (;;) {
    try {
      const socket = await PageSocket.open(port);
      socket.close();
      await socket.closed();
      return;
    } catch {
      await new Promise((wake) => setTimeout(wake, 20));
    }
  }
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

/**
 * A client of the official SDK, version 2, over stdio.
 * @param {Place} place
 * @param {{ args?: string[], mode?: 'auto' | 'legacy', capabilities?: object, name?: string }} [options]
 */
export async function connectSdk(
  place,
  { args = [], mode = 'legacy', capabilities = {}, name = 'sdk host' } = {},
) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [PROGRAM, '--port', String(place.port), ...args],
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
