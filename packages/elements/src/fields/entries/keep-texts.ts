import type { Entry } from './entry.js';
import { valueOf } from './entry-value.js';

/** Copies the texts that are no values, such as unfinished JSON, to the same fields of another form. */
export function keepTexts(from: Entry, to: Entry): void {
  if ('text' in from && 'text' in to) {
    if (from.text === '' || valueOf(from) !== undefined) return;
    to.text = from.text;
  }
  if ('children' in from && 'children' in to)
    for (const child of from.children) {
      const same = to.children.find(({ field }) => field.name === child.field.name);
      if (same) keepTexts(child, same);
    }
  const [items, others] = [from, to].map(listOf);
  items!.forEach((item, index) => {
    const same = others![index];
    if (same) keepTexts(item, same);
  });
}

/** The entries of a list, and the alternatives of a union: they have no names. */
function listOf(entry: Entry): readonly Entry[] {
  if ('items' in entry) return entry.items;
  return 'alternatives' in entry ? entry.alternatives : [];
}
