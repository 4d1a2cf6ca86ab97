import { msg } from '@lit/localize';
import { truncateText } from '../../../base/text/truncate-text.js';

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
