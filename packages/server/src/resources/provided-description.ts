/** The current content of a provided resource. A string is text; bytes are sent as base64. */
export type ProvidedContent = string | Blob | ArrayBuffer | Uint8Array<ArrayBuffer>;

/** A resource that the page itself provides, without its content. */
export interface ProvidedDescription {
  /**
   * The uri: any absolute URI (RFC 3986) of at most 2,048 characters, but not `note:`, `file:` or `inpage:`;
   * `runtime.sync()` provides `inpage:///sync`.
   */
  uri: string;
  /** The name for programs; not empty. */
  name: string;
  /** The title for people. Default: `name` is shown. */
  title?: string | undefined;
  /** The description for people and the model. Default: none. */
  description?: string | undefined;
  /**
   * The media type. Default: `text/plain` for a string, a Blob's own type, otherwise
   * `application/octet-stream`.
   */
  mimeType?: string | undefined;
  /** The intended readers, and the importance from 0 to 1. Default: none. */
  annotations?:
    { audience?: ('user' | 'assistant')[] | undefined; priority?: number | undefined } | undefined;
}

/** Returns the content of a provided resource; called for each read. */
export type ReadProvided = () => ProvidedContent | Promise<ProvidedContent>;
