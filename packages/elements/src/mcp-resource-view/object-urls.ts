import type { ResourceContents } from '@inpage-mcp/client';
import { partOf } from './content-bytes.js';

/** Media types that `<img>` shows. A script inside an SVG does not run there. */
const IMAGE_TYPES: readonly string[] = [
  'image/avif',
  'image/bmp',
  'image/gif',
  'image/jpeg',
  'image/png',
  'image/svg+xml',
  'image/webp',
  'image/x-icon',
];

/** Whether the contents can be shown as an image. */
export function isImage({ mimeType }: ResourceContents): boolean {
  return mimeType !== undefined && IMAGE_TYPES.includes(mimeType);
}

/**
 * Object URLs of what is shown, each revoked when something else is.
 *
 * A document behind a `blob:` address runs in the page's origin when somebody opens it in a tab,
 * so only images keep their type; everything else can be nothing but saved.
 */
export class ObjectUrls {
  readonly #urls = new Map<ResourceContents, string>();

  /** The URL of the contents, made once. */
  get(contents: ResourceContents): string {
    let url = this.#urls.get(contents);
    if (url === undefined) {
      const type = isImage(contents) ? contents.mimeType! : 'application/octet-stream';
      url = URL.createObjectURL(new Blob([partOf(contents)], { type }));
      this.#urls.set(contents, url);
    }
    return url;
  }

  /** Revokes all URLs but those of the given contents. */
  keep(contents: readonly ResourceContents[]): void {
    for (const [shown, url] of this.#urls) {
      if (contents.includes(shown)) continue;
      URL.revokeObjectURL(url);
      this.#urls.delete(shown);
    }
  }
}
