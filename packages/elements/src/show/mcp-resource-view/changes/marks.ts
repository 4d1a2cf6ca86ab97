import type { ResourceContents } from '@inpage-mcp/client';
import type { Slices } from '../../../reading/slices.js';
import { readText } from '../../renderers/reading.js';
import type { ChangedPlace, RendererElement } from '../../renderers/renderer.js';
import { changedLines } from './changed-lines.js';

/** Names of the highlights of the page (CSS Custom Highlight API), which all views share. */
const [CHANGED, REMOVED] = ['mcp-changed', 'mcp-changed-removed'];

/** Longer texts of renderers are not compared, in UTF-16 code units. */
const MAX_LENGTH = 1_048_576;

/** The renderers that show texts, and mark what has changed in them. */
const OF_TEXTS = ['code', 'json', 'table', 'html'].map((kind) => `mcp-view-${kind}`).join();

/** A line in a text node: all of a short block, such as a paragraph or a cell. */
export interface ShownLine {
  text: string;
  node: Text;
  start: number;
}

/** The lines of texts that the view itself shows. */
export function shownLines(root: ParentNode): ShownLine[] {
  const lines: ShownLine[] = [];
  for (const portion of root.querySelectorAll('.portion')) {
    const walker = document.createTreeWalker(portion, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const node = walker.currentNode as Text;
      for (const { 0: text, index: start } of node.data.matchAll(/[^\n]+/g))
        if (text.trim() !== '') lines.push({ text, node, start });
    }
  }
  return lines;
}

/**
 * Marks of changed lines: highlights in what the view itself shows, which leave the document as it is,
 * and `changes` of renderers. A browser without highlights (Firefox before 140) shows none of those.
 */
export class Marks {
  readonly #root: ParentNode;
  readonly #ranges: [name: string, range: StaticRange][] = [];

  constructor(root: ParentNode) {
    this.#root = root;
  }

  clear(): void {
    for (const [name, range] of this.#ranges.splice(0)) CSS.highlights.get(name)?.delete(range);
    for (const element of this.#root.querySelectorAll<RendererElement>('.renderer'))
      element.changes = undefined;
  }

  /** Marks the lines that the view itself shows now against those before. */
  markLines(before: readonly string[]): void {
    if (!('highlights' in CSS)) return;
    const lines = shownLines(this.#root);
    const texts = lines.map(({ text }) => text);
    for (const { first, end, isRemoval } of changedLines(before, texts)) {
      const name = isRemoval ? REMOVED : CHANGED;
      const highlight = CSS.highlights.get(name) ?? new Highlight();
      CSS.highlights.set(name, highlight);
      for (const { text, node, start } of lines.slice(first, end)) {
        const range = new StaticRange({
          startContainer: node,
          startOffset: start,
          endContainer: node,
          endOffset: start + text.length,
        });
        highlight.add(range);
        this.#ranges.push([name, range]);
      }
    }
  }

  /**
   * Marks the lines of texts that renderers show. Rejects when it is aborted.
   *
   * @param isPartial Whether the resource goes on, so that its last line may.
   */
  async markRenderers(
    before: readonly ResourceContents[],
    isPartial: boolean,
    slices: Slices,
  ): Promise<void> {
    for (const element of this.#root.querySelectorAll<RendererElement>('.renderer')) {
      const { contents } = element;
      if (!contents || !element.matches(OF_TEXTS)) continue;
      const old = before.length === 1 ? before[0] : before.find(({ uri }) => uri === contents.uri);
      if (!old) continue;
      const [{ text: oldText }, { text, isCut }] = [
        await readText(old, slices),
        await readText(contents, slices),
      ];
      await slices.next();
      if (Math.max(oldText.length, text.length) > MAX_LENGTH) continue;
      const found = placesIn(oldText.split('\n'), text.split('\n'));
      const places = found.filter(({ end }) => !(isPartial || isCut) || end < text.length);
      element.changes = { contents, places };
    }
  }
}

/** Changed lines as places of the text. */
function placesIn(before: readonly string[], after: readonly string[]): ChangedPlace[] {
  const starts = [0];
  for (const line of after) starts.push(starts.at(-1)! + line.length + 1);
  return changedLines(before, after).map(({ first, end, isRemoval }) => ({
    start: starts[first]!,
    end: starts[end]! - 1,
    isRemoval,
  }));
}
