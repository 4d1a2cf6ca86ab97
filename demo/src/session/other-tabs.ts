/** The notices between tabs of this page, so that each tab knows the number of tabs. */
type Notice = { readonly type: 'opened' | 'here' | 'closed'; readonly tab: string };

/** The other tabs in which this page is open. Fires `change`. */
export class OtherTabs extends EventTarget {
  readonly #own = `${Math.random()}`.slice(2);
  readonly #others = new Set<string>();
  readonly #channel = new BroadcastChannel('inpage-mcp-demo-tabs');
  #lastActivity = '';

  constructor() {
    super();
    this.#channel.addEventListener('message', ({ data }: MessageEvent<Notice>) => {
      if (data.type === 'closed') this.#others.delete(data.tab);
      else this.#others.add(data.tab);
      if (data.type === 'opened') this.#notify('here');
      this.dispatchEvent(new Event('change'));
    });
    addEventListener('pagehide', () => this.#notify('closed'));
    addEventListener('pageshow', ({ persisted }) => {
      if (persisted) this.#notify('opened');
    });
    this.#notify('opened');
  }

  get count(): number {
    return this.#others.size;
  }

  /** What one of them has done last, in words; empty where nothing is known. */
  get lastActivity(): string {
    return this.#lastActivity;
  }

  /** Takes note of what the server says that another tab has done. */
  didSomething(words: string): void {
    this.#lastActivity = words;
    this.dispatchEvent(new Event('change'));
  }

  #notify(type: Notice['type']): void {
    this.#channel.postMessage({ type, tab: this.#own } satisfies Notice);
  }
}
