import type { Resource } from '@inpage-mcp/client';

/**
 * A line of the list: a resource, or the heading of those that share a scheme. `position` counts
 * resources only; a heading has that of the first below it.
 */
export type Row =
  | { kind: 'heading'; scheme: string; position: number }
  | { kind: 'resource'; resource: Resource; position: number };

/** A longer scheme, which no server has, makes no heading. */
const MAX_SCHEME_LENGTH = 100;

/** Puts a heading before each run of resources of one scheme. */
export function rowsOf(resources: readonly Resource[]): Row[] {
  const rows: Row[] = [];
  let scheme: string | undefined;
  for (const [position, resource] of resources.entries()) {
    const own = hasScheme(resource.uri, scheme) ? scheme! : schemeOf(resource.uri);
    if (own !== scheme) rows.push({ kind: 'heading', scheme: own, position });
    scheme = own;
    rows.push({ kind: 'resource', resource, position });
  }
  return rows;
}

/** As {@link schemeOf}, but faster: nearly every row has the scheme of the row before. */
function hasScheme(uri: string, scheme: string | undefined): boolean {
  if (!scheme || !uri.startsWith(scheme)) return false;
  return scheme.endsWith('///') || uri[scheme.length] !== '/';
}

/** `note:///` of `note:///01J…`, `https://` of `https://example.com/`, `urn:` of `urn:isbn:…`. */
function schemeOf(uri: string): string {
  return /^[^:]*:\/{0,3}/.exec(uri.slice(0, MAX_SCHEME_LENGTH))?.[0] ?? '';
}
