import { MAX_COMPLETIONS, type Completion } from '@inpage-mcp/protocol';

/** Collects completions, the best first: keeps those that are sent, and counts the rest. */
export class CompletionValues implements Completion {
  readonly values: string[] = [];
  total = 0;

  add(value: string): void {
    if (this.values.length < MAX_COMPLETIONS) this.values.push(value);
    this.total += 1;
  }

  /** Adds other completions at the end. */
  append({ values, total }: Completion): void {
    this.values.push(...values.slice(0, MAX_COMPLETIONS - this.values.length));
    this.total += total;
  }
}
