import type { Slices } from '../../../reading/slices.js';
import { firstIndex } from '../first-index.js';
import { MAX_ROWS } from '../reading.js';
import { KIND, type JsonIndex } from './json-index.js';

/** As many rows as are opened at first. */
const FIRST_ROWS = 60;

/** Which nodes of a JSON text are open, and so which ones are rows. */
export class JsonTree {
  readonly index: JsonIndex;
  readonly #open: Uint8Array;
  #rows: Uint32Array = new Uint32Array(0);
  /** Whether there would be more rows than can be drawn. */
  isTruncated = false;

  constructor(index: JsonIndex) {
    this.index = index;
    this.#open = new Uint8Array(index.count);
    this.#openFirst();
    this.#findRows();
  }

  /** How many rows exist. */
  get count(): number {
    return this.#rows.length;
  }

  /** The node of a row. */
  nodeOf(row: number): number {
    return this.#rows[row] ?? 0;
  }

  /** Where the text of a row begins and ends; that of a closed node has all that is in it. */
  rangeOf(row: number): [start: number, end: number] {
    const { index } = this;
    const isLast = row + 1 >= this.count;
    const end = isLast ? index.text.length : index.startOf(this.nodeOf(row + 1));
    return [index.startOf(this.nodeOf(row)), end];
  }

  /** The row of a node; −1 if it is in a node that is not open. */
  rowOf(node: number): number {
    const found = firstIndex(this.#rows.length, (row) => this.#rows[row]! >= node);
    return this.#rows[found] === node ? found : -1;
  }

  isOpen(node: number): boolean {
    return this.#open[node] === 1;
  }

  /** Whether a node has entries, which are rows where it is open. */
  isExpandable(node: number): boolean {
    return this.index.isContainer(node) && this.index.sizeOf(node) > 0;
  }

  /** Opens or closes a node. */
  toggle(node: number, isOpen = !this.isOpen(node)): void {
    if (!this.isExpandable(node)) return;
    this.#open[node] = isOpen ? 1 : 0;
    this.#findRows();
  }

  /** Opens all nodes around a node. */
  openTo(node: number): void {
    const { index } = this;
    for (let at = index.parentOf(node); at >= 0; at = index.parentOf(at)) this.#open[at] = 1;
    this.#findRows();
  }

  /** Opens all entries of a node. */
  openEntries(node: number): void {
    for (const entry of entriesOf(this.index, node))
      if (this.isExpandable(entry)) this.#open[entry] = 1;
    this.#findRows();
  }

  /** Opens all nodes, or closes all but the root. */
  toggleAll(isOpen: boolean): void {
    for (let node = 0; node < this.index.count; node += 1)
      this.#open[node] = (isOpen || node === 0) && this.isExpandable(node) ? 1 : 0;
    this.#findRows();
  }

  /** Opens the nodes that are open in a tree before, by their keys and positions. */
  async openAs(before: JsonTree, slices: Slices): Promise<void> {
    this.#open.fill(0);
    const pairs: [old: number, own: number][] = [[0, 0]];
    for (let pair = pairs.pop(); pair; pair = pairs.pop()) {
      await slices.next();
      const [old, own] = pair;
      if (!before.isOpen(old) || !this.isExpandable(own)) continue;
      this.#open[own] = 1;
      pairs.push(...pairsOf(before, old, this.index, own));
    }
    this.#findRows();
  }

  #openFirst(): void {
    let rows = 1;
    const queue = [0];
    for (let node = queue.shift(); node !== undefined; node = queue.shift()) {
      if (node >= this.index.count || !this.isExpandable(node)) continue;
      const size = this.index.sizeOf(node);
      if (node > 0 && rows + size > FIRST_ROWS) continue;
      rows += size;
      this.#open[node] = 1;
      if (size <= FIRST_ROWS) queue.push(...entriesOf(this.index, node));
    }
  }

  #findRows(): void {
    const { index } = this;
    const rows = new Uint32Array(Math.min(MAX_ROWS, index.count));
    let count = 0;
    let node = 0;
    while (node < index.count && count < rows.length) {
      rows[count] = node;
      count += 1;
      node = this.isOpen(node) ? node + 1 : index.nextOf(node);
    }
    this.isTruncated = node < index.count;
    this.#rows = rows.subarray(0, count);
  }
}

/** The entries of a node. */
function* entriesOf(index: JsonIndex, node: number): Generator<number> {
  const end = index.nextOf(node);
  for (let entry = node + 1; entry < end; entry = index.nextOf(entry)) yield entry;
}

/** The open entries of an old node, each with the entry of the same name of a new node. */
function pairsOf(
  before: JsonTree,
  old: number,
  index: JsonIndex,
  own: number,
): [old: number, own: number][] {
  const open = [...entriesOf(before.index, old)].filter((entry) => before.isOpen(entry));
  if (open.length === 0) return [];
  const names = new Map<string | number, number>();
  for (const entry of entriesOf(index, own)) names.set(nameOf(index, entry), entry);
  return open.flatMap((entry): [number, number][] => {
    const found = names.get(nameOf(before.index, entry));
    return found === undefined ? [] : [[entry, found]];
  });
}

/** The key of an entry of an object as it is written, else its position. */
export function nameOf(index: JsonIndex, node: number): string | number {
  const parent = index.parentOf(node);
  const hasKey = parent >= 0 && index.kindOf(parent) === KIND.object;
  return hasKey ? index.keyOf(node) : index.positionOf(node);
}
