import { afterWaiting } from './after-waiting.js';
import { readWatchMessage, type WatchMessage } from '../handover/handover-messages.js';
import { holdsUs } from '../handover/window-line.js';

/**
 * How often either side pings. A death is noticed after four and before five of these: below 15
 * seconds.
 */
export const HEARTBEAT_MS = 2_850;

/** The peer is taken for dead when this many pings in a row have brought nothing. */
const MAX_UNANSWERED = 4;

/** What a heartbeat tells. */
export interface HeartbeatListener {
  /** The peer does not answer any more. */
  dead(): void;
  /** Any message but pings and pongs. */
  heard(message: WatchMessage): void;
}

/**
 * Watches a peer over the watch port, the same on both sides: it pings, and answers pings.
 *
 * Unanswered pings are counted, and no time is measured: while timers are throttled or the page is
 * frozen, both sides stop alike and nobody is taken for dead. Where this page was busy, the answers
 * may be there and wait: they are heard before anybody is taken for dead.
 *
 * A window that holds this one never is: it cannot die alone. One that is silent is busy, or shows
 * its user a dialog that blocks it, and what it serves runs elsewhere.
 */
export class Heartbeat {
  readonly #port: MessagePort;
  readonly #listener: HeartbeatListener;
  readonly #timer: number;
  readonly #maxUnanswered: number;
  #unanswered = 0;
  #isStopped = false;

  /**
   * Begins at once.
   *
   * @param port The watch port; it belongs to the heartbeat from now on.
   * @param peer The window at its other end.
   */
  constructor(port: MessagePort, peer: Window, everyMs: number, listener: HeartbeatListener) {
    this.#port = port;
    this.#maxUnanswered = holdsUs(peer) ? Infinity : MAX_UNANSWERED;
    this.#listener = listener;
    this.#timer = window.setInterval(() => this.#beat(), everyMs);
    port.onmessage = ({ data }: MessageEvent<unknown>) => this.#receive(data);
  }

  /** Says something else on the port. */
  say(message: WatchMessage): void {
    this.#port.postMessage(message);
  }

  /** Says `bye` and falls silent. */
  stop(): void {
    this.#isStopped = true;
    clearInterval(this.#timer);
    this.say({ type: 'bye' });
    this.#port.onmessage = null;
    this.#port.close();
  }

  #beat(): void {
    if (this.#isOverdue()) {
      afterWaiting(() => {
        if (!this.#isStopped && this.#isOverdue()) this.#listener.dead();
      });
      return;
    }
    this.#unanswered += 1;
    this.say({ type: 'ping' });
  }

  #isOverdue(): boolean {
    return this.#unanswered >= this.#maxUnanswered;
  }

  /** Whatever comes is a sign of life. */
  #receive(value: unknown): void {
    this.#unanswered = 0;
    const message = readWatchMessage(value);
    if (message?.type === 'ping') this.say({ type: 'pong' });
    else if (message && message.type !== 'pong') this.#listener.heard(message);
  }
}
