import type { IncomingMessage } from 'node:http';

/** Where a socket may connect. */
export type HubPath = '/page' | '/bridge';

/** An upgrade that is allowed, or the HTTP status with which it is refused. */
export type GateResult = { path: HubPath; origin: string } | { status: 403 | 404 };

/**
 * Decides from the headers alone whether a socket may be opened. A page of the web reaches this
 * machine under any name that its DNS server makes up, so the name must be one of ours; and only a
 * browser states an origin, which no script can change.
 */
export function checkUpgrade({ url, headers }: IncomingMessage, port: number): GateResult {
  if (url !== '/page' && url !== '/bridge') return { status: 404 };
  if (!isOwnHost(headers.host, port)) return { status: 403 };
  const { origin } = headers;
  if (url === '/bridge') return origin === undefined ? { path: url, origin: '' } : { status: 403 };
  return isWebOrigin(origin) ? { path: url, origin } : { status: 403 };
}

/** Whether the `Host` header names this machine, and this port. */
export const isOwnHost = (host: string | undefined, port: number): boolean =>
  host === `127.0.0.1:${port}` || host === `localhost:${port}`;

/** Whether a text is exactly the origin of an http(s) page. */
export function isWebOrigin(origin: string | undefined): origin is string {
  if (origin === undefined || !/^https?:\/\//.test(origin) || !URL.canParse(origin)) return false;
  return new URL(origin).origin === origin;
}
