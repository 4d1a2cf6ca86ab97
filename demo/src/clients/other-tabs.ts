/** What tabs of this page tell each other, so that each knows how many there are. */
type Notice = { readonly type: 'opened' | 'here' | 'closed'; readonly tab: string };

/** The other tabs in which this page is open. Fires `change`. */
export class OtherTabs extends EventTarget {
  readonly #own = `${Math.random()}`.slice(2);
  readonly #others = new Set<string>();
  readonly #channel = new BroadcastChannel('inpage-mcp-demo-tabs');
  #lastDeed = '';

  constructor() {
    super();
    this.#channel.addEventListener('message', ({ data }: MessageEvent<Notice>) => {
      if (data.type === 'closed') this.#others.delete(data.tab);
      else this.#others.add(data.tab);
      if (data.type === 'opened') this.#tell('here');
      this.dispatchEvent(new Event('change'));
    });
    addEventListener('pagehide', () => this.#tell('closed'));
    addEventListener('pageshow', ({ persisted }) => {
      if (persisted) this.#tell('opened');
    });
    this.#tell('opened');
  }

  get count(): number {
    return this.#others.size;
  }

  /** What one of them has done last, in words; empty where nothing is known. */
  get lastDeed(): string {
    return this.#lastDeed;
  }

  /** Takes note of what the server says that another tab has done. */
  didSomething(words: string): void {
    this.#lastDeed = words;
    this.dispatchEvent(new Event('change'));
  }

  #tell(type: Notice['type']): void {
    this.#channel.postMessage({ type, tab: this.#own } satisfies Notice);
  }
}
