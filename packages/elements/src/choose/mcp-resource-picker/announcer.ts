import type { ReactiveControllerHost } from 'lit';

/** How long the user must rest before the number of matches is announced, in milliseconds. */
const REST_MS = 600;

/** What a polite status says to users of screen readers. */
export class Announcer {
  readonly #host: ReactiveControllerHost;
  #text = '';
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(host: ReactiveControllerHost) {
    this.#host = host;
  }

  /** The last announcement; empty for none. */
  get text(): string {
    return this.#text;
  }

  announce(text: string): void {
    this.#text = text;
    this.#host.requestUpdate();
  }

  /**
   * Announces when the user rests.
   *
   * @param textOf Returns the text, or `undefined` if it is of no use by then.
   */
  announceLater(textOf: () => string | undefined): void {
    this.stop();
    this.#timer = setTimeout(() => {
      const text = textOf();
      if (text !== undefined) this.announce(text);
    }, REST_MS);
  }

  /** Ends what is still to be announced. */
  stop(): void {
    clearTimeout(this.#timer);
  }
}
