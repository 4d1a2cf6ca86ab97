/**
 * Returns a configured origin if it is valid: exactly the result of `new URL(address).origin`, such
 * as `https://example.com` or `http://localhost:8080`. No wildcard, no path, no trailing slash; and
 * not `null`, which is the origin of every sandboxed frame. The scheme of a webview, such as
 * `tauri://localhost`, is valid too: `URL` gives `null` for it, but `event.origin` names it.
 *
 * @param option The name of the option, for the error message.
 * @throws {TypeError} for any other value.
 */
export function checkOrigin(value: unknown, option: string): string {
  if (typeof value === 'string' && isOrigin(value)) return value;
  throw new TypeError(
    `${option}: ${quote(value)} is not an origin. Use the form that new URL(address).origin ` +
      'returns, such as "https://example.com", without wildcards.',
  );
}

/** Matches an origin with a scheme that is not of the web, and a host, such as `tauri://localhost`. */
const WEBVIEW_ORIGIN = /^(?!(https?|wss?|ftp):)[a-z][a-z0-9+.-]*:\/\/[a-z0-9._-]+(:\d+)?$/;

function isOrigin(value: string): boolean {
  if (value === 'null' || !URL.canParse(value)) return false;
  const { origin, protocol } = new URL(value);
  // The origin of a file is null in its document, although some browsers report another for its URL.
  return protocol !== 'file:' && (origin === value || WEBVIEW_ORIGIN.test(value));
}

/** Quotes strings, so that an empty string is visible. */
function quote(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value) : String(value);
}
