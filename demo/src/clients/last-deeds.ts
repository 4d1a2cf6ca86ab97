import type { ActivityEntry, Runtime } from '@inpage-mcp/runtime';

/** What each connection did last, by its number. A `change` event follows each deed. */
export class LastDeeds extends EventTarget {
  readonly #last = new Map<number, ActivityEntry>();

  constructor(runtime: Runtime) {
    super();
    runtime.addEventListener('activity', ({ entries }) => {
      for (const entry of entries) if (isDeed(entry)) this.#last.set(entry.connection, entry);
      this.dispatchEvent(new Event('change'));
    });
  }

  of(connection: number): ActivityEntry | undefined {
    return this.#last.get(connection);
  }

  /** What the last of several connections did last. */
  ofLast(isMeant: (connection: number) => boolean): ActivityEntry | undefined {
    return [...this.#last].findLast(([connection]) => isMeant(connection))?.[1];
  }
}

/** What a client does by itself, to connect and to stay up to date, is not what it did. */
const DEEDS = new Set(['resources/read', 'tools/call', 'prompts/get']);
const isDeed = ({ method }: ActivityEntry): boolean => DEEDS.has(method);
