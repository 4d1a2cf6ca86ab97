import type { HostSession } from '../session/host-session.js';
import { pairingQuestion } from '../waiting/status-text.js';
import type { BridgeStatus, PendingPairing } from '../wire/router.js';

/** What is needed to ask people about a pairing. */
export interface PairingQuestionsOptions {
  /** The sessions whose hosts can be asked. */
  sessions: () => Iterable<HostSession>;
  /** Asks in the terminal. Default: the terminal only shows the code. */
  askTerminal?:
    ((question: string, signal: AbortSignal) => Promise<boolean | undefined>) | undefined;
  /** Passes the first answer on. */
  onanswer: (code: string, isAccepted: boolean) => void;
}

/** Asks everybody who can be asked whether a page may be paired; the first answer counts. */
export class PairingQuestions {
  readonly #options: PairingQuestionsOptions;
  #code: string | undefined;
  #asking: AbortController | undefined;

  constructor(options: PairingQuestionsOptions) {
    this.#options = options;
  }

  /** A pairing waits now, or none does any more. */
  setStatus({ pairing }: BridgeStatus): void {
    if (this.#code === pairing?.code) return;
    this.#code = pairing?.code;
    this.#asking?.abort();
    this.#asking = pairing && new AbortController();
    if (pairing && this.#asking) this.#ask(pairing, this.#asking.signal);
  }

  #ask(pairing: PendingPairing, signal: AbortSignal): void {
    const question = pairingQuestion(pairing);
    console.error(`inpage-mcp bridge: ${question}`);
    for (const session of this.#options.sessions())
      if (session.takesElicitation) void this.#askHost(session, pairing, question, signal);
    void this.#askTerminal(pairing, question, signal);
  }

  async #askHost(
    session: HostSession,
    { code }: PendingPairing,
    message: string,
    signal: AbortSignal,
  ): Promise<void> {
    const requestedSchema = { type: 'object', properties: {} };
    const result = await session.questions.ask(
      'elicitation/create',
      { message, requestedSchema },
      signal,
    );
    // "cancel" only says that nobody has looked at it.
    if (result?.['action'] === 'accept') this.#options.onanswer(code, true);
    if (result?.['action'] === 'decline') this.#options.onanswer(code, false);
  }

  async #askTerminal(
    { code }: PendingPairing,
    question: string,
    signal: AbortSignal,
  ): Promise<void> {
    const isAccepted = await this.#options.askTerminal?.(question, signal);
    if (isAccepted !== undefined) this.#options.onanswer(code, isAccepted);
  }
}
