import { readWatchMessage, type Hello, type Refusal } from '../handover/handover-messages.js';

const FIRST_REPEAT_MS = 50;
const LONGEST_REPEAT_MS = 1_000;

/** A window to connect to. */
export interface TargetWindow {
  /** The exact origin; a document of another origin receives nothing. */
  readonly origin: string;
  /** The current window; `null` if it does not exist now. */
  find(): Window | null;
  /** Calls back each time the window has loaded a document, until the signal aborts. */
  onload?(listener: () => void, signal: AbortSignal): void;
}

/** One repetition of a hello: its target window, and this side's ends of its ports. */
export interface Attempt {
  readonly peer: Window;
  readonly mcpPort: MessagePort;
  readonly watchPort: MessagePort;
}

/** Receives the answer. Nothing is called after `stop`. */
export interface HelloListener {
  onWelcome(attempt: Attempt, heartbeatMs: number): void;
  onRefusal(refusal: Refusal): void;
}

/**
 * Sends a hello to a window until the window answers: it may have no listener yet, or may still show
 * another document. Each repetition has new ports, because the ports of an unreceived message are
 * lost.
 */
export class HelloSender {
  readonly #target: TargetWindow;
  readonly #hello: Hello;
  readonly #listener: HelloListener;
  readonly #stopped = new AbortController();
  readonly #attempts = new Set<Attempt>();
  #repeatMs = FIRST_REPEAT_MS;
  #timer: number | undefined;

  /** Starts sending at once. */
  constructor(target: TargetWindow, hello: Hello, listener: HelloListener) {
    this.#target = target;
    this.#hello = hello;
    this.#listener = listener;
    target.onload?.(() => this.#send(), this.#stopped.signal);
    this.#repeat();
  }

  /** Stops sending. If the peer has received any other repetition, that one ends with `bye`. */
  stop(used?: Attempt): void {
    this.#stopped.abort();
    clearTimeout(this.#timer);
    for (const attempt of this.#attempts) if (attempt !== used) withdraw(attempt);
    this.#attempts.clear();
  }

  #repeat(): void {
    this.#send();
    this.#timer = window.setTimeout(() => this.#repeat(), this.#repeatMs);
    this.#repeatMs = Math.min(this.#repeatMs * 2, LONGEST_REPEAT_MS);
  }

  #send(): void {
    const peer = this.#target.find();
    if (!peer) return;
    const mcp = new MessageChannel();
    const watch = new MessageChannel();
    const attempt = { peer, mcpPort: mcp.port1, watchPort: watch.port1 };
    this.#attempts.add(attempt);
    watch.port1.onmessage = ({ data }: MessageEvent<unknown>) => this.#receive(attempt, data);
    const transfer = [mcp.port2, watch.port2];
    peer.postMessage(this.#hello, { targetOrigin: this.#target.origin, transfer });
  }

  #receive(attempt: Attempt, value: unknown): void {
    const message = readWatchMessage(value);
    if (message?.type === 'welcome') this.#listener.onWelcome(attempt, message.heartbeatMs);
    else if (message?.type === 'busy' || message?.type === 'refused')
      this.#listener.onRefusal(message);
    else if (message?.type === 'bye')
      this.#listener.onRefusal({ type: 'refused', reason: 'The window closed the connection.' });
  }
}

function withdraw({ mcpPort, watchPort }: Attempt): void {
  watchPort.postMessage({ type: 'bye' });
  watchPort.close();
  mcpPort.close();
}
