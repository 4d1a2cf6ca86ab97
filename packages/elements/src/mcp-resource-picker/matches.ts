import type { Resource } from '@inpage-mcp/client';
import { nameOf } from '../text/name-of.js';
import { truncateText } from '../text/truncate-text.js';

/** How much of each text is searched, in UTF-16 code units. */
const SEARCHED_LENGTH = 200;

/** The searched texts of a resource; computed once, as there may be very many. */
const searchedTexts = new WeakMap<Resource, string>();

/** What a resource is called. */
export function titleOf({ title, name, uri }: Resource): string {
  return truncateText(title?.trim() || name.trim()) || nameOf(uri) || truncateText(uri);
}

/**
 * The resources that contain all typed words in their title, name, address or description, ignoring
 * case and width. Those whose title begins with the typed text come first.
 */
export function matchesIn(resources: readonly Resource[], typed: string): readonly Resource[] {
  const query = fold(typed.trim());
  if (query === '') return resources;
  const words = query.split(/\s+/);
  const first: Resource[] = [];
  const others: Resource[] = [];
  for (const resource of resources) {
    const text = searchedTextOf(resource);
    if (!words.every((word) => text.includes(word))) continue;
    (text.startsWith(query) ? first : others).push(resource);
  }
  return [...first, ...others];
}

function searchedTextOf(resource: Resource): string {
  let text = searchedTexts.get(resource);
  if (text === undefined) {
    const { title, name, uri, description } = resource;
    text = [title, name, uri, description].map(startOf).join('\n');
    searchedTexts.set(resource, text);
  }
  return text;
}

function startOf(text: unknown): string {
  return typeof text === 'string' ? fold(text.slice(0, SEARCHED_LENGTH)) : '';
}

function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}
