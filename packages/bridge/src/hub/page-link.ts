import { isJsonRpcMessage, type JsonRpcMessage } from '@inpage-mcp/transport';
import type { Pairing } from '../state/state-file.js';
import { CloseCode, type Frame } from '../wire/frames.js';
import type { FrameSocket } from '../wire/frame-socket.js';
import { DEADLINES, MAX_HOST_MESSAGE_BYTES } from '../wire/limits.js';
import type { HostFacts } from '../wire/messages.js';

/** The intervals of the hub's pings, in ms: for a page with sessions, and for a page without sessions. */
const BUSY_PING_MS = 1_000;
const IDLE_PING_MS = 15_000;

/** The maximum delay of the timer for an answer, in ms; if it fires later than that, it starts once more. */
const LATE_MS = 500;

/**
 * The maximum number of hosts in a welcome: it is the last frame of the greeting, and such frames must be
 * short.
 */
const MAX_WELCOMED_HOSTS = 5;

/** The reason why a session has ended or was not opened, as the page reports it. */
export type SessionEnd = 'closed' | 'revoked' | 'refused' | 'failed';

/** Listeners of a page. */
export interface PageLinkHandlers {
  onopened(session: number): void;
  onmessage(session: number, message: JsonRpcMessage): void;
  onend(session: number, how: SessionEnd): void;
  /** The page requests the sessions again that it has refused. */
  onoffer(): void;
  /** The user has ended the pairing. */
  onforget(): void;
  /** The page does not answer (`false`), or answers again (`true`). */
  onalive(isAlive: boolean): void;
  onpressure(isHigh: boolean): void;
  onclose(): void;
}

/** A page that has proved that it is paired. */
export class PageLink {
  readonly pairing: Pairing;
  /** Whether the page answers pings. */
  isAlive = true;
  /** The time when the user last looked at the page, in ms of a monotonic clock. */
  visibleAt = performance.now();
  readonly #socket: FrameSocket;
  readonly #handlers: PageLinkHandlers;
  readonly #answerMs: number;
  readonly #sessions = new Set<number>();
  #lastPing = 0;
  #pingTimer: NodeJS.Timeout | undefined;
  #pongTimer: NodeJS.Timeout | undefined;

  /** @param answerMs The timeout for the page's answer to a ping, in ms. */
  constructor(
    socket: FrameSocket,
    pairing: Pairing,
    handlers: PageLinkHandlers,
    answerMs: number = DEADLINES.pageAnswerMs,
  ) {
    this.#answerMs = answerMs;
    this.#socket = socket;
    this.pairing = pairing;
    this.#handlers = handlers;
    // A message may be longer than it was when the host sent it: `JSON.stringify` writes `1e20` with 21
    // digits.
    socket.maxSentLength = MAX_HOST_MESSAGE_BYTES;
    socket.onframe = (frame) => this.#receive(frame);
    socket.onpressure = (isHigh) => handlers.onpressure(isHigh);
    socket.onclose = () => {
      clearTimeout(this.#pingTimer);
      clearTimeout(this.#pongTimer);
      handlers.onclose();
    };
    this.#schedulePing();
  }

  /** Confirms the pairing, and names hosts that want to be served. */
  welcome(hosts: readonly HostFacts[]): void {
    this.#socket.send('welcome', { hosts: hosts.slice(0, MAX_WELCOMED_HOSTS) });
  }

  /** Notifies the page whether it serves. A page that does not serve has no sessions. */
  setServing(isServing: boolean): void {
    this.#socket.send(isServing ? 'serve' : 'rest');
    if (!isServing) this.#sessions.clear();
  }

  /** Offers a session. */
  open(session: number, facts: HostFacts): void {
    this.#sessions.add(session);
    this.#socket.send('open', session, facts);
    if (this.#sessions.size === 1) this.#schedulePing();
  }

  /** @throws {RangeError} if the message is nested too deep, or too long for a page. */
  send(session: number, message: JsonRpcMessage): void {
    this.#socket.send('m', session, message);
  }

  /** Ends a session. */
  end(session: number): void {
    if (this.#sessions.delete(session)) this.#socket.send('close', session);
  }

  /** Closes the socket. */
  close(code: number): void {
    this.#socket.close(code);
  }

  #receive([kind, first, second]: Frame): void {
    if (kind === 'pong') return this.#receivePong();
    if (kind === 'visible') return void (this.visibleAt = performance.now());
    if (kind === 'offer') return this.#handlers.onoffer();
    if (kind === 'forget') return this.#handlers.onforget();
    if (!SESSION_KINDS.has(kind)) return;
    if (!Number.isSafeInteger(first)) return this.close(CloseCode.Malformed);
    this.#receiveOfSession(kind, first as number, second);
  }

  /** A frame that the page has sent before a session ended may still name that session. */
  #receiveOfSession(kind: string, session: number, content: unknown): void {
    if (!this.#sessions.has(session)) return;
    if (kind === 'opened') return this.#handlers.onopened(session);
    if (kind === 'm') {
      if (isJsonRpcMessage(content)) this.#handlers.onmessage(session, content);
      else this.close(CloseCode.Malformed);
      return;
    }
    this.#sessions.delete(session);
    if (kind === 'refused')
      this.#handlers.onend(session, content === 'refused' ? 'refused' : 'failed');
    else this.#handlers.onend(session, kind === 'revoked' ? 'revoked' : 'closed');
  }

  #schedulePing(): void {
    clearTimeout(this.#pingTimer);
    const everyMs = this.#sessions.size > 0 ? BUSY_PING_MS : IDLE_PING_MS;
    this.#pingTimer = setTimeout(() => {
      this.#lastPing += 1;
      this.#socket.send('ping', this.#lastPing);
      this.#pongTimer ??= this.#awaitPong();
      this.#schedulePing();
    }, everyMs);
  }

  /**
   * Starts the timer for the answer to a ping. The answer may wait behind long frames, so the page counts as
   * alive as long as bytes arrive. If the timer fires late, this process was busy or the computer was asleep,
   * so that the answer may have arrived already without being read.
   */
  #awaitPong(): NodeJS.Timeout {
    const { bytesRead } = this.#socket;
    const startedAt = performance.now();
    return setTimeout(() => {
      this.#pongTimer = undefined;
      const isLate = performance.now() - startedAt > this.#answerMs + LATE_MS;
      const isAlive = isLate || this.#socket.bytesRead > bytesRead;
      if (isAlive) this.#pongTimer = this.#awaitPong();
      else this.#setAlive(false);
    }, this.#answerMs);
  }

  #receivePong(): void {
    clearTimeout(this.#pongTimer);
    this.#pongTimer = undefined;
    this.#setAlive(true);
  }

  #setAlive(isAlive: boolean): void {
    if (this.isAlive === isAlive) return;
    this.isAlive = isAlive;
    this.#handlers.onalive(isAlive);
  }
}

const SESSION_KINDS = new Set(['opened', 'refused', 'm', 'close', 'revoked']);
