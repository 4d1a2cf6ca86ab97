import type { Resource } from '@inpage-mcp/client';
import { truncateText } from '../../base/text/truncate-text.js';
import { titleOf } from './title-of.js';

/** `@` and what follows, if no letter or digit is before it, as in an address of e-mail. */
export const MENTION = /(?<![\p{Script=Latin}\p{N}._\-\0])@(?<query>[^\s@]{0,100})$/u;

/** The longest title that is put into a text field as a mention. */
const MAX_LENGTH = 80;

/** What is put into a text field for a resource, with a space after it. */
export function mentionOf(resource: Resource): string {
  const title = titleOf(resource).replaceAll(/\s+/g, ' ');
  return `@${truncateText(title, MAX_LENGTH)} `;
}
