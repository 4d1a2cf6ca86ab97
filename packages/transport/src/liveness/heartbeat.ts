import { runAfterQueuedMessages } from './after-queued-messages.js';
import { readWatchMessage, type WatchMessage } from '../handover/handover-messages.js';
import type { WastedTime } from '../port/wasted-time.js';
import { isAncestor } from '../handover/window-ancestry.js';

/**
 * The ping interval of both sides. A death is noticed after four to five intervals: in less than 15
 * seconds.
 */
export const HEARTBEAT_MS = 2_850;

/** The number of unanswered pings in a row after which the peer is considered dead. */
const MAX_UNANSWERED = 4;

export interface HeartbeatListener {
  /** The time that reading messages of the peer has taken. Default: its messages are trusted. */
  wasted?: WastedTime;
  /** Called when the peer no longer answers, or its messages take too long to read. */
  onDead(): void;
  /** Called when the peer has sent a message other than a ping or pong. */
  onMessage(message: WatchMessage): void;
}

/**
 * Monitors a peer over the watch port: sends pings, and answers those of the peer. Across origins
 * this is the only sign of a silent death, as Web Locks are shared within one origin only.
 *
 * Unanswered pings are counted, and no time is measured: while timers are throttled or the page is
 * frozen, both sides pause and neither is considered dead. If this page was busy, answers may be
 * queued: they are processed before the peer is considered dead.
 *
 * A window that contains this one is never considered dead: it cannot die alone. If it is silent, it
 * is busy or shows a blocking dialog, while its server runs elsewhere.
 */
export class Heartbeat {
  readonly #port: MessagePort;
  readonly #listener: HeartbeatListener;
  readonly #timer: number;
  readonly #maxUnanswered: number;
  #unanswered = 0;
  #isStopped = false;

  /**
   * Starts at once.
   *
   * @param port The watch port, which belongs to the heartbeat from now on.
   * @param peer The window at its other end.
   */
  constructor(port: MessagePort, peer: Window, everyMs: number, listener: HeartbeatListener) {
    this.#port = port;
    this.#maxUnanswered = isAncestor(peer) ? Infinity : MAX_UNANSWERED;
    this.#listener = listener;
    this.#timer = window.setInterval(() => this.#beat(), everyMs);
    port.onmessage = (event: MessageEvent<unknown>) => {
      if (listener.wasted?.tryRead(event) === false) listener.onDead();
      else this.#receive(event.data);
    };
  }

  /** Sends another message on the watch port. */
  send(message: WatchMessage): void {
    this.#port.postMessage(message);
  }

  /** Sends `bye` and closes the port. */
  stop(): void {
    this.#isStopped = true;
    clearInterval(this.#timer);
    this.send({ type: 'bye' });
    this.#port.onmessage = null;
    this.#port.close();
  }

  #beat(): void {
    if (this.#isOverdue()) {
      runAfterQueuedMessages(() => {
        if (!this.#isStopped && this.#isOverdue()) this.#listener.onDead();
      });
      return;
    }
    this.#unanswered += 1;
    this.send({ type: 'ping' });
  }

  #isOverdue(): boolean {
    return this.#unanswered >= this.#maxUnanswered;
  }

  /** Handles a message of the peer: any message is a sign of life. */
  #receive(value: unknown): void {
    this.#unanswered = 0;
    const message = readWatchMessage(value);
    if (message?.type === 'ping') this.send({ type: 'pong' });
    else if (message && message.type !== 'pong') this.#listener.onMessage(message);
  }
}
