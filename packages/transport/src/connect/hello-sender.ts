import { readWatchMessage, type Hello, type Refusal } from '../handover/handover-messages.js';

const FIRST_REPEAT_MS = 50;
const LONGEST_REPEAT_MS = 1_000;

/** A window to connect to. */
export interface TargetWindow {
  /** Its origin, exactly; a document of another origin gets nothing. */
  readonly origin: string;
  /** The window as it is now; `null` where there is none at the moment. */
  find(): Window | null;
  /** Calls back whenever another document is in it, until the signal. */
  onload?(listener: () => void, signal: AbortSignal): void;
}

/** One repetition of a hello: the window that it went to, and our ends of its ports. */
export interface Attempt {
  readonly peer: Window;
  readonly mcpPort: MessagePort;
  readonly watchPort: MessagePort;
}

/** What comes of it. Nothing is called after `stop`. */
export interface HelloListener {
  welcomed(attempt: Attempt, heartbeatMs: number): void;
  refused(refusal: Refusal): void;
}

/**
 * Says hello to a window until it is answered: nobody may listen there yet, or another document may
 * still be in it. Each repetition has ports of its own, since those of a message that nobody takes
 * are lost.
 */
export class HelloSender {
  readonly #target: TargetWindow;
  readonly #hello: Hello;
  readonly #listener: HelloListener;
  readonly #over = new AbortController();
  readonly #attempts = new Set<Attempt>();
  #repeatMs = FIRST_REPEAT_MS;
  #timer: number | undefined;

  /** Begins at once. */
  constructor(target: TargetWindow, hello: Hello, listener: HelloListener) {
    this.#target = target;
    this.#hello = hello;
    this.#listener = listener;
    target.onload?.(() => this.#say(), this.#over.signal);
    this.#round();
  }

  /** Ends it. Whoever has taken another repetition than this one is told that it is not needed. */
  stop(used?: Attempt): void {
    this.#over.abort();
    clearTimeout(this.#timer);
    for (const attempt of this.#attempts) if (attempt !== used) withdraw(attempt);
    this.#attempts.clear();
  }

  #round(): void {
    this.#say();
    this.#timer = window.setTimeout(() => this.#round(), this.#repeatMs);
    this.#repeatMs = Math.min(this.#repeatMs * 2, LONGEST_REPEAT_MS);
  }

  #say(): void {
    const peer = this.#target.find();
    if (!peer) return;
    const mcp = new MessageChannel();
    const watch = new MessageChannel();
    const attempt = { peer, mcpPort: mcp.port1, watchPort: watch.port1 };
    this.#attempts.add(attempt);
    watch.port1.onmessage = ({ data }: MessageEvent<unknown>) => this.#answered(attempt, data);
    const transfer = [mcp.port2, watch.port2];
    peer.postMessage(this.#hello, { targetOrigin: this.#target.origin, transfer });
  }

  #answered(attempt: Attempt, value: unknown): void {
    const message = readWatchMessage(value);
    if (message?.type === 'welcome') this.#listener.welcomed(attempt, message.heartbeatMs);
    else if (message?.type === 'busy' || message?.type === 'refused')
      this.#listener.refused(message);
    else if (message?.type === 'bye')
      this.#listener.refused({ type: 'refused', reason: 'It ended the connection at once.' });
  }
}

function withdraw({ mcpPort, watchPort }: Attempt): void {
  watchPort.postMessage({ type: 'bye' });
  watchPort.close();
  mcpPort.close();
}
