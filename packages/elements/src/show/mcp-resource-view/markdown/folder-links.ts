import type { TextResourceContents } from '@inpage-mcp/client';
import { msg } from '@lit/localize';
import { truncateText } from '../../../base/text/truncate-text.js';
import { folderPageIn } from '../../../reading/folders.js';

/**
 * The files and folders in a folder of the disk as links in Markdown.
 *
 * @throws {Error} unless the text is that of a folder.
 */
export function folderLinks({ uri, text }: TextResourceContents): string {
  const { children, next } = folderPageIn(text, uri);
  if (children.length === 0)
    return msg('This resource is empty.', { id: 'mcp.resource-view.empty' });
  const lines = children.map((child) => `- ${linkTo(child.uri, truncateText(child.name, 1_000))}`);
  if (next) lines.push('', linkTo(next, msg('Next page', { id: 'mcp.folder.next' })));
  return lines.join('\n');
}

/** A link to a file or folder. No character of its name is treated as Markdown. */
function linkTo(uri: string, name: string): string {
  const words = name.replaceAll(/\s+/g, ' ').replaceAll(/[!-/:-@[-`{-~]/g, '\\$&');
  return `[${words}](<${uri}>)`;
}
