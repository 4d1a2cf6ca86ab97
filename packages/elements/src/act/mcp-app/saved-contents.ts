import type { ContentBlock } from '@inpage-mcp/client';

/** A file that an app asks the user to save. */
export interface SavedFile {
  name: string;
  /** The contents, or the address of a link. */
  data: Blob | string;
}

/** The files in the contents that an app asks the user to save: embedded resources, and links to them. */
export function filesOf(contents: readonly ContentBlock[]): SavedFile[] {
  return contents.flatMap((block): SavedFile[] => {
    if (block.type === 'resource_link' && /^https?:/i.test(block.uri))
      return [{ name: safeName(block.name || block.uri), data: block.uri }];
    if (block.type !== 'resource') return [];
    const { uri, mimeType = 'application/octet-stream' } = block.resource;
    const part = 'text' in block.resource ? block.resource.text : bytesOf(block.resource.blob);
    return part === undefined
      ? []
      : [{ name: safeName(uri), data: new Blob([part], { type: mimeType }) }];
  });
}

/** Saves a file as a browser does: as a download, or a link in a page of its own. */
export function saveFile({ name, data }: SavedFile): void {
  const link = document.createElement('a');
  link.rel = 'noopener noreferrer';
  link.target = '_blank';
  link.href = typeof data === 'string' ? data : URL.createObjectURL(data);
  if (typeof data !== 'string') link.download = name;
  link.click();
  // Once the download has begun, it keeps the data itself.
  if (typeof data !== 'string') setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** The last part of an address, without characters that a file system or a reader could misinterpret. */
function safeName(uri: string): string {
  const last = uri.split(/[?#]/, 1)[0]!.split('/').pop()!;
  let name = last;
  try {
    name = decodeURIComponent(last);
  } catch {
    // The text is not encoded.
  }
  return (
    name
      .replace(/[\p{C}\\/:*?"<>|]/gu, '_')
      .replace(/^\.+/, '')
      .slice(0, 200) || 'file'
  );
}

function bytesOf(base64: string): BlobPart | undefined {
  try {
    return Uint8Array.from(atob(base64), (byte) => byte.charCodeAt(0));
  } catch {
    return undefined;
  }
}
