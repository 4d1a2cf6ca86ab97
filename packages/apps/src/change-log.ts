import type { Resources } from '@inpage-mcp/server';

/** The maximum number of addresses that are kept; above it, earlier revisions are unknown. */
const MAX_CHANGES = 1_000;

/** The changes since a revision. */
export interface Changes {
  revision: string;
  /** The changed uris; one that ends in `/`, `?` or `=` stands for every uri that begins with it. */
  uris: string[];
  /** Whether the list of resources has changed. */
  listChanged: boolean;
}

/** The changes that one connection may see, for clients that cannot subscribe but only poll. */
export class ChangeLog {
  /** The id of this log, because another worker, or another connection, begins another log. */
  readonly #id = Math.random().toString(36).slice(2);
  /** The number of the last change of each address. */
  readonly #changed = new Map<string, number>();
  readonly #waiting = new Set<() => void>();
  readonly #stop: () => void;
  #first = 0;
  #last = 0;
  #lastOfList = 0;

  constructor(resources: Resources) {
    this.#stop = resources.listen((changes) => {
      this.#last += 1;
      for (const { uri, listChanged } of changes) {
        this.#changed.set(uri, this.#last);
        if (listChanged) this.#lastOfList = this.#last;
      }
      if (this.#changed.size > MAX_CHANGES) {
        this.#changed.clear();
        this.#first = this.#last;
      }
      for (const wake of this.#waiting) wake();
    });
  }

  get revision(): string {
    return `${this.#id}-${this.#last}`;
  }

  /** The changes since a revision; `undefined` if the revision is not of this log, or too old. */
  since(revision: string): Changes | undefined {
    const [id, digits] = revision.split('-');
    const since = Number(digits);
    const isKnown = since >= this.#first && since <= this.#last;
    if (id !== this.#id || !isKnown) return undefined;
    const uris = [...this.#changed].filter(([, number]) => number > since).map(([uri]) => uri);
    return { revision: this.revision, uris, listChanged: this.#lastOfList > since };
  }

  /** Resolves with the next change, or after this time. Rejects when the signal aborts. */
  async next(timeoutMs: number, signal: AbortSignal): Promise<void> {
    await new Promise<void>((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(wake);
        signal.removeEventListener('abort', wake);
        resolve();
      };
      const timer = setTimeout(wake, timeoutMs);
      this.#waiting.add(wake);
      signal.addEventListener('abort', wake);
      if (signal.aborted) wake();
    });
    signal.throwIfAborted();
  }

  close(): void {
    this.#stop();
  }
}
