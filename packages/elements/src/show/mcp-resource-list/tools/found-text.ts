import { html, type TemplateResult } from 'lit';
import { foldText } from '@inpage-mcp/encoding';
import { truncateText } from '../../../base/text/truncate-text.js';

/** The part of a text that is searched for an excerpt, in UTF-16 code units. */
const MAX_SEARCHED = 20_000;

/** The length of the text before the first found word. */
const MAX_BEFORE = 30;

/** The first line of a text that contains one of the words; `undefined` if none is in the text. */
export function excerptOf(text: string, words: readonly string[]): string | undefined {
  for (const line of text.slice(0, MAX_SEARCHED).split('\n')) {
    const [start] = rangesOf(line, words)[0] ?? [];
    if (start === undefined) continue;
    if (start <= MAX_BEFORE) return truncateText(line.replace(/^[\s#>*-]+/, ''));
    const first = line.indexOf(' ', start - MAX_BEFORE);
    return `…${truncateText(line.slice(first > 0 && first < start ? first : start))}`;
  }
  return undefined;
}

/** A text in which the searched words are marked. */
export function marked(text: string, words: readonly string[]): (string | TemplateResult)[] {
  const parts: (string | TemplateResult)[] = [];
  let at = 0;
  for (const [start, end] of rangesOf(text, words)) {
    if (start < at) continue;
    parts.push(text.slice(at, start), html`<mark>${text.slice(start, end)}</mark>`);
    at = end;
  }
  return [...parts, text.slice(at)];
}

/** The places of the words in a text. A folded letter may be shorter or longer than the letter of the text. */
function rangesOf(text: string, words: readonly string[]): [start: number, end: number][] {
  const isPlain = /^[\x20-\x7e]*$/.test(text);
  let folded = isPlain ? text.toLowerCase() : '';
  const starts: number[] = [];
  if (!isPlain)
    for (const { 0: letter, index } of text.matchAll(/.\p{M}*/gsu)) {
      const own = foldText(letter);
      folded += own;
      for (let unit = 0; unit < own.length; unit += 1) starts.push(index);
    }
  const positionOf = (unit: number): number => (isPlain ? unit : (starts[unit] ?? text.length));
  return words
    .flatMap((word) => {
      const start = folded.indexOf(word);
      if (start < 0) return [];
      return [[positionOf(start), positionOf(start + word.length)] as [number, number]];
    })
    .toSorted(([a], [b]) => a - b);
}
