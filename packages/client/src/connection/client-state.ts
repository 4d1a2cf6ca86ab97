import { callSafely } from './call-safely.js';

/**
 * The state of a client: `open`; `reconnecting` after a connection loss, while the client opens
 * another connection; `closed` for good.
 */
export type ClientState = 'open' | 'reconnecting' | 'closed';

type Listener = (state: ClientState) => void;

/** The listeners for state changes. */
export class StateListeners {
  readonly #calls = new Set<{ listener: Listener }>();
  /** Detaches from the signals, which may outlive the client. */
  readonly #closed = new AbortController();

  /** @param signal Removes the listener. */
  add(listener: Listener, signal: AbortSignal | undefined): void {
    if (signal?.aborted) return;
    const call = { listener };
    this.#calls.add(call);
    const until = { signal: this.#closed.signal };
    signal?.addEventListener('abort', () => this.#calls.delete(call), until);
  }

  notify(state: ClientState): void {
    for (const { listener } of this.#calls) callSafely(() => listener(state));
    // `closed` is the last state.
    if (state !== 'closed') return;
    this.#calls.clear();
    this.#closed.abort();
  }
}
