import type { ActivityEntry, Runtime } from '@inpage-mcp/runtime';

/** The requests that a card shows; a client sends all others by itself, to connect and to stay up to date. */
const SHOWN = new Set(['resources/read', 'tools/call', 'prompts/get']);

/**
 * Who the connections are, and what each did last, by their numbers in the activity log. A name stays
 * after its connection has ended, because the log does. Fires `change`.
 */
export class Connections extends EventTarget {
  readonly #names = new Map<number, string>();
  readonly #own = new Set<number>();
  readonly #last = new Map<number, ActivityEntry>();

  constructor(runtime: Runtime) {
    super();
    runtime.addEventListener('activity', ({ entries }) => {
      for (const entry of entries)
        if (SHOWN.has(entry.method)) this.#last.set(entry.connection, entry);
      this.dispatchEvent(new Event('change'));
    });
  }

  /** A connection of the page itself has begun. */
  addOwn(connection: number): void {
    this.#own.add(connection);
    this.add(connection, 'This page');
  }

  /** A connection has begun. After the death of the worker, its number may be of another one. */
  add(connection: number, name: string): void {
    this.#names.set(connection, name);
    this.dispatchEvent(new Event('change'));
  }

  /** Whether the page itself has this connection, or has had it. */
  isOwn(connection: number): boolean {
    return this.#own.has(connection);
  }

  nameOf(connection: number): string | undefined {
    return this.#names.get(connection);
  }

  /** What a connection did last. */
  lastOf(connection: number): ActivityEntry | undefined {
    return this.#last.get(connection);
  }

  /** What was done last by all connections that pass the filter. */
  lastAmong(passes: (connection: number) => boolean): ActivityEntry | undefined {
    return [...this.#last].findLast(([connection]) => passes(connection))?.[1];
  }
}
