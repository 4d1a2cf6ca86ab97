import type { Side } from '../panes/side-pane.js';

/** What the address of the page says after `#`: the resource that is open, and the pane at the side. */
export interface Place {
  /** The uri of a resource; absent where none is open. */
  readonly uri?: string | undefined;
  /** Absent where none was chosen. */
  readonly side?: Side | undefined;
}

const SIDE = /^(clients|activity|wire|code)(?:\+(.+))?$/;

/** What an address says. Whatever else is there is a uri, which is only looked up. */
export function placeOf(hash: string): Place {
  const words = hash.replace(/^#/, '');
  const [, side, behind] = SIDE.exec(words) ?? [];
  if (side) return { side: side as Side, uri: behind };
  return words === '' ? {} : { uri: words };
}

/** The address of a place. The uris of this server are made of what an address may hold. */
function hashOf({ uri, side }: Place): string {
  if (side) return `#${side}${uri ? `+${uri}` : ''}`;
  return uri ? `#${uri}` : '';
}

/** Makes a place the address of the page; with `isStep`, Back leads to the one before. */
export function showPlace(place: Place, isStep: boolean): void {
  const hash = hashOf(place);
  if (hash === location.hash) return;
  const url = hash || location.pathname + location.search;
  if (isStep) history.pushState(null, '', url);
  else history.replaceState(null, '', url);
}
