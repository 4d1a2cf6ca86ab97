import { inOneLine, type Source } from './source.js';

/** Where a content comes from. Neither the title nor the uri can begin a line of its own. */
export function provenance({ uri, title, type }: Source): string {
  return `Title: ${title}\nURI: ${lineOf(uri)}\nType: ${inOneLine(type)}`;
}

/**
 * A text below its provenance, between two fences of Markdown. A fence ends only at one of the same
 * length or longer, and these are longer than any in the text: so the text cannot end it and go on as
 * another resource.
 */
export function fenced(source: Source, text: string): string {
  let longest = 2;
  for (const [run] of text.matchAll(/`{3,}/g)) longest = Math.max(longest, run.length);
  const fence = '`'.repeat(longest + 1);
  return `${provenance(source)}\n${fence}\n${text}\n${fence}`;
}

/** A whole uri, in which a line break would be against RFC 3986. */
export function lineOf(uri: string): string {
  return uri.replaceAll(/[\s\p{Cc}\p{Cs}]+/gu, ' ');
}
