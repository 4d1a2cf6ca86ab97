import type { ResourceContents } from '@inpage-mcp/client';

/** An element that shows contents of some media types. */
export interface Renderer {
  /** The tag of the element, such as `mcp-view-json`. */
  tag: string;
  /** Loads and defines the element. Rejects when its module cannot be loaded. */
  load: () => Promise<unknown>;
}

type Kind = keyof typeof ELEMENTS;

/** Each module is loaded when there is something for it to show. */
const ELEMENTS = {
  code: async () => (await import('./code/mcp-view-code.js')).McpViewCode,
  json: async () => (await import('./json/mcp-view-json.js')).McpViewJson,
  table: async () => (await import('./table/mcp-view-table.js')).McpViewTable,
  hex: async () => (await import('./hex/mcp-view-hex.js')).McpViewHex,
  html: async () => (await import('./html/mcp-view-html.js')).McpViewHtml,
  media: async () => (await import('./media/mcp-view-media.js')).McpViewMedia,
  pdf: async () => (await import('./pdf/mcp-view-pdf.js')).McpViewPdf,
} satisfies Record<string, () => Promise<CustomElementConstructor>>;

/** What a media type, or the type of an extension, is shown with; the first match counts. */
const KINDS: readonly [types: RegExp, kind: Kind][] = [
  [/[/+](x-)?(nd)?json(l|-?lines)?$/, 'json'],
  [/^text\/(csv|tab-separated-values)$/, 'table'],
  [/^(text\/html|application\/xhtml\+xml)$/, 'html'],
  [/^application\/pdf$/, 'pdf'],
  [/^(audio|video)\//, 'media'],
  [/^text\/(?!plain|markdown)|[/+](xml|x?-?(yaml|toml|sh|sql|\w+script))$/, 'code'],
];

/** The types of extensions; an extension that is not here is code, or nothing that we know. */
const EXTENSIONS: readonly [extensions: RegExp, type: string][] = [
  [/^((geo|x)?json|jsonl|ndjson|webmanifest)$/, '/json'],
  [/^[ct]sv$/, 'text/csv'],
  [/^x?html?$/, 'text/html'],
  [/^pdf$/, 'application/pdf'],
  [/^(mp[34]|m4[av]|web[am]|og[agv]|opus|wav|flac|aac|mov)$/, 'video/'],
  [
    /^([cm]?[jt]sx?|css|scss|less|py|rb|rs|go|java|kts?|[ch](pp|s)?|cc|swift|lua|pl|r|sql|(ba|z)?sh|ps1|ya?ml|toml|xml|svg|ini|conf|properties|diff|patch)$/,
    'text/x',
  ],
];

/** A type that says nothing; `video/mp2t` is what servers take TypeScript for. */
const GENERIC = /^($|text\/plain$|(application|binary)\/octet-stream$|video\/mp2t$)/;

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
  const own = textOf(mimeType)
    .toLowerCase()
    .replace(/\s*;.*/s, '');
  const type = GENERIC.test(own) ? typeOfName(textOf(uri)) : own;
  const kind = KINDS.find(([types]) => types.test(type))?.[1];
  if (type.startsWith('image/')) return undefined;
  // Bytes of no other kind: a text is read, anything else is shown as bytes.
  return kind ?? ('blob' in contents ? (own.startsWith('text/') ? 'code' : 'hex') : undefined);
}

/** A client that checks nothing may deliver anything. */
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

function typeOfName(uri: string): string {
  const extension = /\.(\w{1,12})$/.exec(uri.slice(-64))?.[1]?.toLowerCase() ?? '';
  return EXTENSIONS.find(([extensions]) => extensions.test(extension))?.[1] ?? '';
}

async function define(kind: Kind): Promise<void> {
  const elementClass = await ELEMENTS[kind]();
  const tag = `mcp-view-${kind}`;
  if (!customElements.get(tag)) customElements.define(tag, elementClass);
}
