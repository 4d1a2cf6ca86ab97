import type { HostSession } from '../session/host-session.js';
import { decisionIn, pairingForm } from '../waiting/pairing-form.js';
import { pairingQuestion, statusText } from '../waiting/status-text.js';
import type { BridgeStatus, PendingPairing } from '../wire/router.js';

/** Options of the questions about pairings. */
export interface PairingQuestionsOptions {
  /** The sessions whose hosts can be asked. */
  sessions: () => Iterable<HostSession>;
  /** Asks in the terminal. Default: the terminal only shows the code. */
  askTerminal?:
    ((question: string, signal: AbortSignal) => Promise<boolean | undefined>) | undefined;
  /** Called with each answer; the hub ignores all but the first. */
  onanswer: (code: string, isAccepted: boolean) => void;
}

/** Asks at every host and in the terminal whether a page may be paired; the first answer counts. */
export class PairingQuestions {
  readonly #options: PairingQuestionsOptions;
  #code: string | undefined;
  #asking: AbortController | undefined;

  constructor(options: PairingQuestionsOptions) {
    this.#options = options;
  }

  /** Asks when a pairing begins to wait, and cancels the questions when it no longer waits. */
  setStatus({ pairing }: BridgeStatus): void {
    if (this.#code === pairing?.code) return;
    this.#code = pairing?.code;
    this.#asking?.abort();
    this.#asking = pairing && new AbortController();
    if (pairing && this.#asking) this.#ask(pairing, this.#asking.signal);
  }

  #ask(pairing: PendingPairing, signal: AbortSignal): void {
    for (const session of this.#options.sessions())
      if (session.takesElicitation) void this.#askHost(session, pairing, signal);
    if (this.#options.askTerminal) void this.#askTerminal(pairing, signal);
    else console.error(`inpage-mcp bridge: ${statusText({ pairing }, undefined)}`);
  }

  async #askHost(
    session: HostSession,
    pairing: PendingPairing,
    signal: AbortSignal,
  ): Promise<void> {
    const form = { ...pairingForm(pairing) };
    const result = await session.questions.ask('elicitation/create', form, signal);
    const decision = decisionIn(pairing, result ?? {});
    if (decision !== undefined) this.#options.onanswer(pairing.code, decision);
  }

  async #askTerminal(pairing: PendingPairing, signal: AbortSignal): Promise<void> {
    const isAccepted = await this.#options.askTerminal?.(pairingQuestion(pairing), signal);
    if (isAccepted !== undefined) this.#options.onanswer(pairing.code, isAccepted);
  }
}
