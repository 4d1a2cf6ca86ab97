import { MAX_PAGES } from '../wire/limits.js';
import type { PageLink } from './page-link.js';

/** Chooses the page that serves: one at a time, until it closes or stops answering. */
export class Pages {
  readonly #pages = new Set<PageLink>();
  readonly #onserving: (page: PageLink | undefined) => void;
  #serving: PageLink | undefined;

  /** @param onserving Called when another page serves, or when no page serves now. */
  constructor(onserving: (page: PageLink | undefined) => void) {
    this.#onserving = onserving;
  }

  get serving(): PageLink | undefined {
    return this.#serving;
  }

  get all(): Iterable<PageLink> {
    return this.#pages;
  }

  /** Whether no other page can be added. */
  get isFull(): boolean {
    return this.#pages.size >= MAX_PAGES;
  }

  add(page: PageLink): void {
    this.#pages.add(page);
    if (this.#serving) page.setServing(false);
    else this.#serve(page);
  }

  delete(page: PageLink): void {
    this.#pages.delete(page);
    if (this.#serving === page) this.#serve(this.#next());
  }

  /** A page has stopped answering, or answers again. */
  onalive(page: PageLink): void {
    if (page.isAlive && !this.#serving) this.#serve(page);
    if (page.isAlive || this.#serving !== page) return;
    page.setServing(false);
    this.#serve(this.#next());
  }

  /** The page that the user saw last, among those that answer. */
  #next(): PageLink | undefined {
    return [...this.#pages]
      .filter(({ isAlive }) => isAlive)
      .toSorted((one, other) => other.visibleAt - one.visibleAt)[0];
  }

  #serve(page: PageLink | undefined): void {
    this.#serving = page;
    page?.setServing(true);
    this.#onserving(page);
  }
}
