/** What a provided resource holds at the moment. A string is text; bytes go out as base64. */
export type ProvidedContent = string | Blob | ArrayBuffer | Uint8Array<ArrayBuffer>;

/** A resource of the page's own, without its content. */
export interface ProvidedDescription {
  /** Any absolute URI (RFC 3986) of at most 2,048 characters, but not `note:`, `file:` or `inpage:`. */
  uri: string;
  name: string;
  title?: string;
  description?: string;
  /** Default: `text/plain` for a string, a Blob's own type, else `application/octet-stream`. */
  mimeType?: string;
  annotations?: { audience?: ('user' | 'assistant')[]; priority?: number };
}

/** Gives the content of a provided resource, each time that it is read. */
export type ReadProvided = () => ProvidedContent | Promise<ProvidedContent>;
