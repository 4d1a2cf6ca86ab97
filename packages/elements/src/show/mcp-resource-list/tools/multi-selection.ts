import type { Resource } from '@inpage-mcp/client';
import type { Cursor } from '../rows/cursor.js';

/** The keys that are held with a click or a key. */
type Modifiers = Pick<KeyboardEvent, 'ctrlKey' | 'metaKey' | 'shiftKey'>;

/** Selects several resources, with the keys that the ARIA practices recommend for a list box. */
export class MultiSelection {
  readonly #cursor: Cursor;
  /** The row at which a range begins, by its key. */
  #anchor: string | undefined;

  constructor(cursor: Cursor) {
    this.#cursor = cursor;
  }

  /** Handles a key. Returns whether it had an effect on several resources. */
  press(event: KeyboardEvent): boolean {
    const { key, shiftKey } = event;
    const { index } = this.#cursor;
    const isControl = hasControl(event);
    if (isControl && key.toLowerCase() === 'a') this.#selectAll();
    else if (key === ' ' && index >= 0) this.#pressSpace(index, event);
    else if (key === 'Enter') return this.#openSelected(index);
    else {
      const target = this.#cursor.targetOf(key);
      if (target === undefined) return false;
      if (!isControl && !shiftKey) return this.#forget();
      if (shiftKey) this.#selectRange(target);
      else this.#cursor.moveTo(target);
    }
    return true;
  }

  /** Handles a click. Returns whether it had an effect on several resources. */
  click(event: MouseEvent, index: number): boolean {
    if (hasControl(event) || (event.target as Element).closest('.check')) this.#toggle(index);
    else if (event.shiftKey) {
      // The browser has selected the text in between.
      getSelection()?.removeAllRanges();
      this.#selectRange(index);
    } else return this.#forget();
    return true;
  }

  /** Forgets the anchor, so that the next range begins at the next row of the user. */
  #forget(): false {
    this.#anchor = undefined;
    return false;
  }

  #pressSpace(index: number, { shiftKey }: Modifiers): void {
    if (shiftKey) this.#selectRange(index);
    else this.#toggle(index);
  }

  /** Opens all selected resources, if the active row is one of them. */
  #openSelected(index: number): boolean {
    const resource = index < 0 ? undefined : this.#cursor.rows.at(index).resource;
    if (!resource || !this.#cursor.selected.has(resource.uri)) return this.#forget();
    this.#cursor.activate(index);
    return true;
  }

  #toggle(index: number): void {
    const resource = this.#cursor.moveTo(index);
    this.#anchor = this.#cursor.active;
    if (!resource) return;
    const selected = new Map(this.#cursor.selected);
    if (!selected.delete(resource.uri)) selected.set(resource.uri, resource);
    this.#cursor.change(selected, resource, 'browse');
  }

  #selectRange(index: number): void {
    const { rows } = this.#cursor;
    this.#anchor ??= this.#cursor.active;
    const anchor = rows.indexOf(this.#anchor);
    const from = anchor < 0 ? index : anchor;
    const resource = this.#cursor.moveTo(index);
    const selected = this.#between(Math.min(from, index), Math.max(from, index));
    if (resource) this.#cursor.change(selected, resource, 'browse');
  }

  #selectAll(): void {
    const { rows, index } = this.#cursor;
    const selected = this.#between(0, rows.length - 1);
    const [first] = selected.values();
    const last = (index < 0 ? undefined : rows.at(index).resource) ?? first;
    if (last) this.#cursor.change(selected, last, 'browse');
  }

  #between(first: number, last: number): Map<string, Resource> {
    const found = new Map<string, Resource>();
    for (let index = first; index <= last; index += 1) {
      const { resource } = this.#cursor.rows.at(index);
      if (resource) found.set(resource.uri, resource);
    }
    return found;
  }
}

export function hasControl({ ctrlKey, metaKey }: Pick<Modifiers, 'ctrlKey' | 'metaKey'>): boolean {
  return ctrlKey || metaKey;
}
