import { msg, str } from '@lit/localize';
import { McpResourceUpdateEvent } from './events.js';
import { titleOf } from './render-rows.js';
import type { Row } from './row.js';

/**
 * Reports an update to the page, and announces it unless the page cancels the event.
 *
 * @param row The row of the resource; `undefined` if it is no longer in sight.
 * @param announce Tells users of screen readers.
 * @returns Whether the update is to be marked.
 */
export function reportUpdate(
  host: EventTarget,
  row: Row | undefined,
  announce: (text: string) => void,
): boolean {
  if (!row?.resource) return false;
  if (!host.dispatchEvent(new McpResourceUpdateEvent(row.resource))) return false;
  const title = titleOf(row);
  announce(msg(str`${title} was updated`, { id: 'mcp.resource-list.updated' }));
  return true;
}
