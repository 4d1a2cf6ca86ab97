import type { IncomingMessage } from 'node:http';

/** The path at which a socket may connect. */
export type HubPath = '/page' | '/bridge';

/** An upgrade that is allowed, or the HTTP status with which it is refused. */
export type GateResult = { path: HubPath; origin: string } | { status: 403 | 404 };

/**
 * Decides from the headers alone whether a socket may be opened. A web page can reach this computer by any
 * name whose DNS record points to it (DNS rebinding), so the `Host` header must have one of our names. A page
 * must have an `Origin` header, which no script in a browser can change; a bridge process must have none.
 */
export function checkUpgrade({ url, headers }: IncomingMessage, port: number): GateResult {
  const path = pathIn(url);
  if (!path) return { status: 404 };
  if (!isOwnHost(headers.host, port)) return { status: 403 };
  const { origin } = headers;
  if (path === '/bridge') return origin === undefined ? { path, origin: '' } : { status: 403 };
  return isWebOrigin(origin) ? { path, origin } : { status: 403 };
}

/**
 * The path without the number that pages add to it, because a browser delays connections to a path that has
 * failed before.
 */
function pathIn(url = ''): HubPath | undefined {
  if (url === '/bridge') return url;
  return /^\/page(?:\/[\w.-]{1,32})?$/.test(url) ? '/page' : undefined;
}

/** Whether the `Host` header names this machine, and this port. */
export const isOwnHost = (host: string | undefined, port: number): boolean =>
  host === `127.0.0.1:${port}` || host === `localhost:${port}`;

/** Whether a text is exactly the origin of an http(s) page. */
export function isWebOrigin(origin: string | undefined): origin is string {
  if (origin === undefined || !/^https?:\/\//.test(origin) || !URL.canParse(origin)) return false;
  return new URL(origin).origin === origin;
}
