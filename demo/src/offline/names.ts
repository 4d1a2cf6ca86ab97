// The names that the page and its service worker have in common. Both belong to one folder of a host. Other
// folders with the same origin may exist next to it.

/** The prefix of the caches with the files of one deployment; each version has one cache. */
export const filesPrefix = (scope: string): string => `inpage-mcp-demo-files:${pathOf(scope)}:`;

/** The cache of shares of other apps that the user has not answered yet. */
export const sharesCache = (scope: string): string => `inpage-mcp-demo-shares:${pathOf(scope)}`;

/** A message of a page to the service worker. */
export type Message =
  /** The user wants the new version now. */
  | { type: 'activate' }
  /** A page has started with this script, so that files which only older pages need may be deleted. */
  | { type: 'started'; script: string };

const pathOf = (scope: string): string => new URL(scope).pathname;
