import { fold, positionBeforeFolding } from './folded-text.js';
import { MAX_QUERY_WORDS } from './limits.js';
import type { NoteSummary } from './schema.js';
import { cut } from './text-cut.js';

/** How long an excerpt is before its white space is put together, in UTF-16 code units. */
const EXCERPT_LENGTH = 200;
/** How much of an excerpt precedes what was found. */
const EXCERPT_LEAD = 60;

/** Where a note has the words of a query. */
export interface Hits {
  /** How many of the words are in the title. */
  inTitle: number;
  /** The position of the first of them in the folded text; undefined when none is there. */
  inText: number | undefined;
}

/** The distinct words of a query, folded; only the first {@link MAX_QUERY_WORDS}. */
export function wordsOf(query: string): string[] {
  const words = fold(query)
    .split(/\s+/)
    .filter((word) => word !== '');
  return [...new Set(words)].slice(0, MAX_QUERY_WORDS);
}

/** Where a note has the words; undefined unless it has all of them. */
export function hitsOf(
  { title, tags }: NoteSummary,
  text: string,
  words: readonly string[],
): Hits | undefined {
  const foldedTitle = fold(title);
  const foldedTags = tags.map(fold);
  const foldedText = fold(text);
  const hits: Hits = { inTitle: 0, inText: undefined };
  for (const word of words) {
    const inTitle = foldedTitle.includes(word);
    const inText = foldedText.indexOf(word);
    if (!inTitle && inText === -1 && !foldedTags.some((tag) => tag.includes(word)))
      return undefined;
    if (inTitle) hits.inTitle += 1;
    if (inText !== -1) hits.inText = Math.min(inText, hits.inText ?? inText);
  }
  return hits;
}

/** What to show of a note that has been found: see `NoteMatch.excerpt`. */
export function excerptOf(note: NoteSummary, text: string, { inText }: Hits): string {
  if (inText === undefined) return note.firstLine;
  const start = Math.max(positionBeforeFolding(text, inText) - EXCERPT_LEAD, 0);
  const excerpt = cut(text, start, start + EXCERPT_LENGTH);
  // Put together anew: a slice would keep the whole text in memory for as long as it is held.
  return Array.from(excerpt).join('').replaceAll(/\s+/g, ' ').trim();
}
