/** Whether a media type, with or without parameters, is one of texts. */
export function isTextType(mediaType: string): boolean {
  return /^text\/|^image\/svg\+xml|^application\/(.*\+)?(json|xml|yaml|javascript|ecmascript|sql|toml|x-sh|x-yaml|x-ndjson)\s*($|;)/i.test(
    mediaType.slice(0, 200),
  );
}
