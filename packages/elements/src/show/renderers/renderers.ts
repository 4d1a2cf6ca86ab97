import type { ResourceContents } from '@inpage-mcp/client';
import { loadPart } from '../../base/look/load-part.js';

/** An element that shows contents of some media types. */
export interface Renderer {
  /** The tag of the element, such as `mcp-view-json`. */
  tag: string;
  /** Loads and defines the element. Rejects when its module cannot be loaded. */
  load: () => Promise<unknown>;
}

type Kind = keyof typeof MODULES;

/** Each module is loaded when there is something for it to show. */
const MODULES = {
  code: () => import('./code/mcp-view-code.js'),
  json: () => import('./json/mcp-view-json.js'),
  table: () => import('./table/mcp-view-table.js'),
  hex: () => import('./hex/mcp-view-hex.js'),
  html: () => import('./html/mcp-view-html.js'),
  media: () => import('./media/mcp-view-media.js'),
  pdf: () => import('./pdf/mcp-view-pdf.js'),
} satisfies Record<string, () => Promise<{ renderer: CustomElementConstructor }>>;

/** Media types and what shows them; a dot and an extension stand for a type. The first match counts. */
const KINDS: readonly [types: RegExp, kind: Kind][] = [
  [/[/+.](x-)?(nd|geo)?json(l|lines)?$|\.webmanifest$/, 'json'],
  [/^text\/(csv|tab-sep.*)$|\.[ct]sv$/, 'table'],
  [/^text\/html$|\/xhtml|\.x?html?$/, 'html'],
  [/[/.]pdf$/, 'pdf'],
  [/^(audio|video)\/|\.(mp[34]|m4[av]|web[am]|og[agv]|opus|wav|flac|aac|mov)$/, 'media'],
  [
    /^text\/(?!plain|markdown)|[/+.](xml|x?-?(ya?ml|toml|sh|sql|\w+script))$|\.([cm]?[jt]sx?|s?css|less|py|rb|rs|go|java|kts?|[ch](pp|s)?|swift|lua|pl|r|bash|ps1|ini|conf|properties|diff|patch)$/,
    'code',
  ],
];

/** A type that says nothing; `video/mp2t` is what servers take TypeScript for. */
const GENERIC = /^($|text\/plain|.*\/octet-stream|video\/mp2t)/;

/**
 * What shows the contents: by their media type, else by the extension of their name where the type is
 * missing or generic. `undefined` for prose, images, and what only a download serves: the view shows
 * those.
 */
export function rendererFor(contents: ResourceContents): Renderer | undefined {
  const kind = kindOf(contents);
  return kind && { tag: `mcp-view-${kind}`, load: () => define(kind) };
}

function kindOf({ uri, mimeType, ...contents }: ResourceContents): Kind | undefined {
  const own = textOf(mimeType).toLowerCase().split(';', 1)[0]!.trim();
  if (own.startsWith('image/')) return undefined;
  const type = GENERIC.test(own) ? extensionOf(textOf(uri)) : own;
  const kind = KINDS.find(([types]) => types.test(type))?.[1];
  if (kind || !('blob' in contents)) return kind;
  // Bytes of no other kind: a text is read, anything else is shown as bytes.
  return own.startsWith('text/') ? 'code' : 'hex';
}

/** A client that checks nothing may deliver anything. */
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const extensionOf = (uri: string): string =>
  uri.slice(uri.lastIndexOf('.')).slice(0, 16).toLowerCase();

async function define(kind: Kind): Promise<void> {
  const { renderer } = await loadPart<{ renderer: CustomElementConstructor }>(MODULES[kind]);
  const tag = `mcp-view-${kind}`;
  if (!customElements.get(tag)) customElements.define(tag, renderer);
}
