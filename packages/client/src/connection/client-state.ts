import { callSafely } from './call-safely.js';

/**
 * How a client stands: `open`; `reconnecting` while the connection is lost and another is being
 * opened; `closed` for good.
 */
export type ClientState = 'open' | 'reconnecting' | 'closed';

type Listener = (state: ClientState) => void;

/** Who wants to hear of each new state. */
export class StateListeners {
  readonly #calls = new Set<{ listener: Listener }>();
  /** Lets go of the signals, which may outlive the client. */
  readonly #over = new AbortController();

  /** @param signal Ends the calls. */
  add(listener: Listener, signal: AbortSignal | undefined): void {
    if (signal?.aborted) return;
    const call = { listener };
    this.#calls.add(call);
    const until = { signal: this.#over.signal };
    signal?.addEventListener('abort', () => this.#calls.delete(call), until);
  }

  tell(state: ClientState): void {
    for (const { listener } of this.#calls) callSafely(() => listener(state));
    // Nothing comes after that.
    if (state !== 'closed') return;
    this.#calls.clear();
    this.#over.abort();
  }
}
