import { MAX_COMPLETIONS, type Completion } from '@inpage-mcp/protocol';

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
}
