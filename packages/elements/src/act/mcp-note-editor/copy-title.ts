import { msg, str } from '@lit/localize';

/** The longest title of a note, in UTF-16 code units. */
export const MAX_TITLE_LENGTH = 1_000;

/** The title of a version that becomes a note of its own; never longer than a title may be. */
export function copyTitle(title: string): string {
  const copy = titleOf(title);
  const excess = copy.length - MAX_TITLE_LENGTH;
  // A server may have longer titles.
  if (excess <= 0 || title.length > MAX_TITLE_LENGTH) return copy;
  return titleOf(title.slice(0, -excess).replace(/[\ud800-\udbff]$/, ''));
}

const titleOf = (title: string): string =>
  msg(str`${title} (my version)`, { id: 'mcp.editor.my-version' });
