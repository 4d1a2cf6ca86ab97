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
  if ('items' in from && 'items' in to)
    from.items.forEach((item, index) => {
      const same = to.items[index];
      if (same) keepTexts(item, same);
    });
}
