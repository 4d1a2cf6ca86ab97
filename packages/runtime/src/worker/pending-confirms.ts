import type { Confirm, ConfirmRequest } from '@inpage-mcp/server/control-plane';

/** The questions of one worker that the page's user has not answered yet. */
export class PendingConfirms {
  readonly #confirm: Confirm;
  readonly #pending = new Map<number, AbortController>();

  constructor(confirm: Confirm) {
    this.#confirm = confirm;
  }

  /** @param question The number of the question, for {@link withdraw}. */
  async ask(request: ConfirmRequest, question: number): Promise<boolean> {
    const asking = new AbortController();
    this.#pending.set(question, asking);
    try {
      return await this.#confirm(request, { signal: asking.signal });
    } finally {
      this.#pending.delete(question);
    }
  }

  /** Aborts a question whose answer is no longer needed. Does nothing if it was answered. */
  withdraw(question: number): void {
    this.#pending.get(question)?.abort();
  }

  /** Aborts all questions, as the worker has ended. */
  withdrawAll(): void {
    for (const asking of this.#pending.values()) asking.abort();
  }
}
