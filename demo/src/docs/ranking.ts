import type MiniSearch from 'minisearch';
import type { SearchOptions, SearchResult } from 'minisearch';
import { termsOf } from '../../../scripts/docs/search-terms.mjs';

/** A part of a page that a search has found. */
export interface Found {
  heading: string;
  title: string;
  /** The address, relative to the root of the docs. */
  url: string;
  /**
   * The quality of the match: the question is its name (3), is a name in a table (2), or shares words (1) or
   * similar words (0) with it.
   */
  fit: number;
  weight: number;
  /** The terms of the question that it contains. */
  terms: readonly string[];
  score: number;
}

/**
 * The weights of kinds of pages. Readers first want to do a task, then to know how it works, and last the
 * reason. A reader who wants a member of a type knows its name.
 */
const WEIGHTS: { [kind: string]: number } = {
  guides: 2.5,
  packages: 2.5,
  details: 2,
  elements: 1.5,
  reference: 0.4,
  decisions: 0.25,
};

const BOOST = { heading: 6, others: 6, names: 2, title: 3 };

/** Whether a term matches words that begin with it, so that a word counts as soon as its beginning is typed. */
const prefix = (term: string): boolean => term.length > 2;

/**
 * The matches of a question in one part of the index, without an order. Similar words count only if no entry
 * has the words themselves.
 */
export function findIn(part: MiniSearch, query: string): Found[] {
  const terms = termsOf(query);
  const name = nameIn(query);
  const search = (options?: SearchOptions): SearchResult[] =>
    part.search(terms.join(' '), { boost: BOOST, processTerm: (term) => term, prefix, ...options });
  const exact = search();
  const results = exact.length > 0 ? exact : search({ fuzzy: 0.2 });
  // In an index of more documents, each word is rarer, and so counts more.
  const size = Math.log(1 + part.documentCount);
  const isNamed = (one: string): boolean => nameIn(one) === name;
  return results.map((result) => {
    const { heading, title, url, kind, others, names, queryTerms } = result as unknown as Indexed;
    let fit = names?.some(isNamed) ? 2 : 1;
    if ([heading, url.includes('#') ? '' : title, ...(others ?? [])].some(isNamed)) fit = 3;
    if (exact.length === 0) fit = 0;
    const weight = WEIGHTS[kind] ?? 1;
    const score = (result.score * weight) / size;
    return { heading, title, url, fit, weight, terms: queryTerms, score };
  });
}

/**
 * The matches, the best first, each place once: those with this name, and then those with most of the words.
 * A rare word counts more, because a question has words that its answer does not have.
 */
export function ranked(found: readonly Found[]): Found[] {
  const best = Math.max(...found.map(({ fit }) => fit));
  const places: { [term: string]: number } = {};
  for (const term of found.flatMap(({ terms }) => terms)) places[term] = (places[term] ?? 0) + 1;
  const scoreOf = ({ score, terms }: Found): number =>
    score * terms.reduce((sum, term) => sum + Math.log(1 + found.length / places[term]!), 0);
  const sorted = found
    .filter(({ fit }) => fit > 0 || best === 0)
    .map((one) => ({ ...one, score: scoreOf(one) }))
    .toSorted((a, b) => b.fit - a.fit || (a.fit === 3 ? byName(a, b) : 0) || b.score - a.score);
  const byUrl = new Map<string, Found>();
  for (const one of sorted) if (!byUrl.has(one.url)) byUrl.set(one.url, one);
  return [...byUrl.values()];
}

/**
 * Compares two matches of a name. A whole page is better than a part of a page of another kind, and a guide
 * is better than a type.
 */
function byName(a: Found, b: Found): number {
  const [kind, other] = [a, b].map(({ url }) => url.split('/', 1)[0]);
  const byPage = Number(a.url.includes('#')) - Number(b.url.includes('#'));
  return (kind === other ? 0 : byPage) || b.weight - a.weight;
}

interface Indexed {
  heading: string;
  title: string;
  url: string;
  kind: string;
  queryTerms: readonly string[];
  others?: readonly string[];
  names?: readonly string[];
}

/** A name without the characters around it: `<mcp-wire>`, `openPort()`, `runtime.openPort`. */
function nameIn(text: string): string {
  const name = text
    .trim()
    .toLowerCase()
    .replaceAll(/[<>()`]/g, '')
    .replaceAll(' ', '-');
  return name.split('.').at(-1) || name;
}
