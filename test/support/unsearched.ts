import type { NoteStore, Store } from '@inpage-mcp/store';

/** Has each search of the connections that are opened next say that so many notes could not be searched yet. */
export function leaveUnsearched(store: Store, count: number): void {
  const within = store.within.bind(store);
  store.within = (scope) => {
    const view = within(scope);
    leaveUnsearchedIn(view.notes, count);
    return view;
  };
}

function leaveUnsearchedIn(notes: NoteStore, count: number): void {
  const search = notes.search.bind(notes);
  notes.search = async (...args) => ({ ...(await search(...args)), unsearched: count });
}
