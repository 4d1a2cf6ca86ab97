// The hub's side of the wire between page and bridge, for tests of the page: it keeps to the wire, or
// breaks it as a test says. Written with node:crypto, and without the code of the page and the bridge.
import {
  createECDH,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';
import { createServer } from 'node:http';
import { WebSocketServer } from 'ws';

/**
 * A message: its kind, and its values.
 * @typedef {[kind: string, ...values: any[]]} Frame
 *
 * What it does otherwise than it should.
 * @typedef {object} Faults
 * @property {'wrong' | 'replayed' | 'other port' | 'other origin' | 'malformed'} [proof]
 * @property {'wrong' | 'malformed'} [commitment]
 * @property {'wrong' | 'malformed'} [key]
 * @property {'busy' | 'refuse' | 'late' | 'wrong' | 'early' | 'other port'} [agreement] `late`: until `agree` is
 *   called; `other port`: as a bridge whose messages a program relays, and whose user accepts the other code
 * @property {string} [silentTo] the kind of frame that gets no answer
 * @property {boolean} [rests] another page serves
 *
 * One connection of a page.
 * @typedef {object} Connection
 * @property {import('ws').WebSocket} socket
 * @property {string} origin
 * @property {{ [name: string]: Buffer }} said the values of the handshake
 * @property {{ id: string, key: Buffer } | undefined} pairing
 * @property {number} sent how many frames were sent
 * @property {number} received how many frames were received
 */

/** @param {string} text */
function withLength(text) {
  const bytes = Buffer.from(text);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

/** @param {(string | Buffer)[]} values */
const join = (values) =>
  Buffer.concat(values.map((value) => (typeof value === 'string' ? withLength(value) : value)));

/** @param {(string | Buffer)[]} values */
const hash = (...values) => createHash('sha256').update(join(values)).digest();

/** @param {Buffer} key @param {(string | Buffer)[]} values */
const mac = (key, ...values) => createHmac('sha256', key).update(join(values)).digest();

/** @param {unknown} text */
const decode = (text) => Buffer.from(String(text), 'base64url');

/** How long a test waits for a frame. */
const PATIENCE_MS = 60_000;

/** One hub. */
export class FakeHub {
  /** @type {Faults} */
  faults = {};
  /** The code of the last pairing. */
  code = '';
  /** Who waits for a pairing. */
  host = 'Claude Desktop';
  port = 0;
  /** How many sockets have been opened. */
  connections = 0;
  /** The code that the page closed the last socket with. @type {number | undefined} */
  closeCode;
  /** By their id. @type {Map<string, { origin: string, key: Buffer }>} */
  #pairings = new Map();
  /** What pages have sent and no test has taken. @type {Frame[]} */
  #frames = [];
  /** @type {Set<() => void>} */
  #waiters = new Set();
  /** @type {Connection | undefined} */
  #last;
  /** The last frame that was sent. */
  #sentText = '';
  /** The last right proof. @type {string | undefined} */
  #oldProof;
  /** @type {import('node:http').Server | undefined} */
  #server;

  /** @param {number} [port] */
  async listen(port = this.port) {
    const server = createServer((_, response) => void response.writeHead(404).end());
    const sockets = new WebSocketServer({
      server,
      verifyClient: (/** @type {{ req: import('node:http').IncomingMessage }} */ { req }) =>
        /^\/page\/[\w.-]+$/.test(req.url ?? ''),
      maxPayload: 2 ** 27,
    });
    sockets.on('connection', (socket, { headers }) => this.#accept(socket, headers.origin ?? ''));
    // The server reports it, too.
    sockets.on('error', () => undefined);
    await new Promise((resolve, reject) => {
      server.on('error', reject);
      server.listen(port, '127.0.0.1', () => resolve(undefined));
    });
    const address = /** @type {import('node:net').AddressInfo} */ (server.address());
    this.port = address.port;
    this.#server = server;
  }

  /** Ends, as a process that is killed. */
  async stop() {
    const server = this.#server;
    this.#server = undefined;
    this.#last?.socket.terminate();
    await new Promise((resolve) => {
      if (!server) return resolve(undefined);
      server.close(resolve);
      server.closeAllConnections();
    });
  }

  /** As when it was made, except that it listens. */
  reset() {
    this.#pairings.clear();
    this.#frames = [];
    this.faults = {};
    this.connections = 0;
  }

  /** Forgets all pairings, as a bridge whose state was deleted. */
  forgetPairings() {
    this.#pairings.clear();
  }

  /** Of the frames that no test has taken. */
  get kinds() {
    return this.#frames.map(([kind]) => kind);
  }

  get pairings() {
    return this.#pairings.size;
  }

  /** @param {Frame} frame */
  send(...frame) {
    if (this.#last) this.#send(this.#last, ...frame);
  }

  /** Sends a text as a frame. @param {string} text `N` in it is the number of the frame */
  sendText(text) {
    if (!this.#last) return;
    this.#last.sent += 1;
    this.#sentText = text.replace('N', String(this.#last.sent));
    this.#last.socket.send(this.#sentText);
  }

  /** Sends the last frame again, with its number. */
  repeat() {
    this.#last?.socket.send(this.#sentText);
  }

  /** Sends a frame of this many characters. @param {number} length */
  sendLong(length) {
    const number = String((this.#last?.sent ?? 0) + 1);
    this.sendText(`[N,"long","${'x'.repeat(length - number.length - '[,"long",""]'.length)}"]`);
  }

  /** @param {Connection} connection @param {Frame} frame */
  #send(connection, ...frame) {
    connection.sent += 1;
    this.#sentText = JSON.stringify([connection.sent, ...frame]);
    connection.socket.send(this.#sentText);
  }

  /** @param {number} code */
  close(code) {
    this.#last?.socket.close(code);
  }

  /** Reads nothing more. */
  pause() {
    this.#last?.socket.pause();
  }

  resume() {
    this.#last?.socket.resume();
  }

  /** Agrees to a pairing that was to be late. */
  agree() {
    if (this.#last) this.#agree(this.#last);
  }

  /**
   * Whether a page has sent such a frame.
   * @param {string} kind
   * @param {string} [id] of the request that it answers
   */
  has(kind, id) {
    return this.#indexOf(kind, id) >= 0;
  }

  /** @param {string} kind @param {string} [id] */
  #indexOf(kind, id) {
    return this.#frames.findIndex(
      ([one, , message]) => one === kind && (id === undefined || message?.id === id),
    );
  }

  /**
   * Takes the next frame of a kind that a page has sent, or sends in time.
   * @param {string} kind
   * @param {string} [id] of the request that it answers
   * @returns {Promise<Frame>}
   */
  async next(kind, id) {
    let timer;
    /** @type {Promise<never>} */
    const late = new Promise((_resolve, reject) => {
      const seen = () => this.#frames.map(([one]) => one).join(', ');
      const fail = () => reject(new Error(`No "${kind}" came. There are: ${seen()}.`));
      timer = setTimeout(fail, PATIENCE_MS);
    });
    try {
      return await Promise.race([this.#take(kind, id), late]);
    } finally {
      clearTimeout(timer);
    }
  }

  /**
   * The length of such a frame as JSON: for what is too long to be sent on.
   * @param {string} kind
   * @param {string} id
   */
  async nextLength(kind, id) {
    return JSON.stringify(await this.next(kind, id)).length;
  }

  /** @param {string} kind @param {string} [id] @returns {Promise<Frame>} */
  #take(kind, id) {
    return new Promise((resolve) => {
      const look = () => {
        const index = this.#indexOf(kind, id);
        const [frame] = index < 0 ? [] : this.#frames.splice(index, 1);
        if (!frame) return;
        this.#waiters.delete(look);
        resolve(frame);
      };
      this.#waiters.add(look);
      look();
    });
  }

  /** @param {import('ws').WebSocket} socket @param {string} origin */
  #accept(socket, origin) {
    /** @type {Connection} */
    const connection = { socket, origin, said: {}, pairing: undefined, sent: 0, received: 0 };
    this.#last = connection;
    this.connections += 1;
    this.closeCode = undefined;
    socket.on('error', () => undefined);
    socket.on('close', (code) => {
      if (this.#last === connection) this.closeCode = code;
      this.#add(['closed', code]);
    });
    socket.on('message', (data) => {
      try {
        const [number, ...frame] = JSON.parse(/** @type {Buffer} */ (data).toString());
        connection.received += 1;
        if (number !== connection.received) throw new Error(`A frame has the number ${number}.`);
        this.#receive(connection, frame);
      } catch (error) {
        // A page that does not keep to the wire fails its test, and not all of them.
        console.error(error);
        socket.close(1011);
      }
    });
  }

  /** @param {Frame} frame */
  #add(frame) {
    this.#frames.push(frame);
    for (const waiter of this.#waiters) waiter();
  }

  /** @param {Connection} connection @param {Frame} frame */
  #receive(connection, frame) {
    const [kind, value] = frame;
    this.#add(frame);
    if (this.faults.silentTo === kind) return;
    if (kind === 'hello') this.#challenge(connection, value);
    else if (kind === 'proof') this.#welcome(connection, value);
    else if (kind === 'pair') this.#commit(connection);
    else if (kind === 'key') this.#reveal(connection, value);
    else if (kind === 'agree') this.#check(connection, value);
    else if (kind === 'forget' && connection.pairing) {
      this.#pairings.delete(connection.pairing.id);
      connection.socket.close(4401);
    }
  }

  /** @param {Connection} connection @param {any} hello */
  #challenge(connection, { nonce, pairing: id }) {
    const { origin, said } = connection;
    const pairing = this.#pairings.get(id);
    if (!pairing || pairing.origin !== origin) {
      this.#send(connection, 'unknown');
      return;
    }
    const { key } = pairing;
    connection.pairing = { id, key };
    said['page'] = decode(nonce);
    said['bridge'] = randomBytes(32);
    let proof = this.#proofOf(connection, 'bridge').toString('base64url');
    const old = this.#oldProof;
    this.#oldProof = proof;
    const isOther = this.faults.proof;
    if (isOther === 'wrong') proof = randomBytes(32).toString('base64url');
    if (isOther === 'replayed') proof = old ?? '';
    if (isOther === 'malformed') proof = '?';
    if (isOther === 'other port')
      proof = this.#proofOf(connection, 'bridge', { port: 1 }).toString('base64url');
    if (isOther === 'other origin')
      proof = this.#proofOf(connection, 'bridge', { origin: 'https://other.example' }).toString(
        'base64url',
      );
    const answer = { nonce: said['bridge'].toString('base64url'), pairing: id, proof };
    this.#send(connection, 'challenge', answer);
  }

  /**
   * @param {Connection} connection
   * @param {string} side
   * @param {{ port?: number, origin?: string }} [other] what it is not
   */
  #proofOf({ origin, said, pairing }, side, other = {}) {
    const { page, bridge } = said;
    if (!page || !bridge || !pairing) throw new Error('There is nothing to prove.');
    const port = String(other.port ?? this.port);
    return mac(pairing.key, side, pairing.id, other.origin ?? origin, port, page, bridge);
  }

  /** @param {Connection} connection @param {unknown} proof */
  #welcome(connection, proof) {
    const given = decode(proof);
    const expected = this.#proofOf(connection, 'page');
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
      connection.socket.close(4401);
      return;
    }
    this.#start(connection);
  }

  /** @param {Connection} connection */
  #start(connection) {
    this.#send(connection, 'welcome', { hosts: [] });
    this.#send(connection, this.faults.rests ? 'rest' : 'serve');
  }

  /** @param {Connection} connection */
  #commit(connection) {
    const { socket, said } = connection;
    if (this.faults.agreement === 'busy') {
      this.#send(connection, 'busy', { seconds: 600 });
      socket.close();
      return;
    }
    const curve = createECDH('prime256v1');
    said['bridgeKey'] = curve.generateKeys();
    said['private'] = curve.getPrivateKey();
    said['bridge'] = randomBytes(32);
    let commitment = hash('commit', said['bridgeKey'], said['bridge']).toString('base64url');
    if (this.faults.commitment === 'wrong') commitment = randomBytes(32).toString('base64url');
    if (this.faults.commitment === 'malformed') commitment = /** @type {any} */ (5);
    this.#send(connection, 'commit', { commitment, host: this.host });
  }

  /** @param {Connection} connection @param {any} value */
  #reveal(connection, { key, nonce }) {
    const { origin, said } = connection;
    said['pageKey'] = decode(key);
    said['page'] = decode(nonce);
    const { bridgeKey, bridge, pageKey, page } = said;
    if (!bridgeKey || !bridge) throw new Error('There was no pair before.');
    let shown = bridgeKey;
    if (this.faults.key === 'wrong') shown = createECDH('prime256v1').generateKeys();
    if (this.faults.key === 'malformed') shown = Buffer.alloc(65, 4);
    const values = { key: shown.toString('base64url'), nonce: bridge.toString('base64url') };
    const port = this.faults.agreement === 'other port' ? 1 : this.port;
    said['transcript'] = hash(bridgeKey, pageKey, bridge, page, origin, String(port));
    const code = hash('code', said['transcript']);
    this.code = String(code.readBigUInt64BE(0) % 1_000_000n)
      .padStart(6, '0')
      .replace(/^.../, '$& ');
    this.#send(connection, 'reveal', values);
    if (this.faults.agreement === 'early')
      this.#send(connection, 'agreed', randomBytes(32).toString('base64url'));
  }

  /** @param {Connection} connection @param {unknown} agreement */
  #check(connection, agreement) {
    const { said, socket } = connection;
    const { pageKey, transcript, private: privateKey } = said;
    if (!pageKey || !transcript || !privateKey) throw new Error('Too early.');
    const curve = createECDH('prime256v1');
    curve.setPrivateKey(privateKey);
    const info = 'inpage-mcp bridge 1';
    const key = Buffer.from(hkdfSync('sha256', curve.computeSecret(pageKey), transcript, info, 32));
    const { agreement: fault } = this.faults;
    const isRight = decode(agreement).equals(mac(key, 'agree page', transcript));
    if (!isRight && fault !== 'other port') {
      socket.close(4401);
      return;
    }
    const id = hash('id', key).subarray(0, 12).toString('base64url');
    connection.pairing = { id, key };
    if (fault === 'refuse') {
      this.#send(connection, 'refuse');
      socket.close();
    } else if (fault !== 'late') this.#agree(connection);
  }

  /** @param {Connection} connection */
  #agree(connection) {
    const { pairing, said, origin } = connection;
    const { transcript } = said;
    if (!pairing || !transcript) throw new Error('The page has not agreed.');
    const label = this.faults.agreement === 'wrong' ? 'agree page' : 'agree bridge';
    const agreed = mac(pairing.key, label, transcript).toString('base64url');
    this.#pairings.set(pairing.id, { origin, key: pairing.key });
    this.#send(connection, 'agreed', agreed);
    this.#start(connection);
  }
}
