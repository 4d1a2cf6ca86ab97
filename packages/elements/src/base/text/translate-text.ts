import { msg } from '@lit/localize';

/** The maximum length of a text that is translated: no text of this project's server is longer. */
const MAX_LENGTH = 1_000;

/**
 * A title or a description of a server in the language of the elements, if it is exactly one of the texts of
 * this project's own server, regardless of the server that sends it. Any other text is returned as it is.
 */
export function translateText(text: string): string {
  return text.length > MAX_LENGTH ? text : msg(text, { id: `mcp.server.${text}` });
}

/** The texts by which an entry of a server is found: the shown text, and the original text. */
export function searchableTexts(texts: readonly (string | undefined)[]): readonly string[] {
  return [...new Set(texts.flatMap((text) => (text ? [translateText(text), text] : [])))];
}
