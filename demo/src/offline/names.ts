// What the page and its service worker have in common. Both belong to one folder of a host, which may
// have others of the same origin beside it.

/** The names of the caches of the files of one deployment begin with it; each version has one. */
export const filesPrefix = (scope: string): string => `inpage-mcp-demo-files:${pathOf(scope)}:`;

/** The cache of what other apps have shared and nobody has answered yet. */
export const sharesCache = (scope: string): string => `inpage-mcp-demo-shares:${pathOf(scope)}`;

/** A message of a page to the service worker. */
export type Message =
  /** The user wants the new version now. */
  | { type: 'activate' }
  /** A page has started with this script: what only older pages need may go. */
  | { type: 'started'; script: string };

const pathOf = (scope: string): string => new URL(scope).pathname;
