// A page without a browser: it speaks the page's side of the wire with Node's crypto, and serves a real
// server of @inpage-mcp/protocol on ports. It is written from the design alone, and shares no code with
// the bridge.
import { createECDH, createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { notesServer } from './notes-server.mjs';
import { within } from './until.mjs';

export const ORIGIN = 'https://notes.example';

/** @typedef {{ id: string, key: Buffer }} PagePairing */

const b64 = (/** @type {Buffer | Uint8Array} */ bytes) => Buffer.from(bytes).toString('base64url');
const bytesOf = (/** @type {string} */ text) => Buffer.from(text, 'base64url');

/** Strings with their length, binary data as it is. @param {(string | Uint8Array)[]} parts */
function joined(parts) {
  const all = parts.map((part) => {
    if (typeof part !== 'string') return part;
    const length = Buffer.alloc(4);
    length.writeUInt32BE(Buffer.byteLength(part));
    return Buffer.concat([length, Buffer.from(part)]);
  });
  return Buffer.concat(all);
}

/** @param {(string | Uint8Array)[]} parts */
const sha256 = (...parts) => createHash('sha256').update(joined(parts)).digest();

/** @param {Uint8Array} key @param {(string | Uint8Array)[]} parts */
export const hmac = (key, ...parts) => createHmac('sha256', key).update(joined(parts)).digest();

/** One socket of a page, frame by frame. */
export class PageSocket {
  /** @type {any[][]} */
  #frames = [];
  /** @type {(() => void)[]} */
  #wakers = [];
  /** The code with which the socket was closed. @type {number | undefined} */
  closeCode;
  /** The number of the next frame that the page sends. */
  nextNumber = 1;
  #received = 0;
  /** Called with each frame that nobody waits for. @type {((frame: any[]) => void) | undefined} */
  onframe;

  /** @param {WebSocket} socket @param {{ port: number, origin: string }} facts */
  constructor(socket, { port, origin }) {
    this.socket = socket;
    this.port = port;
    this.origin = origin;
    socket.on('message', (data) => {
      const [number, ...frame] = JSON.parse(/** @type {Buffer} */ (data).toString());
      this.#received += 1;
      if (number !== this.#received) throw new Error(`Frame ${this.#received} has ${number}.`);
      if (this.onframe) this.onframe(frame);
      else this.#frames.push(frame);
      this.#wake();
    });
    socket.on('close', (code) => {
      this.closeCode = code;
      this.#wake();
    });
    socket.on('error', () => {});
  }

  /**
   * @param {number} port
   * @param {{ origin?: string, headers?: Record<string, string>, path?: string, host?: string }} [options]
   */
  static async open(port, { origin = ORIGIN, headers = {}, path = '/page' } = {}) {
    const all = { ...(origin && { origin }), ...headers };
    const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, { headers: all, maxPayload: 0 });
    const opened = new PageSocket(socket, { port, origin });
    await within('the socket of a page is open', once(socket, 'open'));
    return opened;
  }

  /** @param {any[]} frame */
  send(...frame) {
    this.sendText(JSON.stringify([this.nextNumber, ...frame]));
  }

  /** Sends a frame with its number. @param {string | Buffer} text */
  sendText(text) {
    this.nextNumber += 1;
    this.socket.send(text);
  }

  /** The next frame of one of these kinds; others are dropped. @param {string[]} kinds */
  next(...kinds) {
    return within(`a frame comes: ${kinds.join(' or ')}`, this.#next(kinds));
  }

  /** @param {string[]} kinds */
  async #next(kinds) {
    for (;;) {
      for (let frame = this.#frames.shift(); frame; frame = this.#frames.shift())
        if (kinds.length === 0 || kinds.includes(frame[0])) return frame;
      if (this.closeCode !== undefined)
        throw new Error(`The socket was closed (${this.closeCode}).`);
      await new Promise((resolve) => this.#wakers.push(() => resolve(undefined)));
    }
  }

  /** Resolves with the code once the socket is closed. */
  closed() {
    return within('the socket of a page is closed', this.ended());
  }

  /** The same, however long it is open. */
  async ended() {
    while (this.closeCode === undefined)
      await new Promise((resolve) => this.#wakers.push(() => resolve(undefined)));
    return this.closeCode;
  }

  /** What was received and not read. */
  takeFrames() {
    return this.#frames.splice(0);
  }

  close() {
    this.socket.close();
  }

  #wake() {
    for (const wake of this.#wakers.splice(0)) wake();
  }

  /**
   * Begins a pairing.
   * @returns {Promise<{ code: string, host: string, finish: () => Promise<PagePairing>, refuse: () => void }>}
   */
  async pair() {
    this.send('pair', { version: 1 });
    const [kind, commit] = await this.next('commit', 'busy', 'refuse');
    if (kind !== 'commit') throw new Error(`The bridge says "${kind}".`);
    const ecdh = createECDH('prime256v1');
    const pubP = ecdh.generateKeys();
    const nP = randomBytes(32);
    this.send('key', { key: b64(pubP), nonce: b64(nP) });
    const [, reveal] = await this.next('reveal');
    const pubB = bytesOf(reveal.key);
    const nB = bytesOf(reveal.nonce);
    if (b64(sha256('commit', pubB, nB)) !== commit.commitment)
      throw new Error('Not what was committed.');
    const { origin, port } = this;
    const transcript = sha256(pubB, pubP, nB, nP, origin, String(port));
    const hash = sha256('code', transcript);
    const digits = String(hash.readBigUInt64BE() % 1_000_000n).padStart(6, '0');
    const info = 'inpage-mcp bridge 1';
    const key = Buffer.from(hkdfSync('sha256', ecdh.computeSecret(pubB), transcript, info, 32));
    const id = b64(sha256('id', key).subarray(0, 12));
    return {
      code: `${digits.slice(0, 3)} ${digits.slice(3)}`,
      host: commit.host,
      refuse: () => this.send('refuse'),
      finish: async () => {
        this.send('agree', b64(hmac(key, 'agree page', transcript)));
        const [answer, proof] = await this.next('agreed', 'refuse');
        if (answer !== 'agreed') throw new Error(`The bridge says "${answer}".`);
        if (proof !== b64(hmac(key, 'agree bridge', transcript))) throw new Error('A wrong proof.');
        return { id, key };
      },
    };
  }

  /**
   * Proves that the page is paired, and checks the bridge's proof.
   * @param {PagePairing} pairing
   */
  async prove({ id, key }) {
    const nP = randomBytes(32);
    this.send('hello', { version: 1, nonce: b64(nP), pairing: id });
    const [kind, challenge] = await this.next('challenge', 'unknown');
    if (kind === 'unknown') throw new Error('The bridge does not know this pairing.');
    const facts = [id, this.origin, String(this.port), nP, bytesOf(challenge.nonce)];
    if (challenge.proof !== b64(hmac(key, 'bridge', ...facts))) throw new Error('Not the bridge.');
    this.send('proof', b64(hmac(key, 'page', ...facts)));
    await this.next('welcome');
  }
}

/** @typedef {'opened' | 'refused' | 'busy' | undefined} Answer */

/** @typedef {(host: { name: string, version?: string }) => Answer | Promise<Answer>} Access */

/** A page that is paired: it connects, serves sessions after `serve`, and connects again. */
export class FakePage {
  /** The names of the hosts that were offered. @type {string[]} */
  offered = [];
  /** The sessions that are open. @type {Map<number, MessagePort>} */
  sessions = new Map();
  /** @type {'serve' | 'rest' | undefined} */
  role;
  /** @type {PageSocket | undefined} */
  socket;
  isFrozen = false;
  /** What has arrived while it was frozen. @type {any[][]} */
  #unread = [];
  /** The methods of the messages of hosts. @type {string[]} */
  received = [];
  /** Called with each answer of a host. @type {((message: any) => void) | undefined} */
  onanswer;
  #isStopped = false;
  /** @type {(() => void)[]} */
  #watchers = [];

  /**
   * @param {number} port
   * @param {{ pairing: PagePairing, origin?: string, server?: ReturnType<typeof notesServer>, access?: Access, reconnects?: boolean }} options
   */
  constructor(
    port,
    {
      pairing,
      origin = ORIGIN,
      server = notesServer(),
      access = () => 'opened',
      reconnects = true,
    },
  ) {
    this.port = port;
    this.pairing = pairing;
    this.origin = origin;
    this.server = server;
    this.access = access;
    this.reconnects = reconnects;
  }

  /** Connects; resolves when the hub has said whether this page serves. */
  async connect() {
    void this.#dial();
    await this.until(() => this.role !== undefined);
    return this;
  }

  /** Resolves when a condition holds. @param {() => boolean} condition */
  until(condition) {
    const watch = async () => {
      while (!condition())
        await new Promise((resolve) => this.#watchers.push(() => resolve(undefined)));
    };
    return within(String(condition), watch());
  }

  /** Reads the frames that have arrived while it was frozen, as a tab does that is shown again. */
  thaw() {
    this.isFrozen = false;
    for (const frame of this.#unread.splice(0)) this.#receive(frame);
  }

  /** The socket breaks, as when the tab is killed. */
  kill() {
    this.stop();
    this.socket?.socket.terminate();
  }

  stop() {
    this.#isStopped = true;
    this.socket?.close();
  }

  /** Says something of a session. @param {string} kind @param {number} session @param {any[]} content */
  say(kind, session, ...content) {
    if (kind !== 'm') this.#end(session);
    this.socket?.send(kind, session, ...content);
  }

  async #dial() {
    for (let attempt = 0; !this.#isStopped; attempt += 1) {
      try {
        const socket = await PageSocket.open(this.port, { origin: this.origin });
        this.socket = socket;
        if (this.#isStopped) return socket.close();
        await socket.prove(this.pairing);
        attempt = 0;
        for (const frame of socket.takeFrames()) this.#receive(frame);
        socket.onframe = (frame) => this.#receive(frame);
        await socket.ended();
      } catch {
        // The hub has gone, or is not there yet.
      }
      this.role = undefined;
      for (const session of this.sessions.keys()) this.#end(session);
      if (!this.reconnects) return;
      await delay(Math.min(250 * 2 ** attempt, 2_000) * (0.5 + Math.random() / 2));
    }
  }

  /** @param {any[]} frame */
  #receive(frame) {
    if (this.isFrozen) return void this.#unread.push(frame);
    const [kind, first, second] = frame;
    if (kind === 'ping') this.socket?.send('pong', first);
    if (kind === 'serve' || kind === 'rest') this.role = kind;
    if (kind === 'rest') for (const session of this.sessions.keys()) this.#end(session);
    if (kind === 'open') void this.#open(first, second);
    if (kind === 'm') this.received.push(second.method);
    if (kind === 'm' && !second.method) this.onanswer?.(second);
    if (kind === 'm') this.sessions.get(first)?.postMessage(second);
    if (kind === 'close') this.#end(first);
    for (const wake of this.#watchers.splice(0)) wake();
  }

  /** @param {number} session @param {{ name: string }} host */
  async #open(session, host) {
    this.offered.push(host.name);
    const answer = await this.access(host);
    const { socket } = this;
    if (answer === undefined || !socket) return;
    if (answer !== 'opened') return socket.send('refused', session, answer);
    const { port1, port2 } = new MessageChannel();
    this.sessions.set(session, port1);
    this.server.serve(port2);
    port1.addEventListener('message', ({ data }) => {
      if (data === null || this.isFrozen) return;
      if (this.sessions.get(session) === port1) socket.send('m', session, data);
    });
    port1.start();
    socket.send('opened', session);
    for (const wake of this.#watchers.splice(0)) wake();
  }

  /** @param {number} session */
  #end(session) {
    this.sessions.get(session)?.postMessage(null);
    this.sessions.get(session)?.close();
    this.sessions.delete(session);
  }
}
