import type { Resource } from '@inpage-mcp/client';
import type { UsablePage } from './gate.js';

/** The number of pages in a row without a new resource after which a list counts as endless. */
const MAX_EMPTY_PAGES = 100;

interface Page extends UsablePage {
  /** The number of changes that were known when it was requested. */
  asOf: number;
  /** The number of the last change that affects this page. */
  changedAt: number;
  /** The resources of the page, except for those that a newer page also has. */
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
 * The fetched pages of a list. Each of them can be fetched again, and keeps its place.
 *
 * A page is fetched with the cursor of the page before it. A page that is fetched again may lead to another
 * cursor, for example because an entry was added before its end. The next page then begins elsewhere, but it
 * stays as it was until it is fetched again. In the meantime a resource may be missing between the two pages,
 * or be on both: then it is a row of the page that was requested last.
 */
export class ResourcePages {
  #pages: Page[] = [];
  #resources: readonly Resource[] = [];
  /** The page of each uri. */
  readonly #pageOf = new Map<string, Page>();
  /** The number of changes so far. */
  #changes = 0;
  /** The number of the last change that affects all pages. */
  #allChangedAt = 0;
  /** The number of pages in a row, up to the last added one, that had no new resource when they arrived. */
  #emptyInRow = 0;
  /** The index up to which all pages are fetched again in their order; −1 if none are. */
  #renewing = -1;

  /** The rows, each uri once. */
  get resources(): readonly Resource[] {
    return this.#resources;
  }

  /** The number of pages. */
  get length(): number {
    return this.#pages.length;
  }

  /** Whether the list continues after the last page. */
  get hasMore(): boolean {
    return this.#pages.at(-1)?.nextCursor !== undefined;
  }

  /** The number of entries of the list that cannot be shown. */
  get unusable(): number {
    return this.#pages.reduce((sum, { unusable }) => sum + unusable, 0);
  }

  /** The number of changes so far, which is stored with a request for a page. */
  get changes(): number {
    return this.#changes;
  }

  /** The cursor of a page, or of the one after the last. */
  cursorOf(index: number): string | undefined {
    return this.#pages[index - 1]?.nextCursor;
  }

  /** Records a change: of any page, or only of the row at a position. */
  markStale(position?: number): void {
    this.#changes += 1;
    if (position === undefined) this.#allChangedAt = this.#changes;
    else this.#noteChange(this.#pageAt(position));
  }

  /** Records the change of a resource. */
  markResourceStale(uri: string): void {
    this.#changes += 1;
    this.#noteChange(this.#pageOf.get(uri));
  }

  /** Whether pages are being fetched again for their cursors. */
  get isRenewing(): boolean {
    return this.#renewing >= 0;
  }

  /** Records that the cursor of a page is no longer valid. Only the pages before it lead to a new one. */
  renewUpTo(index: number): void {
    this.#changes += 1;
    this.#renewing = index;
    for (const page of this.#pages.slice(0, index + 1)) page.changedAt = this.#changes;
  }

  /** Records that the pages before it do not lead to a valid cursor. */
  stopRenewing(): void {
    this.#renewing = -1;
  }

  /**
   * The index of the visible page that is to be fetched again first; `undefined` if none is. The oldest page
   * with rows comes first.
   */
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
   * Puts a page in its place, or after the last one.
   *
   * @param asOf The number of changes when it was requested.
   * @throws {Error} if it shows that the list never ends; its rows are added nevertheless.
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

  /** The pages that stay after a replaced one. */
  #following(page: Page, [replaced, ...after]: Page[]): Page[] {
    if (!replaced || page.nextCursor === undefined) return [];
    // If many entries were deleted, the page may reach to the end of a later one.
    const end = [replaced, ...after].findIndex(({ nextCursor }) => nextCursor === page.nextCursor);
    if (end >= 0) return after.slice(end);
    this.#changes += 1;
    this.#noteChange(after[0]);
    return after;
  }

  /** Assigns each uri to one page. The cost depends only on the affected pages. */
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
      // Some of its resources belonged to a page that may have been removed.
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

  /** The visible pages. A page without rows counts as visible if one of its neighbours is. */
  #inSight({ first, last }: Sight): Page[] {
    let end = 0;
    return this.#pages.filter(({ rows }) => {
      const start = end;
      end += rows.length;
      return rows.length > 0 ? start <= last && end > first : start <= last + 1 && end >= first;
    });
  }
}
