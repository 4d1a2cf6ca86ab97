import type { Annotations as StoredAnnotations } from '@inpage-mcp/store';
import type { Annotations, Resource, TextResourceContents } from '@inpage-mcp/protocol';
import type { ResourceContents } from './resource-provider.js';
import { omitUndefined } from '@inpage-mcp/protocol';

/**
 * Where a content of `resources/read` carries what the list says of its resource: the
 * specification gives contents no place for it but `_meta`.
 */
const RESOURCE_META_KEY = 'io.github.inpage-mcp/resource';

/** What is known of an entry, for whoever shows or ranks it (Resources › Annotations). */
export function annotationsOf(entry: StoredAnnotations & { updatedAt: number }): Annotations {
  const annotations: Annotations = { lastModified: new Date(entry.updatedAt).toISOString() };
  if (entry.audience) annotations.audience = entry.audience;
  if (entry.priority !== undefined) annotations.priority = entry.priority;
  return annotations;
}

/**
 * The `_meta` of a content: what the list says of its resource, and its revision, which a change
 * of it may name as the expected one.
 */
export function contentMeta(
  { title, description, size, annotations }: Resource,
  revision: number,
): Pick<TextResourceContents, '_meta'> {
  const known = { title, description, size, annotations, revision };
  return { _meta: { [RESOURCE_META_KEY]: omitUndefined(known) } };
}

/** The annotations that {@link contentMeta} has put into a content. */
export function annotationsIn({ _meta }: ResourceContents): Annotations | undefined {
  const known = _meta?.[RESOURCE_META_KEY] as { annotations?: Annotations } | undefined;
  return known?.annotations;
}

/** The revision that {@link contentMeta} has put into a content. */
export function revisionOf({ _meta }: ResourceContents): number | undefined {
  const known = _meta?.[RESOURCE_META_KEY] as { revision?: number } | undefined;
  return known?.revision;
}
