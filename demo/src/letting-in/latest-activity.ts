import type { ActivityEntry, Runtime } from '@inpage-mcp/runtime';

/** The latest activity of each connection, by its number. A `change` event reports each update. */
export class LatestActivity extends EventTarget {
  readonly #last = new Map<number, ActivityEntry>();

  constructor(runtime: Runtime) {
    super();
    runtime.addEventListener('activity', ({ entries }) => {
      for (const entry of entries) if (isShown(entry)) this.#last.set(entry.connection, entry);
      this.dispatchEvent(new Event('change'));
    });
  }

  of(connection: number): ActivityEntry | undefined {
    return this.#last.get(connection);
  }

  /** The latest activity among all connections that pass the filter. */
  ofLast(passes: (connection: number) => boolean): ActivityEntry | undefined {
    return [...this.#last].findLast(([connection]) => passes(connection))?.[1];
  }
}

/** The requests that a card shows; a client sends all others by itself, to connect and to stay up to date. */
const SHOWN = new Set(['resources/read', 'tools/call', 'prompts/get']);
const isShown = ({ method }: ActivityEntry): boolean => SHOWN.has(method);
