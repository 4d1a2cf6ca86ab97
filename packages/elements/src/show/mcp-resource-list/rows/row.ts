import type { Resource } from '@inpage-mcp/client';

/** How many resources a list loads to search, sort or filter them, or to go to their end. */
export const MAX_RESOURCES = 100_000;

/** The last position to ask for then: the list controller loads 40 rows ahead. */
export const LAST_POSITION = MAX_RESOURCES - 41;

/** A line of the list: a resource, a folder of the tree, or the heading of a group. */
export interface Row {
  /** A string that no other row has: of a resource its address. */
  key: string;
  /** What the row stands for; a heading, and a folder that the server does not list, has none. */
  resource?: Resource | undefined;
  /** What a heading or a folder is called. */
  label?: string;
  /** Of a heading or a folder, a number that no other row has; it names the element. */
  id: number;
  /** The number of the row among its siblings, from 1. */
  place: number;
  /** How many siblings there are; −1 while this is unknown. */
  setSize: number;
  /** The depth in the tree, from 1. */
  level?: number;
  /** Whether a folder is open; `undefined` for all that cannot be opened. */
  isOpen?: boolean | undefined;
}

/** The rows of a list, of which only those in sight are asked for. */
export interface Rows {
  readonly length: number;
  readonly role: 'listbox' | 'tree';
  keyAt(index: number): string;
  at(index: number): Row;
  /** −1 if there is no such row. */
  indexOf(key: string | undefined): number;
  /** The group of a row; empty if the rows have no groups. */
  groupAt(index: number): string;
  /** Opens or closes a folder. */
  toggle?(index: number): void;
  /** Where an arrow to the left or right leads. Opens and closes folders. */
  across?(index: number, isForwards: boolean): number;
}

/** Whether the keyboard stops at a row. */
export function isHeading({ resource, isOpen }: Row): boolean {
  return !resource && isOpen === undefined;
}
