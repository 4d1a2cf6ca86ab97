import type { Resource } from '@inpage-mcp/client';
import { groupLabel, groupOf, type Row, type Rows } from './row.js';

/** Resources of one group that follow one another. */
interface Run {
  group: string;
  /** The index of its heading. */
  start: number;
}

/**
 * Resources in a given order. In the order of the server, they have a heading for each group, unless
 * the server mixes the groups.
 */
export class ListedRows implements Rows {
  readonly role = 'listbox';
  readonly length: number;
  readonly #resources: readonly Resource[];
  readonly #setSize: number;
  readonly #runs: readonly Run[];
  /** Where the last row that was looked for is. */
  #found = 0;
  /** The number of the run that was looked for last; −1 for none. */
  #run = -1;

  /**
   * @param hasMore Whether the server has more resources than these.
   * @param isGrouped Whether there are headings.
   */
  constructor(resources: readonly Resource[], hasMore: boolean, isGrouped: boolean) {
    this.#resources = resources;
    this.#setSize = hasMore ? -1 : resources.length;
    this.#runs = isGrouped ? runsOf(resources) : [];
    this.length = resources.length + this.#runs.length;
  }

  keyAt(index: number): string {
    return this.at(index).key;
  }

  /** Asked for 100,000 rows at once, when all are selected. */
  at(index: number): Row {
    const run = this.#runAt(index);
    const setSize = this.#setSize;
    if (this.#runs[run]?.start === index) {
      const group = this.groupAt(index);
      return { key: `heading ${group}`, label: groupLabel(group), id: -1, place: 0, setSize };
    }
    // Each run so far has a heading.
    const id = index - run - 1;
    const resource = this.#resources[id]!;
    return { key: resource.uri, resource, id, place: id + 1, setSize };
  }

  indexOf(key: string | undefined): number {
    if (this.#resources[this.#found]?.uri !== key)
      this.#found = this.#resources.findIndex(({ uri }) => uri === key);
    if (this.#found < 0) return -1;
    const run = this.#runs.findLastIndex(({ start }, before) => start - before <= this.#found);
    return this.#found + run + 1;
  }

  groupAt(index: number): string {
    return this.#runs[this.#runAt(index)]?.group ?? '';
  }

  /** Most rows are asked for one after another. */
  #runAt(index: number): number {
    const runs = this.#runs;
    if (runs[this.#run] && runs[this.#run]!.start > index) this.#run = -1;
    while (runs[this.#run + 1] && runs[this.#run + 1]!.start <= index) this.#run += 1;
    return this.#run;
  }
}

/** A list with so many groups has no use for them. */
const MAX_RUNS = 200;

function runsOf(resources: readonly Resource[]): Run[] {
  const runs = new Map<string, Run>();
  let group: string | undefined;
  for (const [position, { uri }] of resources.entries()) {
    const own = groupOf(uri, group);
    if (own === group) continue;
    if (runs.has(own) || runs.size === MAX_RUNS) return [];
    runs.set(own, { group: own, start: position + runs.size });
    group = own;
  }
  return [...runs.values()];
}
