import { foldText } from '@inpage-mcp/elements/classes';
import { html, type TemplateResult } from 'lit';

/** A letter or digit with its marks; in scripts without spaces no word ends where one sees it. */
const WORD = /[\p{L}\p{M}\p{N}]+/gu;

/** A text in which what was searched for is marked: the words that begin with one of the query. */
export function highlighted(text: string, query: string): (string | TemplateResult)[] {
  const wanted = wordsOf(query);
  const parts: (string | TemplateResult)[] = [];
  let end = 0;
  const mark = (start: number, length: number): void => {
    parts.push(text.slice(end, start), html`<mark>${text.slice(start, start + length)}</mark>`);
    end = start + length;
  };
  for (const { 0: word, index } of text.matchAll(WORD)) {
    const folded = foldText(word);
    const found = wanted.find((one) => folded.startsWith(one));
    if (found !== undefined) mark(index, lengthOf(word, found));
    else for (const [start, length] of within(word, wanted)) mark(index + start, length);
  }
  return [...parts, text.slice(end)];
}

/** Where words of scripts without spaces are in a run of letters: their starts are not known here. */
function within(run: string, wanted: readonly string[]): [start: number, length: number][] {
  if (!UNSPACED.test(run)) return [];
  const found: [number, number][] = [];
  for (const word of wanted) {
    const start = UNSPACED.test(word) ? run.indexOf(word) : -1;
    const isFree = found.every(([other, length]) => start >= other + length);
    if (start !== -1 && isFree) found.push([start, word.length]);
  }
  return found;
}

const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** How much of a word is a beginning of it that was typed. */
function lengthOf(word: string, typed: string): number {
  let length = 0;
  for (const character of word) {
    if (foldText(word.slice(0, length)).length >= typed.length) break;
    length += character.length;
  }
  // Marks belong to the letter before them.
  const [marks = ''] = /^\p{M}+/u.exec(word.slice(length)) ?? [];
  return length + marks.length;
}

const wordsOf = (query: string): string[] => [...new Set(foldText(query).match(WORD))];
