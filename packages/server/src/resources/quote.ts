/** The default length limit for names in a question or an error, in characters. */
const MAX_QUOTED_LENGTH = 80;

/**
 * Quotes a name for a question to the user or an error: on one line, without quotation marks and
 * bidirectional controls, so that no part of the name looks like our own text.
 *
 * @param limit The maximum length, in characters. Default: 80.
 */
export function quote(name: string, limit = MAX_QUOTED_LENGTH): string {
  const line = name
    .replace(/[\s\p{Cc}\p{Bidi_Control}]+/gu, ' ')
    .replaceAll('"', "'")
    .trim();
  // The name is cut by code points, so that no surrogate pair is split.
  const characters = Array.from(line);
  return characters.length > limit ? `"${characters.slice(0, limit).join('')}…"` : `"${line}"`;
}
