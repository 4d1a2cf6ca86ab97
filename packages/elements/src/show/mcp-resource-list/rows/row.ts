import type { Resource } from '@inpage-mcp/client';
import { msg } from '@lit/localize';
import { truncateText } from '../../../base/text/truncate-text.js';

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

/** How much of an address names its group. */
const MAX_LENGTH = 300;

/** The group of addresses without a scheme. */
export const OTHER = ':';

/** Resources of one site belong together; others do if they have the same scheme. */
const KEY = /^(?:https?:\/\/[^/?#]*|[^:/?#]+:)/i;

/**
 * The group of an address, as the beginning that all addresses of the group share: `note:`,
 * `https://example.com`. Of an address without a scheme it is `:`.
 *
 * @param previous The group of the row before, which most rows share.
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
    default:
      return truncateText(group.replace(/^https?:\/\/(?:.*@)?|:$/gi, ''), 100);
  }
}
