import type { ResourceContents } from '@inpage-mcp/client';
import { rendererFor } from '../../renderers/renderers.js';

/** How contents are shown: by the view itself, or by the renderer element of that name. */
export type Kind = 'markdown' | 'text' | 'image' | 'file' | `mcp-view-${string}`;

/** Shows any bytes; only when the user wants that. */
const BYTES_TAG = 'mcp-view-hex';

/** How texts are shown: `auto` formats all but HTML. */
export type ViewMode = 'auto' | 'formatted' | 'source';

/** Types that say little: the name may say more. */
const GENERIC_TYPES = ['', 'text/plain', 'application/octet-stream'];

/** Types by the ends of names, for what the view itself shows. */
const TYPES_BY_NAME: { readonly [ending: string]: string } = {
  md: 'text/markdown',
  markdown: 'text/markdown',
  avif: 'image/avif',
  bmp: 'image/bmp',
  gif: 'image/gif',
  heic: 'image/heic',
  heif: 'image/heif',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  png: 'image/png',
  svg: 'image/svg+xml',
  tif: 'image/tiff',
  tiff: 'image/tiff',
  webp: 'image/webp',
};

/** The media type of contents, without parameters; by the name where the type says little. */
export function typeOf({ uri, mimeType = '' }: ResourceContents): string {
  const [type = ''] = mimeType.slice(0, 200).toLowerCase().split(/\s*;/, 1);
  if (!GENERIC_TYPES.includes(type)) return type;
  const ending = /\.(\w{1,8})(?:[?#].*)?$/.exec(uri.slice(-200))?.[1]?.toLowerCase() ?? '';
  return (Object.hasOwn(TYPES_BY_NAME, ending) && TYPES_BY_NAME[ending]) || type;
}

/** How contents are shown, formatted if there is a format and nothing else is wanted. */
export function kindOf(contents: ResourceContents, mode: ViewMode = 'formatted'): Kind {
  const isSource = mode === 'source' || (mode === 'auto' && opensAsSource(contents));
  if (isSource && 'text' in contents) return 'text';
  // Bytes that say that they are HTML have no source.
  if (isSource && mode === 'auto') return 'file';
  const type = typeOf(contents);
  if (type === 'text/markdown' && 'text' in contents) return 'markdown';
  // `<img>` shows it or says that it cannot, as for HEIC. A script inside an SVG does not run there.
  if (type.startsWith('image/')) return 'image';
  const renderer = rendererFor(contents);
  if (renderer && renderer.tag !== BYTES_TAG) return renderer.tag as Kind;
  return 'text' in contents ? 'text' : 'file';
}

/** Whether contents have both a formatted view and a source. */
export function hasSource(contents: ResourceContents): boolean {
  return 'text' in contents && kindOf(contents) !== 'text';
}

/** Whether contents are first shown as their source: a page of HTML can say anything. */
export function opensAsSource(contents: ResourceContents): boolean {
  return ['text/html', 'application/xhtml+xml'].includes(typeOf(contents));
}
