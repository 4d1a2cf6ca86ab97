import { decodeSafely } from './decode-safely.js';
import { truncateText } from './truncate-text.js';

/** A longer name is cut; how much of an address is looked at for it. */
const MAX_LENGTH = 1_000;

/** The last segment of an address, as its owner wrote it; of a folder with its slash. */
export function nameOf(uri: string): string {
  // A query that follows a slash is not a name.
  const end = uri.slice(-MAX_LENGTH).replace(/\/\?[^/]*$/, '/');
  const segment = end.slice(end.lastIndexOf('/', end.length - 2) + 1);
  return truncateText(decodeSafely(segment));
}
