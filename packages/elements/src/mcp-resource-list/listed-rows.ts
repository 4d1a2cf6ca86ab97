import type { Resource } from '@inpage-mcp/client';
import { groupLabel, groupOf } from './groups.js';
import type { Row, Rows } from './row.js';

/** Resources of one group that follow one another. */
interface Run {
  group: string;
  /** The index of its heading. */
  start: number;
  /** The position of its first resource. */
  position: number;
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
    const run = this.#runAt(index);
    return run?.start === index
      ? `heading ${run.group}`
      : this.#resources[positionIn(run, index)]!.uri;
  }

  at(index: number): Row {
    const run = this.#runAt(index);
    const position = positionIn(run, index);
    const shared = { key: this.keyAt(index), setSize: this.#setSize };
    return run?.start === index
      ? { ...shared, id: -1, place: 0, label: groupLabel(run.group) }
      : { ...shared, id: position, place: position + 1, resource: this.#resources[position] };
  }

  indexOf(key: string | undefined): number {
    if (this.#resources[this.#found]?.uri !== key)
      this.#found = this.#resources.findIndex(({ uri }) => uri === key);
    if (this.#found < 0) return -1;
    const run = this.#runs.findLast(({ position }) => position <= this.#found);
    return run ? this.#found - run.position + run.start + 1 : this.#found;
  }

  groupAt(index: number): string {
    return this.#runAt(index)?.group ?? '';
  }

  /** There are few runs. */
  #runAt(index: number): Run | undefined {
    return this.#runs.findLast(({ start }) => start <= index);
  }
}

function positionIn(run: Run | undefined, index: number): number {
  return run ? index - run.start - 1 + run.position : index;
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
    runs.set(own, { group: own, start: position + runs.size, position });
    group = own;
  }
  return [...runs.values()];
}
