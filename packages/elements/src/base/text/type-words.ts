import { msg } from '@lit/localize';
import { truncateText } from './truncate-text.js';

/**
 * A media type as people call it, such as “Image”, “PDF” or “Note”; the type itself, cut, if it has no such name.
 *
 * @param uri Of what has the type.
 */
export function typeInWords(uri: string, type = ''): string {
  if (uri.startsWith('note:')) return msg('Note', { id: 'mcp.type.note' });
  if (type === 'inode/directory') return msg('Folder', { id: 'mcp.resource-list.folder' });
  const [main, name] = type.split('/');
  if (main === 'image') return msg('Image', { id: 'mcp.type.image' });
  if (main === 'audio') return msg('Sound', { id: 'mcp.type.audio' });
  if (main === 'video') return msg('Video', { id: 'mcp.type.video' });
  // PDF, JSON, CSV and the like are called so in every language.
  if (/^\w{3,4}$/.test(name!)) return name!.toUpperCase();
  return main === 'text' ? msg('Text', { id: 'mcp.type.text' }) : truncateText(type, 100);
}
