/** A media type, with or without parameters: RFC 6838, section 4.2. */
const MEDIA_TYPE = /^\s*([\w!#$&^.+-]{1,127}\/[\w!#$&^.+-]{1,127})\s*(?:;|$)/;

/**
 * The media type that a server names, in lowercase and without parameters; '' if it is not well-formed.
 * Browsers read the last type of a list, so `image/png,text/html` would be HTML to them.
 */
export function mediaTypeOf(mimeType = ''): string {
  const [, type = ''] = MEDIA_TYPE.exec(mimeType.slice(0, 300).toLowerCase()) ?? [];
  return type;
}
