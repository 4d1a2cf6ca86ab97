import { lineChanges } from '../../../base/text/line-changes.js';

/**
 * Consecutive lines that have changed. If `isRemoval`, the line itself has not changed, but lines before it
 * were removed.
 */
interface ChangedLines {
  first: number;
  end: number;
  isRemoval: boolean;
}

/** The changes from some lines to others; none if there are too many. */
export function changedLines(before: readonly string[], after: readonly string[]): ChangedLines[] {
  if (after.length === 0) return [];
  let moved = 0;
  return (lineChanges(before, after) ?? []).map(({ start, end, lines: { length } }) => {
    const isRemoval = length === 0;
    const first = isRemoval ? Math.min(start + moved, after.length - 1) : start + moved;
    moved += length - (end - start);
    return { first, end: first + Math.max(1, length), isRemoval };
  });
}

/** The names of the highlights of the page (CSS Custom Highlight API), which all views share. */
const [CHANGED, REMOVED] = ['mcp-changed', 'mcp-changed-removed'];

/** A line of code, or a line in a text node: all of a short block, such as a paragraph or a cell. */
interface ShownLine {
  text: string;
  node: Node;
  start: number;
  end: number;
}

/** The lines of texts that the view itself shows. */
export function shownLines(root: ParentNode): ShownLine[] {
  return Array.from(root.querySelectorAll('.portion, .portion > .line'), linesIn).flat();
}

function linesIn(element: Element): ShownLine[] {
  // The colours of a line of code are elements.
  const isCode = element.matches('.line');
  if (!isCode && element.querySelector(':scope > .line')) return [];
  const lines: ShownLine[] = [];
  const add = (text: string, line: Omit<ShownLine, 'text'>): void => {
    if (text.trim() !== '') lines.push({ text, ...line });
  };
  if (isCode) add(element.textContent, { node: element, start: 0, end: element.childNodes.length });
  else {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const node = walker.currentNode as Text;
      for (const { 0: text, index: start } of node.data.matchAll(/[^\n]+/g))
        add(text, { node, start, end: start + text.length });
    }
  }
  return lines;
}

/**
 * Marks changed lines by highlights in the content that the view itself shows, which do not change the
 * document. A browser without highlights (Firefox before 140) shows none.
 */
export class Marks {
  readonly #root: ParentNode;
  readonly #ranges: [name: string, range: StaticRange][] = [];

  constructor(root: ParentNode) {
    this.#root = root;
  }

  clear(): void {
    for (const [name, range] of this.#ranges.splice(0)) CSS.highlights.get(name)?.delete(range);
  }

  /** Marks the changes in comparison to the previous lines. */
  mark(before: readonly string[]): void {
    if (!('highlights' in CSS)) return;
    const lines = shownLines(this.#root);
    const texts = lines.map(({ text }) => text);
    for (const { first, end, isRemoval } of changedLines(before, texts)) {
      const name = isRemoval ? REMOVED : CHANGED;
      const highlight = CSS.highlights.get(name) ?? new Highlight();
      CSS.highlights.set(name, highlight);
      for (const line of lines.slice(first, end)) {
        const range = new StaticRange({
          startContainer: line.node,
          startOffset: line.start,
          endContainer: line.node,
          endOffset: line.end,
        });
        highlight.add(range);
        this.#ranges.push([name, range]);
      }
    }
  }
}
