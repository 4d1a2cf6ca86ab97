import type { Annotations, Meta, Resource } from './types.js';

/** Contents that are text. */
export interface TextResourceContents {
  uri: string;
  mimeType?: string | undefined;
  text: string;
  _meta?: Meta | undefined;
}

/** Contents that are bytes. */
export interface BlobResourceContents {
  uri: string;
  mimeType?: string | undefined;
  /** Base64. */
  blob: string;
  _meta?: Meta | undefined;
}

/** One item of a `resources/read` result. */
export type ResourceContents = TextResourceContents | BlobResourceContents;

interface Content {
  annotations?: Annotations | undefined;
  _meta?: Meta | undefined;
}

export interface TextContent extends Content {
  type: 'text';
  text: string;
}

export interface ImageContent extends Content {
  type: 'image';
  /** Base64. */
  data: string;
  mimeType: string;
}

export interface AudioContent extends Content {
  type: 'audio';
  /** Base64. */
  data: string;
  mimeType: string;
}

/** A resource that can be read; it need not be on the list. */
export interface ResourceLink extends Resource {
  type: 'resource_link';
}

/** A resource with its contents. */
export interface EmbeddedResource extends Content {
  type: 'resource';
  resource: ResourceContents;
}

/** A piece of a tool's result or of a prompt's message (Tools › Tool Result). */
export type ContentBlock =
  TextContent | ImageContent | AudioContent | ResourceLink | EmbeddedResource;
