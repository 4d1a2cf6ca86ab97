import { expect } from '@esm-bundle/chai';
import { ResourcePages } from '../../packages/elements/src/reading/resource-pages.js';

/** A server with a list by keys: a cursor is the key that its page comes after. */
class KeyedList {
  keys: number[];
  readonly pageSize: number;

  constructor(length: number, pageSize: number) {
    this.keys = Array.from({ length }, (_, index) => index * 10);
    this.pageSize = pageSize;
  }

  /** The page after a cursor. */
  page(cursor: string | undefined) {
    const after = cursor === undefined ? -1 : Number(cursor);
    const rest = this.keys.filter((key) => key > after).toSorted((a, b) => a - b);
    const keys = rest.slice(0, this.pageSize);
    const isLast = rest.length <= this.pageSize;
    return {
      resources: keys.map((key) => ({ uri: `a:${key}`, name: `${key}` })),
      nextCursor: isLast ? undefined : `${keys.at(-1)}`,
      unusable: 0,
    };
  }
}

const fetchInto = (pages: ResourcePages, list: KeyedList, index: number): void =>
  pages.put(index, list.page(pages.cursorOf(index)), pages.changes);

/** All pages of a list, fetched one after the other. */
function allPages(list: KeyedList): ResourcePages {
  const pages = new ResourcePages();
  do fetchInto(pages, list, pages.length);
  while (pages.hasMore);
  return pages;
}

const keysOf = ({ resources }: ResourcePages): number[] =>
  resources.map(({ name }) => Number(name));

/** Everything, as far as it is stale, is fetched again as it comes into sight, from above. */
function scrollThrough(pages: ResourcePages, list: KeyedList): number {
  let fetches = 0;
  for (let row = 0; row === 0 || row < pages.resources.length || pages.hasMore; row += 1) {
    if (row >= pages.resources.length) fetchInto(pages, list, pages.length);
    for (;;) {
      const index = pages.staleIn({ first: row, last: row });
      if (index === undefined) break;
      fetchInto(pages, list, index);
      fetches += 1;
    }
  }
  return fetches;
}

describe('the pages of a list', () => {
  it('are in the order of the server', () => {
    const list = new KeyedList(25, 10);
    const pages = allPages(list);
    expect(pages.length).to.equal(3);
    expect(keysOf(pages)).to.deep.equal(list.keys);
    expect(pages.staleIn({ first: 0, last: 24 })).to.equal(undefined);
  });

  it('are stale after a change, those in sight first', () => {
    const list = new KeyedList(1_000, 10);
    const pages = allPages(list);
    pages.markStale();
    expect(pages.staleIn({ first: 503, last: 508 })).to.equal(50);
    fetchInto(pages, list, 50);
    expect(pages.staleIn({ first: 503, last: 508 })).to.equal(undefined);
    // At a seam two of them are in sight.
    expect(pages.staleIn({ first: 505, last: 511 })).to.equal(51);
    pages.markStale(3);
    expect(pages.staleIn({ first: 503, last: 508 })).to.equal(undefined);
  });

  it('are fetched in turn while all is changing', () => {
    const list = new KeyedList(30, 10);
    const pages = allPages(list);
    const fetched: number[] = [];
    for (let turn = 0; turn < 6; turn += 1) {
      pages.markStale();
      const index = pages.staleIn({ first: 0, last: 29 })!;
      fetched.push(index);
      fetchInto(pages, list, index);
    }
    expect(fetched).to.deep.equal([0, 1, 2, 0, 1, 2]);
  });

  it('are stale when something has changed since they were asked for', () => {
    const list = new KeyedList(10, 10);
    const pages = new ResourcePages();
    const asOf = pages.changes;
    const page = list.page(undefined);
    pages.markStale();
    pages.put(0, page, asOf);
    expect(pages.staleIn({ first: 0, last: 9 })).to.equal(0);
  });

  it('lead to the whole list again, whatever was added or deleted', () => {
    let seed = 7;
    const random = (below: number): number => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % below;
    };
    for (let round = 0; round < 200; round += 1) {
      const list = new KeyedList(random(60), 1 + random(12));
      const pages = allPages(list);
      for (let change = random(20); change > 0; change -= 1) {
        if (random(2) === 0) list.keys.push(1 + random(600) * 10 + random(9));
        else list.keys.splice(random(list.keys.length + 1), 1 + random(6));
      }
      list.keys = [...new Set(list.keys)].toSorted((a, b) => a - b);
      pages.markStale();
      const row = random(60);
      const index = pages.staleIn({ first: row, last: row + 5 });
      if (index !== undefined) fetchInto(pages, list, index);
      const uris = pages.resources.map(({ uri }) => uri);
      expect(new Set(uris).size, 'no row twice').to.equal(uris.length);
      scrollThrough(pages, list);
      expect(keysOf(pages), `round ${round}`).to.deep.equal(list.keys);
    }
  });

  it('do not lose their places when one is added above', () => {
    const list = new KeyedList(100, 10);
    const pages = allPages(list);
    list.keys.unshift(-5, -4);
    list.keys = list.keys.filter((key) => key !== -5 && key !== -4);
    list.keys.push(1, 2);
    pages.markStale();
    fetchInto(pages, list, 5);
    expect(keysOf(pages).slice(50, 60)).to.deep.equal(list.keys.slice(50, 60));
    fetchInto(pages, list, 0);
    // Two were pushed out of the first page, and come with the second.
    expect(pages.resources).to.have.length(100);
    expect(pages.staleIn({ first: 50, last: 59 })).to.equal(undefined);
    expect(pages.staleIn({ first: 10, last: 19 })).to.equal(1);
  });

  it('keep what is on two of them where it was seen last', () => {
    const page = (names: string[], nextCursor?: string) => ({
      resources: names.map((name) => ({ uri: `a:${name}`, name })),
      nextCursor,
      unusable: 0,
    });
    const pages = new ResourcePages();
    pages.put(0, page(['a', 'b', 'b'], '1'), 0);
    pages.put(1, page(['c', 'd']), 0);
    expect(pages.resources.map(({ name }) => name)).to.deep.equal(['a', 'b', 'c', 'd']);
    pages.markStale();
    pages.put(1, page(['c', 'a']), pages.changes);
    expect(pages.resources.map(({ name }) => name)).to.deep.equal(['b', 'c', 'a']);
  });

  it('end where they go round in circles, with all rows', () => {
    for (const cursor of ['a', 'b']) {
      const pages = new ResourcePages();
      const put = (index: number, nextCursor: string): void =>
        pages.put(
          index,
          { resources: [{ uri: `a:${index}`, name: 'n' }], nextCursor, unusable: 0 },
          0,
        );
      put(0, 'a');
      put(1, 'b');
      expect(() => put(2, cursor)).to.throw('never end');
      expect(pages.resources).to.have.length(3);
      expect(pages.hasMore).to.equal(false);
    }
  });

  it('may bring nothing new 99 times in a row, and not 100 times', () => {
    const pages = new ResourcePages();
    const put = (uri: string): void =>
      pages.put(
        pages.length,
        { resources: [{ uri, name: 'n' }], nextCursor: `${pages.length}`, unusable: 0 },
        0,
      );
    put('a:0');
    for (let index = 0; index < 99; index += 1) put('a:0');
    put('a:1');
    for (let index = 0; index < 99; index += 1) put('a:0');
    expect(() => put('a:0')).to.throw('never end');
    expect(pages.resources).to.have.length(2);
  });

  it('are fetched again from the first on for a cursor that means nothing any more', () => {
    const list = new KeyedList(60, 10);
    const pages = allPages(list);
    pages.renewUpTo(3);
    const renewed: number[] = [];
    while (pages.isRenewing) {
      const index = pages.staleIn({ first: 30, last: 35 })!;
      renewed.push(index);
      fetchInto(pages, list, index);
    }
    expect(renewed).to.deep.equal([0, 1, 2, 3]);
    list.keys = list.keys.slice(0, 15);
    pages.renewUpTo(3);
    while (pages.isRenewing) fetchInto(pages, list, pages.staleIn({ first: 30, last: 35 })!);
    expect(keysOf(pages)).to.deep.equal(list.keys);
  });
});
