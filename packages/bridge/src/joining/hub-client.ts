import { isJsonRpcMessage, type JsonRpcMessage } from '@inpage-mcp/transport';
import { randomBytes } from 'node:crypto';
import { WebSocket } from 'ws';
import { areEqual, decodeBytes, encodeBytes } from '../proof/bytes.js';
import { NONCE_BYTES } from '../proof/pairing.js';
import { processProof } from '../proof/process-proof.js';
import { CloseCode, isObject, type Frame } from '../wire/frames.js';
import { FrameSocket } from '../wire/frame-socket.js';
import { Greeting, GreetingError } from '../wire/greeting.js';
import { watchHeartbeat } from '../wire/heartbeat.js';
import { FRAME_OVERHEAD_BYTES, MAX_PAGE_FRAME_BYTES } from '../wire/limits.js';
import type { HostFacts } from '../wire/messages.js';
import type { BridgeStatus, Entry, EntryHandlers, PageRouter } from '../wire/router.js';

/** Options of a connection to the hub. */
export interface HubClientOptions {
  port: number;
  secret: Uint8Array;
  /** The origins of the pages that the user of this process has configured. */
  expectedOrigins: readonly string[];
  /** The timeout for the hub's answers to pings, in ms. Default: 5 seconds. */
  hubAnswerMs?: number | undefined;
  onstatus: (status: BridgeStatus) => void;
  /** Called once, when the connection to the hub has closed. */
  onclose: () => void;
}

interface Session {
  handlers: EntryHandlers;
  /** The number of times that a page has opened the session. */
  opening: number;
  /** Whether the page does not read fast enough, as the hub reports it. */
  isPressed: boolean;
}

const NOT_A_HUB = 'The program at the port is not a hub.';

/** The process at the port is not a hub of this user. */
export class StrangerError extends Error {
  override readonly name = 'StrangerError';
}

/** Passes the sessions of this process to the hub. */
export class HubClient implements PageRouter {
  readonly #socket: FrameSocket;
  readonly #options: HubClientOptions;
  readonly #sessions = new Map<unknown, Session>();
  #lastId = 0;
  /** Whether the hub itself does not read fast enough. */
  #isPressed = false;

  private constructor(socket: FrameSocket, options: HubClientOptions) {
    this.#socket = socket;
    this.#options = options;
    socket.onframe = (frame) => this.#receive(frame);
    socket.onpressure = (isHigh) => {
      this.#isPressed = isHigh;
      for (const session of this.#sessions.values()) this.#reportPressure(session);
    };
    socket.onclose = () => options.onclose();
  }

  /**
   * Connects to the hub.
   *
   * @throws {StrangerError} if another program has the port. Any other error: the hub has exited or is busy.
   */
  static async connect(options: HubClientOptions): Promise<HubClient> {
    const webSocket = new WebSocket(`ws://127.0.0.1:${options.port}/bridge`, {
      maxPayload: MAX_PAGE_FRAME_BYTES + 2 * FRAME_OVERHEAD_BYTES,
      perMessageDeflate: false,
      handshakeTimeout: CONNECT_TIMEOUT_MS,
    });
    const socket = new FrameSocket(webSocket);
    const greeting = new Greeting(socket);
    await opened(webSocket);
    try {
      await proveEachOther(greeting, options);
    } catch (error) {
      socket.close(CloseCode.WrongProof);
      throw error;
    }
    watchHeartbeat(webSocket, options.hubAnswerMs);
    const frames = greeting.release();
    const client = new HubClient(socket, options);
    for (const frame of frames) socket.onframe?.(frame);
    return client;
  }

  enter(facts: HostFacts, handlers: EntryHandlers): Entry {
    this.#lastId += 1;
    const id = this.#lastId;
    const session: Session = { handlers, opening: 0, isPressed: false };
    this.#sessions.set(id, session);
    if (this.#isPressed) handlers.onpressure(true);
    this.#socket.send('enter', id, facts);
    return {
      send: (message: JsonRpcMessage) => this.#socket.send('m', id, session.opening, message),
      close: () => {
        if (this.#sessions.delete(id)) this.#socket.send('leave', id);
      },
    };
  }

  /** Passes on the user's decision about the pairing with this code. */
  answerPairing(code: string, isAccepted: boolean): void {
    this.#socket.send('answer', code, isAccepted);
  }

  /** Notifies the hub that pairings were deleted from the state file. */
  reportDeletedPairings(): void {
    this.#socket.send('pairings-deleted');
  }

  /** Closes the connection to the hub. */
  close(): void {
    this.#socket.close(CloseCode.GoingAway);
  }

  #receive([kind, first, second, third]: Frame): void {
    if (kind === 'status') return this.#options.onstatus(first as BridgeStatus);
    const session = this.#sessions.get(first);
    if (!session) return;
    const { handlers } = session;
    if (kind === 'opened') {
      session.opening = Number(second);
      handlers.onopened();
    }
    if (kind === 'm' && second === session.opening && isJsonRpcMessage(third))
      handlers.onmessage(third);
    if (kind === 'gone') handlers.ongone();
    if (kind === 'unserved') handlers.onunserved(second === 'refused' ? 'refused' : 'absent');
    if (kind === 'pressure') {
      session.isPressed = second === true;
      this.#reportPressure(session);
    }
  }

  #reportPressure({ handlers, isPressed }: Session): void {
    handlers.onpressure(isPressed || this.#isPressed);
  }
}

/** The timeout for connecting to the hub on this machine, in ms. */
const CONNECT_TIMEOUT_MS = 2_000;

function opened(webSocket: WebSocket): Promise<void> {
  return new Promise((resolve, reject) => {
    webSocket.once('open', () => resolve());
    webSocket.once('error', reject);
    webSocket.once('unexpected-response', (_request, { statusCode }) => {
      webSocket.terminate();
      // Status 503 comes from a hub that has too many connections at the moment.
      reject(statusCode === 503 ? new Error('The hub is busy.') : new StrangerError(NOT_A_HUB));
    });
  });
}

async function proveEachOther(
  greeting: Greeting,
  { port, secret, expectedOrigins }: HubClientOptions,
): Promise<void> {
  const nonce = randomBytes(NONCE_BYTES);
  greeting.send('hello', { version: 1, nonce: encodeBytes(nonce) });
  const [kind, body] = await nextOrStranger(greeting);
  const hubNonce = isObject(body) && decodeBytes(body['nonce'], NONCE_BYTES);
  const proof = isObject(body) && decodeBytes(body['proof'], NONCE_BYTES);
  if (kind !== 'challenge' || !hubNonce || !proof) throw new StrangerError(NOT_A_HUB);
  const facts = { port, nonce, hubNonce };
  if (!areEqual(proof, processProof(secret, 'hub', facts)))
    throw new StrangerError('The hub belongs to another user.');
  greeting.send('proof', encodeBytes(processProof(secret, 'process', facts)), [...expectedOrigins]);
  const [welcome] = await greeting.next();
  if (welcome !== 'welcome') throw new StrangerError('The hub does not accept this process.');
}

/**
 * Reads the next frame. A program that does not answer, or refuses the greeting by its code, is not a hub of
 * this version.
 */
async function nextOrStranger(greeting: Greeting): Promise<Frame> {
  try {
    return await greeting.next(CONNECT_TIMEOUT_MS);
  } catch (error) {
    const isStranger = error instanceof GreetingError && error.code >= 4_400;
    throw isStranger
      ? new StrangerError('The program at the port is not a hub of this version.')
      : error;
  }
}
