import type { Annotations as StoredAnnotations } from '@inpage-mcp/store';
import type { Annotations, Resource, TextResourceContents } from '@inpage-mcp/protocol';
import type { ResourceContents } from './resource-provider.js';
import { omitUndefined } from '@inpage-mcp/protocol';

/**
 * The `_meta` key for the list's metadata of a resource in a content of `resources/read`: the
 * specification has no other place for it in contents.
 */
const RESOURCE_META_KEY = 'io.github.inpage-mcp/resource';

/** The first and the last moment of the years 0 to 9999. */
const FIRST_MOMENT = Date.parse('0000-01-01T00:00:00Z');
const LAST_MOMENT = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * A time as clients read it. One of a wrong clock may be out of the years 0 to 9999: official clients would
 * refuse the whole list, and of some no date can be made.
 */
export const momentOf = (timeMs: number): string =>
  new Date(Math.min(Math.max(timeMs, FIRST_MOMENT), LAST_MOMENT)).toISOString();

/** The annotations of an entry, for clients that show or rank it (Resources › Annotations). */
export function annotationsOf(entry: StoredAnnotations & { updatedAt: number }): Annotations {
  const annotations: Annotations = { lastModified: momentOf(entry.updatedAt) };
  if (entry.audience) annotations.audience = entry.audience;
  if (entry.priority !== undefined) annotations.priority = entry.priority;
  return annotations;
}

/**
 * The `_meta` of a content: the list's metadata of its resource, and its revision, if it has one, for
 * the `expectedRevision` of a later change.
 */
export function contentMeta(
  { title, description, size, annotations }: Omit<Resource, 'uri' | 'name'>,
  revision?: number,
): Pick<TextResourceContents, '_meta'> {
  const known = { title, description, size, annotations, revision };
  return { _meta: { [RESOURCE_META_KEY]: omitUndefined(known) } };
}

/** The annotations that {@link contentMeta} has added to a content. */
export function annotationsIn({ _meta }: ResourceContents): Annotations | undefined {
  const known = _meta?.[RESOURCE_META_KEY] as { annotations?: Annotations } | undefined;
  return known?.annotations;
}

/** The revision that {@link contentMeta} has added to a content. */
export function revisionOf({ _meta }: ResourceContents): number | undefined {
  const known = _meta?.[RESOURCE_META_KEY] as { revision?: number } | undefined;
  return known?.revision;
}
