import { inOneLine, type Source } from './source.js';

/** The lines that name the origin of a content. Neither the title nor the uri can add a line to them. */
export function provenance({ uri, title, type }: Source): string {
  return `Title: ${title}\nURI: ${lineOf(uri)}\nType: ${inOneLine(type)}`;
}

/**
 * A text below its provenance, between two fences of Markdown. A fence ends only at one of the same length or
 * longer, and these are longer than any in the text. So the text cannot end its fence and continue as another
 * resource.
 */
export function fenced(source: Source, text: string): string {
  let longest = 2;
  for (const [run] of text.matchAll(/`{3,}/g)) longest = Math.max(longest, run.length);
  const fence = '`'.repeat(longest + 1);
  return `${provenance(source)}\n${fence}\n${text}\n${fence}`;
}

/** The whole uri without line breaks, which would violate RFC 3986. */
export function lineOf(uri: string): string {
  return uri.replaceAll(/[\s\p{Cc}\p{Cs}]+/gu, ' ');
}
