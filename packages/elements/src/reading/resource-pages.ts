import type { Resource } from '@inpage-mcp/client';
import type { UsablePage } from './gate.js';

/** A list with so many pages in a row that bring nothing new is taken for one that never ends. */
const MAX_EMPTY_PAGES = 100;

interface Page extends UsablePage {
  /** How many changes were known when it was asked for. */
  asOf: number;
  /** The number of the last change that concerns this page. */
  changedAt: number;
  /** Its resources without those that a newer page has, too. */
  rows: readonly Resource[];
}

/** A part of the rows, both ends included. */
export interface Sight {
  first: number;
  last: number;
  /** Whether the list need not grow any more. Default: no. */
  isEnough?: boolean | undefined;
}

/**
 * The pages of a list that were fetched, of which any can be fetched again, in its place.
 *
 * A page is fetched with the cursor of the page before it. So when a page that is fetched again
 * leads to another cursor, as it does where something was added before its end, the page after it
 * begins elsewhere: it stays as it was until it is fetched again. In between a resource may be
 * missing at the seam, or be on both pages: then it is a row of the page that was asked for last.
 */
export class ResourcePages {
  #pages: Page[] = [];
  #resources: readonly Resource[] = [];
  /** The page of each uri. */
  readonly #pageOf = new Map<string, Page>();
  /** How many changes there were. */
  #changes = 0;
  /** The number of the last change that concerns all pages. */
  #allChangedAt = 0;
  /** How many pages in a row, up to the last that was added, brought nothing new when they came. */
  #emptyInRow = 0;
  /** Up to which page all are fetched again in their order; −1 while none is. */
  #renewing = -1;

  /** The rows, each uri once. */
  get resources(): readonly Resource[] {
    return this.#resources;
  }

  /** How many pages there are. */
  get length(): number {
    return this.#pages.length;
  }

  /** Whether the list goes on after the last page. */
  get hasMore(): boolean {
    return this.#pages.at(-1)?.nextCursor !== undefined;
  }

  /** How many entries of the list cannot be shown. */
  get unusable(): number {
    return this.#pages.reduce((sum, { unusable }) => sum + unusable, 0);
  }

  /** How many changes there were, to be kept with a request for a page. */
  get changes(): number {
    return this.#changes;
  }

  /** The cursor of a page, or of the one after the last. */
  cursorOf(index: number): string | undefined {
    return this.#pages[index - 1]?.nextCursor;
  }

  /** Notes that something has changed: anything, or only the row at a position. */
  markStale(position?: number): void {
    this.#changes += 1;
    if (position === undefined) this.#allChangedAt = this.#changes;
    else this.#noteChange(this.#pageAt(position));
  }

  /** Notes that a resource has changed. */
  markResourceStale(uri: string): void {
    this.#changes += 1;
    this.#noteChange(this.#pageOf.get(uri));
  }

  /** Whether pages are being fetched again for their cursors. */
  get isRenewing(): boolean {
    return this.#renewing >= 0;
  }

  /** Notes that the cursor of a page is of no use: only those before it lead to another. */
  renewUpTo(index: number): void {
    this.#changes += 1;
    this.#renewing = index;
    for (const page of this.#pages.slice(0, index + 1)) page.changedAt = this.#changes;
  }

  /** Notes that the pages before lead to no cursor that is of use. */
  stopRenewing(): void {
    this.#renewing = -1;
  }

  /** The page in sight that is to be fetched again first, if any is: the oldest that has rows. */
  staleIn(sight: Sight): number | undefined {
    if (this.length === 0) return 0;
    const first = this.#pages.findIndex((page) => this.#isStale(page));
    if (first >= 0 && first <= this.#renewing) return first;
    const stale = this.#inSight(sight).filter((page) => this.#isStale(page));
    const [oldest] = stale.toSorted(
      (a, b) => Number(b.rows.length > 0) - Number(a.rows.length > 0) || a.asOf - b.asOf,
    );
    return oldest && this.#pages.indexOf(oldest);
  }

  /**
   * Puts a page in its place, or behind the last.
   *
   * @param asOf The number of changes when it was asked for.
   * @throws {Error} when it shows that the list never ends; its rows are there all the same.
   */
  put(index: number, fetched: UsablePage, asOf: number): void {
    const { nextCursor } = fetched;
    const before = this.#pages.slice(0, index);
    const replaced = this.#pages.slice(index);
    const isCircle = before.some(
      (page) => page.nextCursor === nextCursor && nextCursor !== undefined,
    );
    const page: Page = {
      ...fetched,
      resources: [...new Map(fetched.resources.map((one) => [one.uri, one])).values()],
      nextCursor: isCircle ? undefined : nextCursor,
      asOf,
      changedAt: replaced[0]?.changedAt ?? 0,
      rows: [],
    };
    const isEmpty = page.resources.every(({ uri }) => this.#pageOf.has(uri));
    if (replaced.length === 0) this.#emptyInRow = isEmpty ? this.#emptyInRow + 1 : 0;
    const following = this.#following(page, replaced);
    if (following.length < replaced.length - 1) this.#emptyInRow = 0;
    this.#pages = [...before, page, ...following];
    if (index >= Math.min(this.#renewing, this.length - 1)) this.#renewing = -1;
    this.#join(
      page,
      replaced.filter((one) => !following.includes(one)),
    );
    if (isCircle || this.#emptyInRow >= MAX_EMPTY_PAGES)
      throw new Error('The pages of the list that the server sends never end.');
  }

  /** The pages that stay from a replaced one on. */
  #following(page: Page, [replaced, ...after]: Page[]): Page[] {
    if (!replaced || page.nextCursor === undefined) return [];
    // Where much was deleted, the page may reach to the end of a later one.
    const end = [replaced, ...after].findIndex(({ nextCursor }) => nextCursor === page.nextCursor);
    if (end >= 0) return after.slice(end);
    this.#changes += 1;
    this.#noteChange(after[0]);
    return after;
  }

  /** Gives each uri to one page, at the cost of the pages that this concerns. */
  #join(page: Page, gone: readonly Page[]): void {
    for (const one of gone) {
      for (const { uri } of one.resources)
        if (this.#pageOf.get(uri) === one) this.#pageOf.delete(uri);
    }
    const concerned = new Set([page]);
    for (const { uri } of page.resources) {
      const other = this.#pageOf.get(uri);
      if (other) concerned.add(other);
      if (!other || other.asOf < page.asOf) this.#pageOf.set(uri, page);
    }
    for (const one of this.#pages) {
      if (one.rows.length === one.resources.length) continue;
      // Some of its resources were those of a page that may be gone.
      concerned.add(one);
      for (const { uri } of one.resources) if (!this.#pageOf.has(uri)) this.#pageOf.set(uri, one);
    }
    for (const one of concerned) {
      one.rows = one.resources.filter(({ uri }) => this.#pageOf.get(uri) === one);
    }
    this.#resources = new Array<Resource>().concat(...this.#pages.map(({ rows }) => rows));
  }

  #noteChange(page: Page | undefined): void {
    if (page) page.changedAt = this.#changes;
  }

  #isStale({ asOf, changedAt }: Page): boolean {
    return asOf < changedAt || asOf < this.#allChangedAt;
  }

  #pageAt(position: number): Page | undefined {
    return this.#inSight({ first: position, last: position }).find(({ rows }) => rows.length > 0);
  }

  /** A page without rows is in sight when one of its neighbours is. */
  #inSight({ first, last }: Sight): Page[] {
    let end = 0;
    return this.#pages.filter(({ rows }) => {
      const start = end;
      end += rows.length;
      return rows.length > 0 ? start <= last && end > first : start <= last + 1 && end >= first;
    });
  }
}
