import { isInline, MAX_INLINE_BYTES } from './content.js';
import type { ResourceCall, ResourceContents } from '../resource-provider.js';

/** The maximum number of resources in the answer for one folder or search. */
export const MAX_GATHERED = 100;
/**
 * The maximum total size of their contents inside the message, in bytes, unless the limit of the
 * connection is lower; Blobs do not count.
 */
export const MAX_GATHERED_BYTES = 4 * 1024 * 1024;

/** The maximum number of omitted resources that are named. */
const MAX_NAMED = 20;

/** One resource among several, before its content is read. */
export interface GatheredItem {
  uri: string;
  mimeType: string;
  /** The size in bytes. */
  size: number;
}

/**
 * Reads several resources for one `resources/read`: as many as the limits allow, and a text that
 * names the omitted ones.
 *
 * @param uri The requested uri; the text has this uri too.
 * @param items At most {@link MAX_GATHERED}, in their order.
 * @param total The number of all matching resources.
 * @param call After an abort of its signal this rejects with `signal.reason`.
 * @param read Reads the contents of some items at once; it skips those that were just deleted.
 */
export async function gather<Item extends GatheredItem>(
  uri: string,
  items: readonly Item[],
  total: number | Promise<number>,
  call: ResourceCall,
  read: (chosen: readonly Item[]) => Promise<ResourceContents[]>,
): Promise<ResourceContents[]> {
  const { signal, inlineBytes = MAX_INLINE_BYTES } = call;
  const room = Math.min(MAX_GATHERED_BYTES, inlineBytes);
  const chosen: Item[] = [];
  const leftOut: Item[] = [];
  let bytes = 0;
  for (const item of items) {
    const inline = isInline(item, call) ? item.size : 0;
    const fits = bytes + inline <= room;
    if (fits) bytes += inline;
    (fits ? chosen : leftOut).push(item);
  }
  const [contents, all] = await Promise.all([read(chosen), total]);
  signal.throwIfAborted();
  const more = Math.max(0, all - items.length);
  if (leftOut.length + more === 0) return contents;
  return [...contents, { uri, mimeType: 'text/plain', text: describe(leftOut, more, room) }];
}

function describe(leftOut: readonly GatheredItem[], more: number, room: number): string {
  const count = leftOut.length + more;
  const limits = `at most ${MAX_GATHERED} and ${room} bytes are sent together`;
  const named = leftOut.slice(0, MAX_NAMED).map(({ uri, size }) => `- ${uri} (${size} bytes)`);
  const unnamed = count - named.length;
  const rest = unnamed > 0 ? [`- and ${unnamed} more`] : [];
  return [`Left out: ${count} (${limits}).`, ...named, ...rest].join('\n');
}
