import type { Resource } from '@inpage-mcp/client';
import { msg } from '@lit/localize';
import { truncateText } from '../../../base/text/truncate-text.js';

/** The maximum number of resources that a list loads to search, sort or filter them, or to go to their end. */
export const MAX_RESOURCES = 100_000;

/** The last position that is requested for this: the list controller loads 40 rows ahead. */
export const LAST_POSITION = MAX_RESOURCES - 41;

/** A line of the list: a resource, a folder of the tree, or the heading of a group. */
export interface Row {
  /** A string that no other row has; for a resource its address. */
  key: string;
  /** The resource of the row; a heading, and a folder that the server does not list, has none. */
  resource?: Resource | undefined;
  /** The name of a heading or a folder. */
  label?: string;
  /** A number that no other heading or folder has; it names the element. */
  id: number;
  /** The number of the row among its siblings, from 1. */
  place: number;
  /** The number of siblings; −1 while it is unknown. */
  setSize: number;
  /** The depth in the tree, from 1. */
  level?: number;
  /** Whether a folder is open; `undefined` for any row that cannot be opened. */
  isOpen?: boolean | undefined;
}

/** The rows of a list, of which only the visible ones are requested. */
export interface Rows {
  readonly length: number;
  readonly role: 'listbox' | 'tree';
  /** The indexes of headings. */
  readonly headings: readonly number[];
  keyAt(index: number): string;
  at(index: number): Row;
  /** The index of the row with a key; −1 if it does not exist. */
  indexOf(key: string | undefined): number;
  /** The group of a row; empty if the rows have no groups. */
  groupAt(index: number): string;
  /** Opens or closes a folder. */
  toggle?(index: number): void;
  /** The index of the row to which an arrow to the left or right moves. Opens and closes folders. */
  across?(index: number, isForwards: boolean): number;
}

/** Whether a row is a heading, at which the keyboard does not stop. */
export function isHeading({ resource, isOpen }: Row): boolean {
  return !resource && isOpen === undefined;
}

/** The length of the start of an address that names its group. */
const MAX_LENGTH = 2_500;

/** The group of addresses without a scheme. */
export const OTHER = ':';

/** The groups: resources of one site, or in one folder of the disk, belong together; others by their scheme. */
const KEY = /^(?:https?:\/\/[^/?#]*|disk:\/{3}[^/]+\/|[^:/?#]+:)/i;

/**
 * The group of an address: the beginning that all addresses of the group share: `note:`,
 * `https://example.com`, `disk:///project/`. For an address without a scheme it is `:`.
 *
 * @param previous The group of the previous row, which most rows share.
 */
export function groupOf(uri: string, previous = ''): string {
  if (previous && !previous.startsWith('http') && uri.startsWith(previous)) return previous;
  return KEY.exec(uri.slice(0, MAX_LENGTH))?.[0] ?? OTHER;
}

/** The name of a group for people. */
export function groupLabel(group: string): string {
  switch (group) {
    case 'note:':
      return msg('Notes', { id: 'mcp.resource-list.notes' });
    case 'file:':
      return msg('Files', { id: 'mcp.resource-list.files' });
    case 'inpage:':
      return msg('About this page', { id: 'mcp.resource-list.page' });
    case OTHER:
      return msg('Other', { id: 'mcp.resource-list.other' });
    default: {
      const [, folder] = /^disk:\/{3}(.+)\/$/.exec(group) ?? [];
      const name = folder && decodePath(folder);
      return truncateText(name ?? group.replace(/^https?:\/\/(?:.*@)?|:$/gi, ''), 100);
    }
  }
}

/** Decodes an address like `decodeSafely`, which a page does not load at once. */
export function decodePath(address: string): string {
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
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
  /** The indexes of the headings, at which the resources of each group begin. */
  readonly headings: readonly number[];
  readonly #groups: readonly string[];
  /** The index of the last row that was searched. */
  #found = 0;
  /** The number of the last group that was searched; −1 for none. */
  #group = -1;

  /**
   * @param hasMore Whether the server has more resources than these.
   * @param isGrouped Whether the list has headings.
   */
  constructor(resources: readonly Resource[], hasMore: boolean, isGrouped: boolean) {
    this.#resources = resources;
    this.#setSize = hasMore ? -1 : resources.length;
    const groups = groupsOf(isGrouped ? resources : []);
    this.#groups = [...groups.keys()];
    this.headings = [...groups.values()];
    this.length = resources.length + groups.size;
  }

  keyAt(index: number): string {
    return this.at(index).key;
  }

  /** The row at an index. It is called for 100,000 rows at once when all are selected. */
  at(index: number): Row {
    const before = this.#numberOf(index);
    const setSize = this.#setSize;
    if (this.headings[before] === index) {
      const group = this.#groups[before]!;
      return { key: `heading ${group}`, label: groupLabel(group), id: -1, place: 0, setSize };
    }
    // Each previous group has a heading.
    const id = index - before - 1;
    const resource = this.#resources[id]!;
    return { key: resource.uri, resource, id, place: id + 1, setSize };
  }

  indexOf(key: string | undefined): number {
    if (this.#resources[this.#found]?.uri !== key)
      this.#found = this.#resources.findIndex(({ uri }) => uri === key);
    if (this.#found < 0) return -1;
    const last = this.headings.findLastIndex((start, before) => start - before <= this.#found);
    return this.#found + last + 1;
  }

  groupAt(index: number): string {
    return this.#groups[this.#numberOf(index)] ?? '';
  }

  /** The number of the group of a row. Most rows are requested one after another. */
  #numberOf(index: number): number {
    const { headings } = this;
    if (headings[this.#group]! > index) this.#group = -1;
    while (headings[this.#group + 1]! <= index) this.#group += 1;
    return this.#group;
  }
}

/** The maximum number of groups; a list with more has no headings. */
const MAX_GROUPS = 200;

/** The groups of resources, by the index of their headings; none if they are mixed or too many. */
function groupsOf(resources: readonly Resource[]): Map<string, number> {
  const groups = new Map<string, number>();
  let group: string | undefined;
  for (const [position, { uri }] of resources.entries()) {
    const own = groupOf(uri, group);
    if (own === group) continue;
    if (groups.has(own) || groups.size === MAX_GROUPS) return new Map();
    groups.set(own, position + groups.size);
    group = own;
  }
  return groups;
}
