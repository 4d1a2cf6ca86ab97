import { decodeSafely } from './decode-safely.js';
import { truncateText } from './truncate-text.js';

/** The maximum length of a name, and of the part of an address in which it is searched. */
const MAX_LENGTH = 1_000;

/** The last segment of an address, as its owner wrote it; for a folder, with its slash. */
export function nameOf(uri: string): string {
  // A query that follows a slash is not a name.
  const end = uri.slice(-MAX_LENGTH).replace(/\/\?[^/]*$/, '/');
  const segment = end.slice(end.lastIndexOf('/', end.length - 2) + 1);
  return truncateText(decodeSafely(segment));
}
