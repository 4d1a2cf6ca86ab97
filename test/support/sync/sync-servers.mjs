// Servers that devices meet at, as programs that a test may stop, kill and set back to a backup. Each has
// a folder and ports of its own. Only programs that were started here are ended.
import { execFileSync, spawn } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findNatsServer } from '../../../scripts/browsers/nats-server.mjs';
import { inRoot } from '../../../scripts/project/project.mjs';
import { freePort } from '../../../scripts/serving/free-port.mjs';

/** The password of `user` at each server. */
const PASSWORD = 'secret';

/** How long a server may take until it listens, in milliseconds. */
const START_TIMEOUT_MS = 60_000;

/** @param {number} port */
const listens = (port) =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket.destroy() && true));
    socket.on('error', () => resolve(false));
  });

/** @param {number} timeMs */
const pause = (timeMs) => new Promise((resolve) => setTimeout(resolve, timeMs));

/** A program that listens at a port and has its data in a folder. */
export class SyncServer {
  #folder = mkdtempSync(join(tmpdir(), 'inpage-mcp-sync-'));
  /** The program, while there is one. @type {Set<import('node:child_process').ChildProcess>} */
  #running = new Set();
  /** @type {string[]} */
  #command;
  port;

  /**
   * @param {number} port
   * @param {(folder: string) => string[]} commandIn the program and its arguments
   */
  constructor(port, commandIn) {
    this.port = port;
    this.data = join(this.#folder, 'data');
    mkdirSync(this.data);
    this.#command = commandIn(this.#folder);
  }

  async start() {
    const [file = '', ...args] = this.#command;
    const program = spawn(file, args, { cwd: this.data, stdio: ['ignore', 'ignore', 'pipe'] });
    this.#running.add(program);
    program.once('exit', () => this.#running.delete(program));
    let said = '';
    program.stderr.on('data', (text) => (said = (said + text).slice(-2_000)));
    const endMs = Date.now() + START_TIMEOUT_MS;
    while (!(await listens(this.port))) {
      if (program.exitCode !== null || Date.now() > endMs)
        throw new Error(`${file} does not listen: ${said}`);
      await pause(20);
    }
  }

  /** @param {'SIGTERM' | 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'} signal */
  async end(signal) {
    for (const program of this.#running) {
      const exited = new Promise((resolve) => program.once('exit', resolve));
      program.kill(signal);
      if (signal === 'SIGTERM' || signal === 'SIGKILL') await exited;
    }
  }

  /** Keeps a copy of the data as they are now. */
  async backUp() {
    await this.end('SIGTERM');
    cpSync(this.data, `${this.data}-backup`, { recursive: true });
    await this.start();
  }

  /** Goes back to that copy. */
  async rollBack() {
    await this.end('SIGKILL');
    rmSync(this.data, { recursive: true });
    cpSync(`${this.data}-backup`, this.data, { recursive: true });
    await this.start();
  }

  async remove() {
    await this.end('SIGKILL');
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

export async function couchServer() {
  const port = await freePort();
  const script = join(import.meta.dirname, 'couch-server.mjs');
  return new SyncServer(port, () => [process.execPath, script, String(port), PASSWORD]);
}

/**
 * The room of \`user\`. In an hour of the soak, the pieces of former files are several gigabytes, and how soon
 * they are deleted depends on the machine.
 */
const ROOM = process.env['FAULTS_SOAK'] === undefined ? '1G' : '16G';

/**
 * Whether a nats-server knows `sync_interval: always`; that of Debian 12 does not.
 * @param {string} program
 */
function knowsSyncInterval(program) {
  const said = execFileSync(program, ['--version'], { encoding: 'utf8' });
  const [, major = 0, minor = 0] = /v(\d+)\.(\d+)/.exec(said) ?? [];
  return Number(major) > 2 || Number(minor) >= 12;
}

/**
 * The accounts: of `user`; of `small`, who has room for little; of `reader`, who may write nothing.
 * @param {string} folder
 */
const natsConfiguration = (folder) => `
jetstream { store_dir: "${folder}/data", max_file: 20G, max_mem: 64M }
accounts {
  USER: {
    jetstream: { max_file: ${ROOM}, max_mem: 16M }
    users: [
      { user: user, password: ${PASSWORD} }
      { user: reader, password: ${PASSWORD}, permissions: { publish: { deny: ">" } } }
    ]
  }
  SMALL: { jetstream: { max_file: 300K, max_mem: 16M }, users: [ { user: small, password: ${PASSWORD} } ] }
}
`;

/**
 * Servers of NATS, as one cluster if there are several.
 * @param {number} count
 */
export async function natsServers(count) {
  const program = findNatsServer();
  if (program === undefined) throw new Error('There is no nats-server.');
  const nodes = [];
  for (let node = 0; node < count; node += 1)
    nodes.push({ web: await freePort(), client: await freePort(), route: await freePort() });
  const routes = nodes.map(({ route }) => `"nats-route://127.0.0.1:${route}"`).join(', ');
  return nodes.map(
    ({ web, client, route }, index) =>
      new SyncServer(web, (folder) => {
        const cluster = `cluster { name: C, listen: "127.0.0.1:${route}", routes: [${routes}] }`;
        const configuration = `
server_name: n${index}
listen: "127.0.0.1:${client}"
websocket { listen: "127.0.0.1:${web}", no_tls: true }
${count > 1 ? cluster : ''}
${natsConfiguration(folder)}`;
        writeFileSync(join(folder, 'nats.conf'), configuration);
        return [program, '-c', join(folder, 'nats.conf')];
      }),
  );
}

/** The passwords of the users in the guide; `ada` and `grace` have the one of all. */
const GUIDE_USERS = [`ADA_PASSWORD=${PASSWORD}`, `GRACE_PASSWORD=${PASSWORD}`];

/**
 * A block of the guide, by the name of the file in its first line.
 * @param {string} name
 */
function guideBlock(name) {
  const guide = readFileSync(inRoot('docs/guides/sync.md'), 'utf8');
  const blocks = [...guide.matchAll(/^```\w+\n\S+ (\S+)\n(.*?)^```$/gms)];
  const [, , code] = blocks.find(([, file]) => file === name) ?? [];
  if (code === undefined) throw new Error(`The guide has no ${name}.`);
  return code;
}

/**
 * A text in which each of the words is there, and is replaced.
 * @param {string} text
 * @param {Record<string, string>} words
 */
function withWords(text, words) {
  return Object.entries(words).reduce((all, [from, to]) => {
    if (!all.includes(from)) throw new Error(`The guide has no ${from}.`);
    return all.replaceAll(from, to);
  }, text);
}

/**
 * PouchDB Server as the guide has it.
 * @param {string} origin of the pages that may use it
 */
export async function guideCouchServer(origin) {
  const port = await freePort();
  const words = { 5984: String(port), 'https://app.example': origin };
  const program = withWords(guideBlock('pouchdb-server.mjs'), words);
  return new SyncServer(port, (folder) => {
    symlinkSync(inRoot('node_modules'), join(folder, 'node_modules'));
    writeFileSync(join(folder, 'pouchdb-server.mjs'), program);
    return ['env', ...GUIDE_USERS, process.execPath, join(folder, 'pouchdb-server.mjs')];
  });
}

/**
 * A server of NATS as the guide has it, or its cluster of three.
 * @param {string} origin of the pages that may use it
 * @param {1 | 3} count
 */
export async function guideNatsServers(origin, count) {
  const program = findNatsServer();
  if (program === undefined) throw new Error('There is no nats-server.');
  const nodes = [];
  for (let node = 1; node <= count; node += 1)
    nodes.push({ web: await freePort(), client: await freePort(), route: await freePort() });
  const hosts = nodes.map(({ route }, index) => [
    `sync-${index + 1}.internal:6222`,
    `127.0.0.1:${route}`,
  ]);
  return nodes.map(
    ({ web, client, route }, index) =>
      new SyncServer(web, (folder) => {
        const single = withWords(guideBlock('nats.conf'), {
          'sync-1': `sync-${index + 1}`,
          '127.0.0.1:4222': `127.0.0.1:${client}`,
          '127.0.0.1:8443': `127.0.0.1:${web}`,
          'https://app.example': origin,
          '/var/lib/nats': `${folder}/data`,
          ...(knowsSyncInterval(program) ? {} : { 'sync_interval: always': '' }),
          '100G': '2G',
        });
        const clustered = { ...Object.fromEntries(hosts), '0.0.0.0:6222': `127.0.0.1:${route}` };
        const cluster = count > 1 ? withWords(guideBlock('cluster.conf'), clustered) : '';
        writeFileSync(join(folder, 'nats.conf'), single + cluster);
        return ['env', ...GUIDE_USERS, program, '-c', join(folder, 'nats.conf')];
      }),
  );
}
