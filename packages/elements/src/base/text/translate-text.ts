import { msg } from '@lit/localize';

/** No text of this project's server is longer. */
const MAX_LENGTH = 1_000;

/**
 * A title or a description of a server in the language of the elements, if it is word for word one of those
 * of this project's own server, whichever server sends it. Any other text is returned as it is.
 */
export function translateText(text: string): string {
  return text.length > MAX_LENGTH ? text : msg(text, { id: `mcp.server.${text}` });
}

/** The texts that an entry of a server is found by: what is shown, and what it stands for. */
export function searchableTexts(texts: readonly (string | undefined)[]): readonly string[] {
  return [...new Set(texts.flatMap((text) => (text ? [translateText(text), text] : [])))];
}
