import { msg } from '@lit/localize';
import { truncateText } from './truncate-text.js';

/**
 * The common name of a media type, such as “Image”, “PDF” or “Note”; the type itself, cut, if it has no such
 * name.
 *
 * @param uri The uri of the resource with this type.
 */
export function typeInWords(uri: string, type = ''): string {
  if (uri.startsWith('note:')) return msg('Note', { id: 'mcp.type.note' });
  if (type === 'inode/directory') return msg('Folder', { id: 'mcp.resource-list.folder' });
  const [main, name] = type.split('/');
  if (main === 'image') return msg('Image', { id: 'mcp.type.image' });
  if (main === 'audio') return msg('Sound', { id: 'mcp.type.audio' });
  if (main === 'video') return msg('Video', { id: 'mcp.type.video' });
  // PDF, JSON, CSV and similar types have the same name in every language.
  if (/^\w{3,4}$/.test(name!)) return name!.toUpperCase();
  if (main === 'text') return msg('Text', { id: 'mcp.type.text' });
  return nameOfFormat(type) ?? truncateText(type, 100);
}

/** The name of an office format, or of an archive. */
function nameOfFormat(type: string): string | undefined {
  if (/wordprocessingml|msword|ms-word/.test(type))
    return msg('Word document', { id: 'mcp.type.word' });
  if (/opendocument\.text/.test(type)) return msg('Document', { id: 'mcp.type.document' });
  if (/spreadsheet|ms-excel/.test(type)) return msg('Spreadsheet', { id: 'mcp.type.spreadsheet' });
  if (/presentation|ms-powerpoint/.test(type))
    return msg('Presentation', { id: 'mcp.type.presentation' });
  if (/epub/.test(type)) return msg('Book', { id: 'mcp.type.book' });
  if (/zip|7z|x-tar|rar/.test(type)) return msg('Archive', { id: 'mcp.type.archive' });
  return undefined;
}
