import type { Resource } from '@inpage-mcp/client';

/** How much of each field is searched, in UTF-16 code units. */
const MAX_LENGTH = 1_000;

/** The searched text of a resource, title and all; made once, as a search looks at all of them. */
const texts = new WeakMap<Resource, { title: string; all: string }>();

/** The words of a query; a resource has to contain all of them. */
export function wordsOf(query: string): string[] {
  return plain(query.slice(0, MAX_LENGTH)).split(/\s+/).filter(Boolean);
}

/** 1 if the title contains all words, 2 if the name, address and description do, too; 0 if none. */
export function rankOf(resource: Resource, words: readonly string[]): number {
  const { title, all } = textsOf(resource);
  if (words.every((word) => title.includes(word))) return 1;
  return words.every((word) => all.includes(word)) ? 2 : 0;
}

function textsOf(resource: Resource): { title: string; all: string } {
  const known = texts.get(resource);
  if (known) return known;
  const { title: own, name, uri, description } = resource;
  const title = plain((own ?? name).slice(0, MAX_LENGTH));
  const others = [name, uri, description].map((field) =>
    typeof field === 'string' ? field.slice(0, MAX_LENGTH) : '',
  );
  const made = { title, all: `${title}\n${plain(others.join('\n'))}` };
  texts.set(resource, made);
  return made;
}

/** Without upper case and accents. */
function plain(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
}
