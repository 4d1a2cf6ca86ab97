import type { Resource } from '@inpage-mcp/client';

// What is known of a resource beyond its type: a server may send anything in the place of it.

/** What a resource is, for people. */
export type Kind = 'note' | 'text' | 'image' | 'audio' | 'video' | 'folder' | 'other';

/** A longer list of tags is cut. */
const MAX_TAGS = 50;

/** A longer tag does not count, in UTF-16 code units. */
const MAX_TAG_LENGTH = 200;

const INPAGE_META = 'io.github.inpage-mcp/resource';

export function kindOf({ uri, mimeType = '' }: Resource): Kind {
  if (isFolder(uri, mimeType)) return 'folder';
  if (uri.startsWith('note:')) return 'note';
  const [type = ''] = mimeType.split('/', 1);
  switch (type) {
    case 'text':
    case 'image':
    case 'audio':
    case 'video':
      return type;
    default:
      return 'other';
  }
}

export function isFolder(uri: string, mimeType: string | undefined): boolean {
  return mimeType === 'inode/directory' || (mimeType === undefined && uri.endsWith('/'));
}

export function audienceOf({ annotations }: Resource): string[] {
  return textsOf(annotations?.audience).filter((one) => one === 'user' || one === 'assistant');
}

/** The tags that `_meta` or the annotations have. */
export function tagsOf({ annotations, _meta }: Resource): string[] {
  const places: unknown[] = [_meta, _meta?.[INPAGE_META], annotations];
  const tags = places.flatMap((place) => textsOf((place as { tags?: unknown } | undefined)?.tags));
  return tags.slice(0, MAX_TAGS);
}

export function priorityOf({ annotations }: Resource): number | undefined {
  const priority: unknown = annotations?.priority;
  return typeof priority === 'number' && Number.isFinite(priority) ? priority : undefined;
}

export function modifiedOf({ annotations }: Resource): number | undefined {
  // No moment is longer, and to find that a megabyte is none takes milliseconds.
  const moment = Date.parse((annotations?.lastModified ?? '').slice(0, 64));
  return Number.isNaN(moment) ? undefined : moment;
}

function textsOf(value: unknown): string[] {
  if (!Array.isArray(value)) return [];
  return value.slice(0, MAX_TAGS).filter(isUsable);
}

/** A filter percent-encodes its values, which fails for half a surrogate pair. */
function isUsable(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_TAG_LENGTH && value.isWellFormed();
}
