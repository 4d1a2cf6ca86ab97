import type { Resource } from '@inpage-mcp/client';
import type { ReactiveControllerHost } from 'lit';
import { indexForKey } from '../../../base/rows/row-keys.js';
import { McpResourceActivateEvent, McpResourceSelectEvent } from './events.js';
import { isHeading, ListedRows, type Rows } from './rows.js';

/** The user's place in a list: the active row, and the selected resources. */
export class Cursor {
  rows: Rows = new ListedRows([], false, false);
  /** The active row, by its key, so that it survives a refresh. */
  active: string | undefined;
  /** The selected addresses, with their resources if the user has selected them. */
  selected = new Map<string, Resource | undefined>();
  /** The number of rows by which Page Down moves. */
  pageSize = 1;
  /** The resources that are loaded. */
  loaded: readonly Resource[] = [];
  readonly #host: EventTarget & ReactiveControllerHost;
  readonly #scrollTo: (index: number) => void;

  /** @param scrollTo Scrolls to a row, and renders the host. */
  constructor(host: EventTarget & ReactiveControllerHost, scrollTo: (index: number) => void) {
    this.#host = host;
    this.#scrollTo = scrollTo;
  }

  /** The index of the active row; −1 for none. */
  get index(): number {
    return this.rows.indexOf(this.active);
  }

  /** The index of the row to which a key moves; `undefined` for a key that does not move. */
  targetOf(key: string): number | undefined {
    const target = indexForKey(key, this.index, this.rows.length, this.pageSize);
    if (target === undefined) return undefined;
    return stopNear(this.rows, target, /Up$|End/.test(key) ? -1 : 1);
  }

  /** Makes a row the active one, and returns its resource. */
  moveTo(index: number): Resource | undefined {
    const { key, resource } = this.rows.at(index);
    this.active = key;
    this.#scrollTo(index);
    return resource;
  }

  /** Moves to a row and selects only this. */
  select(index: number, intent: 'open' | 'browse'): void {
    const resource = this.moveTo(index);
    if (resource) this.change(new Map([[resource.uri, resource]]), resource, intent);
  }

  /** Replaces the selection, and fires the event. */
  change(
    selected: Map<string, Resource | undefined>,
    last: Resource,
    intent: 'open' | 'browse',
  ): void {
    this.selected = selected;
    this.#host.requestUpdate();
    this.#host.dispatchEvent(new McpResourceSelectEvent(last, intent, this.#resources()));
  }

  /**
   * Fires the event that the user wants to open the resource of a row. A folder without a resource is
   * ignored.
   */
  activate(index: number): void {
    const { resource } = this.rows.at(index);
    if (!resource) return;
    const resources = this.selected.has(resource.uri) ? this.#resources() : [resource];
    this.#host.dispatchEvent(new McpResourceActivateEvent(resource, resources));
  }

  /**
   * The selected resources in the order of the server, followed by those that a search has found and that are
   * not loaded.
   */
  #resources(): Resource[] {
    const { selected } = this;
    const loaded = this.loaded.filter(({ uri }) => selected.has(uri));
    if (loaded.length === selected.size) return loaded;
    const uris = new Set(loaded.map(({ uri }) => uri));
    const others = [...selected.values()].filter((one) => one && !uris.has(one.uri));
    return [...loaded, ...(others as Resource[])];
  }
}

/** The row at an index, or the nearest one that is not a heading, first in the given direction. */
function stopNear(rows: Rows, index: number, step: 1 | -1): number {
  const start = Math.max(0, Math.min(index, rows.length - 1));
  for (const direction of [step, -step]) {
    for (let at = start; at >= 0 && at < rows.length; at += direction)
      if (!isHeading(rows.at(at))) return at;
  }
  return start;
}
