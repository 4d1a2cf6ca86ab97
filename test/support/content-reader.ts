import type { Access } from '@inpage-mcp/server';
import type { JsonRpcError } from '@inpage-mcp/transport';
import type { LinkedServer } from './linked-server.js';
import { MODERN_META, type RawClient } from './raw-client.js';
import { errorOf, resultOf, type Answer } from './revisions.js';

export const BLOB_EXTENSION = 'io.github.inpage-mcp/blob';
const RANGE_META_KEY = 'io.github.inpage-mcp/range';
const RESOURCE_META_KEY = 'io.github.inpage-mcp/resource';

/** A content as it comes in, with its three keys of `_meta` split off. */
export interface ReadContent {
  uri: string;
  mimeType?: string;
  text?: string;
  blob?: string;
  handle?: Blob;
  range?: unknown;
  resource?: ResourceMeta;
}

interface ResourceMeta {
  size: number;
  revision: number;
}

type SentContent = ReadContent & { _meta?: { [key: string]: unknown } };

/** What kind of client reads. */
export type ReaderKind = 'with the extension' | 'without it' | 'of the legacy era';

/** Reads resources on a raw connection. */
export class ContentReader {
  readonly client: RawClient;
  readonly #kind: ReaderKind;

  private constructor(client: RawClient, kind: ReaderKind) {
    this.client = client;
    this.#kind = kind;
  }

  /** Connects; a legacy client declares the extension all the same, wherever it could. */
  static async connect(
    linked: LinkedServer,
    kind: ReaderKind,
    access: Access = {},
  ): Promise<ContentReader> {
    const client = linked.connectRaw(access);
    const extensions = { [BLOB_EXTENSION]: {} };
    if (kind === 'of the legacy era') {
      await client.initialize('2025-11-25', { extensions, experimental: extensions });
    }
    return new ContentReader(client, kind);
  }

  /** All contents of a resource. */
  async contents(uri: string): Promise<ReadContent[]> {
    return contentsIn(await this.#ask(uri, {}));
  }

  /** The only content of a resource. */
  async content(uri: string): Promise<ReadContent> {
    return onlyOf(await this.contents(uri));
  }

  /** The content that a range of a resource is. */
  async range(uri: string, range: unknown): Promise<ReadContent> {
    return onlyOf(contentsIn(await this.#ask(uri, { [RANGE_META_KEY]: range })));
  }

  /** Why a resource, or a range of it, cannot be read. */
  async failure(uri: string, range?: unknown): Promise<JsonRpcError['error']> {
    return errorOf(await this.#ask(uri, range === undefined ? {} : { [RANGE_META_KEY]: range }));
  }

  async #ask(uri: string, meta: object): Promise<Answer> {
    return await this.client.request('resources/read', { uri, _meta: { ...this.#meta, ...meta } });
  }

  get #meta(): object {
    if (this.#kind === 'of the legacy era') return {};
    if (this.#kind === 'without it') return MODERN_META;
    const capabilities = { extensions: { [BLOB_EXTENSION]: {} } };
    return { ...MODERN_META, 'io.modelcontextprotocol/clientCapabilities': capabilities };
  }
}

/** The bytes of a content, in whatever form they came. */
export async function bytesIn({ text, blob, handle }: ReadContent): Promise<Uint8Array> {
  if (handle) return new Uint8Array(await handle.arrayBuffer());
  if (text !== undefined) return new TextEncoder().encode(text);
  return Uint8Array.from(atob(blob!), (character) => character.charCodeAt(0));
}

function contentsIn(answer: Answer): ReadContent[] {
  const contents = resultOf(answer)['contents'] as SentContent[];
  return contents.map(({ _meta = {}, ...content }) => ({
    ...content,
    ...(BLOB_EXTENSION in _meta && { handle: _meta[BLOB_EXTENSION] as Blob }),
    ...(RANGE_META_KEY in _meta && { range: _meta[RANGE_META_KEY] }),
    ...(RESOURCE_META_KEY in _meta && { resource: _meta[RESOURCE_META_KEY] as ResourceMeta }),
  }));
}

function onlyOf(contents: ReadContent[]): ReadContent {
  if (contents.length !== 1) throw new Error(`There are ${contents.length} contents.`);
  return contents[0]!;
}
