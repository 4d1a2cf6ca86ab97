import type { ResourceContents } from '@inpage-mcp/client';
import { loadPart } from '../../../base/look/load-part.js';
import { mediaTypeOf } from '../../../base/text/media-type.js';
import { isDiskFolder } from '../../../reading/disk.js';

/** The elements of formats. Each module is loaded when it has content to show. */
const RENDERERS = {
  'mcp-view-json': () => import('../../renderers/json/mcp-view-json.js'),
  'mcp-view-table': () => import('../../renderers/table/mcp-view-table.js'),
  'mcp-view-html': () => import('../../renderers/html/mcp-view-html.js'),
  'mcp-view-media': () => import('../../renderers/mcp-view-media.js'),
  'mcp-view-pdf': () => import('../../renderers/mcp-view-pdf.js'),
  'mcp-view-hex': () => import('../../renderers/mcp-view-hex.js'),
} satisfies Record<string, () => Promise<{ renderer: CustomElementConstructor }>>;

/** The tag of an element that shows contents of some media types. */
export type RendererTag = keyof typeof RENDERERS;

/** The ways to show contents: by the view itself, or by an element. */
export type Kind = 'markdown' | 'text' | 'code' | 'image' | 'file' | RendererTag;

/** The ways to show texts: `auto` formats all texts except HTML. */
export type ViewMode = 'auto' | 'formatted' | 'source';

/**
 * The media types and the way in which they are shown; a dot and an extension stand for a type. The first
 * match counts. An `<img>` shows an image or fails with an error, as for HEIC. A script inside an SVG does
 * not run there.
 */
const KINDS: readonly [types: RegExp, kind: Kind][] = [
  [/^text\/markdown$|\.(md|markdown)$/, 'markdown'],
  [/^image\/|\.(avif|bmp|gif|hei[cf]|jpe?g|png|svg|tiff?|webp)$/, 'image'],
  [/[/+.](x-)?(nd|geo)?json(l|lines)?$|\.webmanifest$/, 'mcp-view-json'],
  [/^text\/(csv|tab-sep.*)$|\.[ct]sv$/, 'mcp-view-table'],
  [/^text\/html$|\/xhtml|\.x?html?$/, 'mcp-view-html'],
  [/[/.]pdf$/, 'mcp-view-pdf'],
  [/^(audio|video)\/|\.(mp[34]|m4[av]|web[am]|og[agv]|opus|wav|flac|aac|mov)$/, 'mcp-view-media'],
  [
    /^text\/(?!plain)|[/+.](xml|x?-?(ya?ml|toml|sh|sql|\w+script))$|\.([cm]?[jt]sx?|s?css|less|py|rb|rs|go|java|kts?|[ch](pp|s)?|swift|lua|pl|r|bash|ps1|ini|conf|properties|diff|patch)$/,
    'code',
  ],
];

/** The types that give no information; `video/mp2t` is the type by which servers misidentify TypeScript. */
const GENERIC = /^($|text\/plain|.*\/octet-stream|video\/mp2t)/;

/** Image types that are not named like their extension. */
const IMAGE_TYPES: { readonly [extension: string]: string } = {
  jpg: 'jpeg',
  svg: 'svg+xml',
  tif: 'tiff',
};

/**
 * The kind of contents, by their media type, or by the extension of their name if the type is missing or
 * generic. It is formatted if a format exists and the mode does not ask for the source.
 */
export function kindOf(contents: ResourceContents, mode: ViewMode = 'formatted'): Kind {
  const isSource = mode === 'source' || (mode === 'auto' && opensAsSource(contents));
  if (isSource && 'text' in contents) return 'text';
  // Bytes that claim to be HTML have no source.
  return isSource && mode === 'auto' ? 'file' : formatOf(contents);
}

/** Whether contents have both a formatted view and a source. */
export function hasSource(contents: ResourceContents): boolean {
  return 'text' in contents && formatOf(contents) !== 'text';
}

/** Whether contents are first shown as their source, because a page of HTML may contain any claim. */
export function opensAsSource(contents: ResourceContents): boolean {
  return formatOf(contents) === 'mcp-view-html';
}

/** The media type of an image, by its name if the type is too general. */
export function imageTypeOf(contents: ResourceContents): string {
  const type = typeOf(contents);
  const extension = type.replace(/^\./, '');
  return extension === type ? type : `image/${IMAGE_TYPES[extension] ?? extension}`;
}

/** Loads and defines an element. Rejects when its module cannot be loaded. */
export async function loadRenderer(tag: RendererTag): Promise<void> {
  const { renderer } = await loadPart<{ renderer: CustomElementConstructor }>(RENDERERS[tag]);
  if (!customElements.get(tag)) customElements.define(tag, renderer);
}

function formatOf(contents: ResourceContents): Kind {
  // A folder is shown as links.
  if ('text' in contents && isDiskFolder(contents.uri)) return 'markdown';
  const type = typeOf(contents);
  const kind = KINDS.find(([types]) => types.test(type))?.[1];
  if (kind || 'text' in contents) return kind ?? 'text';
  // A text of bytes of no other kind is read.
  return contents.mimeType?.startsWith('text/') ? 'code' : 'file';
}

/** The media type without parameters, or the extension of the name with its dot. */
function typeOf({ uri, mimeType }: ResourceContents): string {
  const own = mediaTypeOf(mimeType);
  if (!GENERIC.test(own)) return own;
  const [extension] = /\.\w{1,14}(?=[?#]|$)/.exec(uri.slice(-200).toLowerCase()) ?? [];
  return extension ?? own;
}
