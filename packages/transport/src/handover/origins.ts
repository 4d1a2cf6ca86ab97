/**
 * What counts as an origin in a configuration: exactly what `new URL(address).origin` gives, such
 * as `https://example.com` or `http://localhost:8080`. No wildcard, no path, no trailing slash; and
 * not `null`, which every sandboxed frame has, whoever wrote it.
 *
 * @param option The name of the option, for the message.
 * @throws {TypeError} for anything else.
 */
export function checkOrigin(value: unknown, option: string): string {
  if (typeof value === 'string' && isOrigin(value)) return value;
  throw new TypeError(
    `${option}: ${quoted(value)} is not an origin. Write it as new URL(address).origin gives it, ` +
      'such as "https://example.com"; there are no wildcards.',
  );
}

function isOrigin(value: string): boolean {
  if (value === 'null' || !URL.canParse(value)) return false;
  const { origin, protocol } = new URL(value);
  // Documents of files have the origin null, although some browsers give their addresses another.
  return origin === value && protocol !== 'file:';
}

/** As JSON where it has one, so that an empty string can be seen. */
function quoted(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value) : String(value);
}
