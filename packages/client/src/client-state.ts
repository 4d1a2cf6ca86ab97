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

  /** @param signal Ends the calls. */
  add(listener: Listener, signal: AbortSignal | undefined): void {
    if (signal?.aborted) return;
    const call = { listener };
    this.#calls.add(call);
    signal?.addEventListener('abort', () => this.#calls.delete(call), { once: true });
  }

  tell(state: ClientState): void {
    for (const { listener } of this.#calls) callSafely(() => listener(state));
    // Nothing comes after that.
    if (state === 'closed') this.#calls.clear();
  }
}
