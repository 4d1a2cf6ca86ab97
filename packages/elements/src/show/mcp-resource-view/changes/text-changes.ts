import { truncateText } from '../../../base/text/truncate-text.js';
import type { MarkedChange } from './marked-change.js';
import { changesOf, wordsOf, type Word, type WordChange } from './word-changes.js';

/** Names of the highlights of the page (CSS Custom Highlight API), which all views share. */
const NAMES = {
  added: 'mcp-changed',
  removed: 'mcp-changed-removed',
  current: 'mcp-changed-current',
} as const;

/**
 * The changes that are marked in text nodes: by highlights, which leave the document as it is. A
 * browser without highlights (Firefox before 140) shows none.
 */
export class TextChanges {
  readonly #marks: [name: string, range: StaticRange][] = [];

  /** Marks what is shown now against the texts before. */
  mark(before: readonly string[], nodes: readonly Text[], max: number): MarkedChange[] {
    const old = wordsOf(before);
    const texts = textsOf(nodes);
    const words = wordsOf(texts);
    const changes = old && words && words.length > 0 ? (changesOf(old, words) ?? []) : [];
    return changes.slice(0, max).map((change) => {
      const range = rangeOf(change, words!, nodes);
      const added = excerpt(words!.slice(change.start, change.end), texts);
      this.#highlight(added ? NAMES.added : NAMES.removed, range);
      const removed = excerpt(change.removed, before);
      return { added, removed, enter: () => this.#enter(range), leave };
    });
  }

  /** Removes all marks. */
  clear(): void {
    for (const [name, range] of this.#marks.splice(0)) CSS.highlights.get(name)?.delete(range);
  }

  #enter(range: StaticRange): void {
    this.#highlight(NAMES.current, range);
    range.startContainer.parentElement?.scrollIntoView({ block: 'center' });
  }

  #highlight(name: string, range: StaticRange): void {
    if (!('highlights' in CSS)) return;
    const highlight = CSS.highlights.get(name) ?? new Highlight();
    if (name === NAMES.current) highlight.priority = 1;
    CSS.highlights.set(name, highlight.add(range));
    this.#marks.push([name, range]);
  }
}

function leave(): void {
  CSS.highlights?.get(NAMES.current)?.clear();
}

/** What stands in text nodes. */
export function textsOf(nodes: readonly Text[]): string[] {
  return nodes.map(({ data }) => data);
}

/** The changed words; where words were only removed, the word after them, or else the last. */
function rangeOf(
  { start, end }: WordChange,
  words: readonly Word[],
  nodes: readonly Text[],
): StaticRange {
  const first = words[Math.min(start, words.length - 1)]!;
  const last = words[Math.max(start, end - 1)] ?? first;
  return new StaticRange({
    startContainer: nodes[first.at]!,
    startOffset: first.start,
    endContainer: nodes[last.at]!,
    endOffset: last.start + last.text.length,
  });
}

/** What stands from the first of some words to the last, short enough for a line. */
function excerpt(words: readonly Word[], texts: readonly string[]): string {
  const [first, last] = [words[0], words.at(-1)];
  if (!first || !last) return '';
  const end = last.start + last.text.length;
  if (first.at === last.at) return truncateText(texts[first.at]!.slice(first.start, end), 80);
  const some = words.slice(0, 20).map(({ text }) => text);
  return truncateText(some.join(' '), 80);
}
