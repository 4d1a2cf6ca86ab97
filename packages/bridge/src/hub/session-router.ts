import type { JsonRpcMessage } from '@inpage-mcp/transport';
import type { HostFacts } from '../wire/messages.js';
import type { Entry, EntryHandlers, PageRouter } from '../wire/router.js';
import type { PageLink, SessionEnd } from './page-link.js';

/**
 * The limits of the delay before a new offer if a page ends a session repeatedly, in ms. The first delay is
 * 0.
 */
const FIRST_RETRY_MS = 1_000;
const LAST_RETRY_MS = 60_000;

/**
 * The duration of an open session, in ms, above which it is offered again at once after the page has ended
 * it.
 */
const GOOD_MS = 60_000;

/** A host that wants to be served. */
interface Wish {
  readonly facts: HostFacts;
  readonly handlers: EntryHandlers;
  /** The number of the session at the page that serves. Each offer gets a new number. */
  session: number | undefined;
  isOpen: boolean;
  /** Whether the user has refused or revoked the session. */
  isRefused: boolean;
  openedAt: number;
  retryMs: number;
  retry: NodeJS.Timeout | undefined;
}

/** Offers the sessions of all hosts to the page that serves. */
export class SessionRouter implements PageRouter {
  readonly #wishes = new Set<Wish>();
  readonly #bySession = new Map<number, Wish>();
  #page: PageLink | undefined;
  #lastSession = 0;
  /** Whether the page does not read fast enough. */
  #isPressed = false;

  /** The hosts that want to be served. */
  get hosts(): HostFacts[] {
    return [...this.#wishes].map(({ facts }) => facts);
  }

  enter(facts: HostFacts, handlers: EntryHandlers): Entry {
    const wish: Wish = {
      facts,
      handlers,
      session: undefined,
      isOpen: false,
      isRefused: false,
      openedAt: 0,
      retryMs: 0,
      retry: undefined,
    };
    this.#wishes.add(wish);
    if (this.#isPressed) handlers.onpressure(true);
    this.#offer(wish);
    return {
      send: (message) => this.#send(wish, message),
      close: () => {
        this.#wishes.delete(wish);
        if (wish.session !== undefined) this.#page?.end(wish.session);
        this.#forget(wish);
        this.#offerNext();
      },
    };
  }

  /**
   * Offers the next session, because a session has ended: a page that had no room for another one may have
   * room now.
   */
  #offerNext(): void {
    const next = [...this.#wishes].find(({ retry, session }) => retry && session === undefined);
    if (next && this.#page) this.#offer(next);
  }

  /** Sets the page that serves from now on; `undefined` if no page serves. */
  setPage(page: PageLink | undefined): void {
    this.#page = page;
    if (this.#isPressed) this.setPressure(false);
    for (const wish of this.#wishes) {
      const wasOpen = wish.isOpen;
      this.#forget(wish);
      if (wasOpen) wish.handlers.ongone();
      this.#offer(wish);
    }
  }

  /** Offers the sessions again that the page has refused or ended. */
  offerAgain(): void {
    for (const wish of this.#wishes) {
      wish.isRefused = false;
      if (wish.session === undefined) this.#offer(wish);
    }
  }

  onopened(session: number): void {
    const wish = this.#bySession.get(session);
    if (!wish || wish.isOpen) return;
    wish.isOpen = true;
    wish.openedAt = performance.now();
    wish.handlers.onopened();
  }

  onmessage(session: number, message: JsonRpcMessage): void {
    const wish = this.#bySession.get(session);
    if (wish?.isOpen) wish.handlers.onmessage(message);
  }

  onend(session: number, how: SessionEnd): void {
    const wish = this.#bySession.get(session);
    if (!wish) return;
    const { isOpen } = wish;
    if (isOpen && performance.now() - wish.openedAt > GOOD_MS) wish.retryMs = 0;
    this.#forget(wish);
    if (isOpen) wish.handlers.ongone();
    if (how === 'refused' || how === 'revoked') {
      wish.isRefused = true;
      wish.handlers.onunserved('refused');
      return;
    }
    if (!isOpen) wish.handlers.onunserved('absent');
    this.#retry(wish);
  }

  /**
   * Reports to the sessions that the page that serves does not read fast enough (`true`), or reads fast
   * enough again.
   */
  setPressure(isHigh: boolean): void {
    this.#isPressed = isHigh;
    for (const { handlers } of this.#wishes) handlers.onpressure(isHigh);
  }

  #send({ session, isOpen }: Wish, message: JsonRpcMessage): void {
    if (isOpen && session !== undefined) this.#page?.send(session, message);
  }

  #offer(wish: Wish): void {
    clearTimeout(wish.retry);
    wish.retry = undefined;
    if (!this.#page) return wish.handlers.onunserved('absent');
    if (wish.isRefused) return wish.handlers.onunserved('refused');
    this.#lastSession += 1;
    wish.session = this.#lastSession;
    this.#bySession.set(wish.session, wish);
    this.#page.open(wish.session, wish.facts);
  }

  /** Offers a session again: the first time at once, then after growing delays. */
  #retry(wish: Wish): void {
    wish.retry = setTimeout(() => this.#offer(wish), wish.retryMs);
    wish.retryMs = Math.min(LAST_RETRY_MS, Math.max(FIRST_RETRY_MS, wish.retryMs * 2));
  }

  #forget(wish: Wish): void {
    clearTimeout(wish.retry);
    wish.retry = undefined;
    if (wish.session !== undefined) this.#bySession.delete(wish.session);
    wish.session = undefined;
    wish.isOpen = false;
  }
}
