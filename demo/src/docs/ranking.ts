import type MiniSearch from 'minisearch';

/** A part of a page that a search has found. */
export interface Found {
  heading: string;
  title: string;
  /** From the root of the docs. */
  url: string;
  /** How well it fits: what is named so (3), has all words (2), has some (1), or similar ones (0). */
  fit: number;
  weight: number;
  score: number;
}

/** Readers want to do something first, then to know how, and why it is so last. */
const WEIGHTS: { [kind: string]: number } = {
  guides: 4,
  elements: 3,
  details: 2,
  packages: 2,
  decisions: 0.5,
};

const BOOST = { heading: 4, names: 4, title: 2 };

/** Words that say nothing about what is searched for. */
const STOP_WORDS = new Set(
  'a an and are as at be can do does for from get has have how i in is it its me my of on or that the there this to use using want what when where which who why will with you your'.split(
    ' ',
  ),
);

const prefix = (term: string): boolean => term.length > 2;

/** Finds in one part of the index, without an order. Similar words count only where nothing has the words. */
export function findIn(part: MiniSearch, query: string): Found[] {
  const words = query.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
  const telling = words.filter((word) => !STOP_WORDS.has(word));
  const terms = (telling.length > 0 ? telling : words).join(' ');
  const name = nameIn(query);
  const found = new Map<unknown, Found>();
  const add = (fit: number, options: Parameters<MiniSearch['search']>[1]): void => {
    for (const result of part.search(terms, { boost: BOOST, ...options })) {
      if (found.has(result.id)) continue;
      const { heading, title, url, kind, names = [] } = result as unknown as Indexed;
      const isNamed =
        fit === 2 &&
        [heading, url.includes('#') ? '' : title, ...names].some((one) => nameIn(one) === name);
      const weight = WEIGHTS[kind] ?? 1;
      const score = result.score * weight;
      found.set(result.id, { heading, title, url, fit: isNamed ? 3 : fit, weight, score });
    }
  };
  add(2, { combineWith: 'AND', prefix });
  if (found.size === 0) add(1, { prefix });
  if (found.size === 0) add(0, { prefix, fuzzy: 0.2 });
  return [...found.values()];
}

/** The best first, each place once. What fits less is left out, once something fits. */
export function ranked(found: readonly Found[]): Found[] {
  const best = Math.max(...found.map(({ fit }) => fit));
  const sorted = found
    .filter(({ fit }) => fit >= Math.min(best, 2))
    .toSorted((a, b) => b.fit - a.fit || (a.fit === 3 ? byName(a, b) : 0) || b.score - a.score);
  const byUrl = new Map<string, Found>();
  for (const one of sorted) if (!byUrl.has(one.url)) byUrl.set(one.url, one);
  return [...byUrl.values()];
}

/** A page of that name is meant rather than a part of a page of another kind, such as a member of a type. */
function byName(a: Found, b: Found): number {
  const [kind, other] = [a, b].map(({ url }) => url.split('/', 1)[0]);
  const byPage = Number(a.url.includes('#')) - Number(b.url.includes('#'));
  return b.weight - a.weight || (kind === other ? 0 : byPage);
}

interface Indexed {
  heading: string;
  title: string;
  url: string;
  kind: string;
  names?: readonly string[];
}

/** A name without what is written around it: `<mcp-wire>`, `openPort()`, `runtime.openPort`. */
function nameIn(text: string): string {
  const name = text
    .trim()
    .toLowerCase()
    .replaceAll(/[<>()`]/g, '')
    .replaceAll(' ', '-');
  return name.split('.').at(-1) || name;
}
