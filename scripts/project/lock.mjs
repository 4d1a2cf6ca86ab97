// A lock among processes, such as two npm scripts that are started at the same time in a fresh clone. The
// process that listens on the socket has the lock, so the lock ends with its process, even after a crash.
// Uses only Node's own modules, because it is needed before anything is installed.
import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './project.mjs';

/**
 * The address of a socket, one for each checkout.
 * @param {string} name
 */
function socketPath(name) {
  const hash = createHash('sha256').update(root).digest('hex').slice(0, 16);
  const file = `inpage-mcp-${name}-${hash}`;
  if (process.platform === 'win32') return `\\\\.\\pipe\\${file}`;
  // An abstract socket leaves no file behind.
  return process.platform === 'linux' ? `\0${file}` : join(tmpdir(), `${file}.sock`);
}

/**
 * Resolves to the server that has the lock, or to undefined if another process has it.
 * @param {string} path
 * @returns {Promise<import('node:net').Server | undefined>}
 */
const tryLock = (path) =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (/** @type {NodeJS.ErrnoException} */ error) =>
      error.code === 'EADDRINUSE' ? resolve(undefined) : reject(error),
    );
    server.listen(path, () => resolve(server));
  });

/**
 * Resolves when the process that has the lock releases it, or dies.
 * @param {string} path
 * @returns {Promise<void>}
 */
const released = (path) =>
  new Promise((resolve) => {
    const socket = connect(path);
    socket.on('error', (/** @type {NodeJS.ErrnoException} */ error) => {
      // The file belonged to a process that was killed.
      if (error.code === 'ECONNREFUSED' && !path.startsWith('\0')) rmSync(path, { force: true });
    });
    socket.on('close', () => resolve());
  });

/**
 * Runs a function while no other process of this checkout has the same lock.
 * @template Value
 * @param {string} name
 * @param {() => Promise<Value>} run
 * @returns {Promise<Value>}
 */
export async function withLock(name, run) {
  const path = socketPath(name);
  const server = await tryLock(path);
  if (server === undefined) {
    await released(path);
    return withLock(name, run);
  }
  /** @type {Set<import('node:net').Socket>} */
  const waiting = new Set();
  server.on('connection', (socket) => waiting.add(socket));
  try {
    return await run();
  } finally {
    server.close();
    for (const socket of waiting) socket.destroy();
  }
}
