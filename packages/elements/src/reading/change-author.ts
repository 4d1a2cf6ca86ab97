import { msg } from '@lit/localize';
import { truncateText } from '../base/text/truncate-text.js';
import { amountOf, fieldsOf } from './gate.js';

/** The key under which a server of this project names the author of a change (docs/resources.md). */
const CHANGED_BY_KEY = 'io.github.inpage-mcp/changed-by';

/** The author of a change, as far as the server names them. */
export interface ChangeAuthor {
  /** Whether it was this client, or the page itself. */
  isOwn: boolean;
  /** The name for the user: the origin of a frame, another tab or device, or a tool. */
  name?: string | undefined;
  /** The number of its connection in the activity log. */
  connection?: number | undefined;
}

/** The author of a change, from the `_meta` of its notification. */
export function authorIn(meta: unknown): ChangeAuthor {
  const { own, from, origin, connection } = fieldsOf(fieldsOf(meta)[CHANGED_BY_KEY]);
  return { isOwn: own === true, name: nameOf(from, origin), connection: amountOf(connection) };
}

/** The author of several changes: the last one that is not this client. */
export function authorOfAll(metas: readonly unknown[]): ChangeAuthor {
  const authors = metas.map(authorIn);
  return authors.findLast(({ isOwn }) => !isOwn) ?? { isOwn: authors.length > 0 };
}

function nameOf(from: unknown, origin: unknown): string | undefined {
  // The origin of a sandboxed frame is `null`, which identifies no one.
  if (typeof origin === 'string' && origin !== 'null') return truncateText(origin, 80);
  if (from === 'tab') return msg('another tab', { id: 'mcp.author.tab' });
  if (from === 'device') return msg('another device', { id: 'mcp.author.device' });
  if (from === 'frame') return msg('a frame', { id: 'mcp.author.frame' });
  return from === 'tool' ? msg('a tool', { id: 'mcp.author.tool' }) : undefined;
}
