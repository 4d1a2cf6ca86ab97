import type { Completion } from './resource-provider.js';
import { MAX_COMPLETIONS } from './template-completion.js';

/** Collects what could be meant, the best first: keeps what is sent, and counts the rest. */
export class CompletionValues implements Completion {
  readonly values: string[] = [];
  total = 0;

  add(value: string): void {
    if (this.values.length < MAX_COMPLETIONS) this.values.push(value);
    this.total += 1;
  }

  /** Puts others behind these. */
  append({ values, total }: Completion): void {
    this.values.push(...values.slice(0, MAX_COMPLETIONS - this.values.length));
    this.total += total;
  }

  /**
   * As `McpServer` takes them from the completer of a prompt's argument: it sends the first 100 of
   * an array and its length as the total, so that the rest of the array may be holes.
   */
  asArray(): string[] {
    const all = [...this.values];
    all.length = this.total;
    return all;
  }
}
