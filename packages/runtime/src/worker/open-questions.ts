import type { Confirm, ConfirmRequest } from '@inpage-mcp/server/control-plane';

/** The questions of one worker that the page's user has yet to answer. */
export class OpenQuestions {
  readonly #confirm: Confirm;
  readonly #open = new Map<number, AbortController>();

  constructor(confirm: Confirm) {
    this.#confirm = confirm;
  }

  /** @param question Its number, for {@link withdraw}. */
  async ask(request: ConfirmRequest, question: number): Promise<boolean> {
    const asking = new AbortController();
    this.#open.set(question, asking);
    try {
      return await this.#confirm(request, { signal: asking.signal });
    } finally {
      this.#open.delete(question);
    }
  }

  /** Nobody waits for the answer. One that was answered is left alone. */
  withdraw(question: number): void {
    this.#open.get(question)?.abort();
  }

  /** The worker has ended: nobody waits for any answer. */
  withdrawAll(): void {
    for (const asking of this.#open.values()) asking.abort();
  }
}
