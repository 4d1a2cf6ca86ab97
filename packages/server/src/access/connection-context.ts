import type {
  Completion,
  CompletionQuery,
  McpServer,
  ResourceChangeListener,
  ResourceContents,
  ResourcePage,
  ResourceTemplate,
} from '@inpage-mcp/protocol';
import type { StoreView } from '@inpage-mcp/store';
import type { ByteRange } from '../resources/contents/content-range.js';
import type { Disk } from '../resources/disk/disk-types.js';
import type { PermittedUris, ResourceCall } from '../resources/resource-provider.js';

/** A part of a resource. */
export interface ResourcePart {
  /** The content that the part belongs to; if it has bytes, they are those of the whole. */
  content: ResourceContents;
  part: Blob;
  /** The size of the whole, in bytes. */
  size: number;
}

/** Every resource that one connection may see. */
export interface Resources {
  /** The templates of all providers. */
  readonly templates: ResourceTemplate[];
  /** One page of the resources; `cursor` is the `nextCursor` of the previous page. */
  list(cursor: string | undefined, call: ResourceCall): Promise<ResourcePage>;
  /**
   * Reads a resource.
   *
   * @throws {ResourceNotFoundError} if the resource does not exist.
   */
  read(uri: string, call: ResourceCall): Promise<ResourceContents[]>;
  /**
   * A part of the bytes of a resource, which are not read yet.
   *
   * @throws {ProtocolError} −32602 if the part begins after the end, or the resource has several contents.
   */
  readPart(uri: string, range: ByteRange, call: ResourceCall): Promise<ResourcePart>;
  /** Completes a variable of a template. */
  complete(query: CompletionQuery, call: ResourceCall): Promise<Completion>;
  /** Calls the listener after each change. Returns a function that stops it. */
  listen(listener: ResourceChangeListener): () => void;
}

/** The context of tools and prompts: the data that one connection may see. */
export interface Connection {
  /** The notes and files that the connection may see. */
  readonly store: StoreView;
  /** Every resource that the connection may see. */
  readonly router: Resources;
  /** The addresses that the connection may see. */
  readonly permitted: PermittedUris;
  /** The folders of the disk, of which the connection may see a part. */
  readonly disk: { readonly forTools: Disk };
}

/** Adds tools, prompts or methods to the server, once for all connections. */
export type Feature = (server: McpServer<Connection>) => void;
