import type { Catalog } from '../../reading/catalog.js';

/** The names of the states that `listStates` returns. */
type ListState = 'loading' | 'empty' | 'error' | 'reconnecting' | 'closed';

/**
 * The custom states of an element that shows a list of a server, and whether it is in each of them.
 *
 * @param connection The state of its connection.
 * @param isShown Whether the list is what the element shows now.
 */
export function listStates(
  { entries, status }: Pick<Catalog<object>, 'entries' | 'status'>,
  connection: string,
  isShown: boolean,
): [ListState, boolean][] {
  const isWithoutEntries = isShown && entries.length === 0;
  return [
    ['loading', isWithoutEntries && status === 'loading'],
    ['empty', isWithoutEntries && status === 'ready'],
    ['error', isShown && status === 'error'],
    ['reconnecting', connection === 'reconnecting'],
    ['closed', connection === 'closed'],
  ];
}
