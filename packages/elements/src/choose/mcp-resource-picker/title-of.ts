import type { Resource } from '@inpage-mcp/client';
import { nameOf } from '../../base/text/name-of.js';
import { truncateText } from '../../base/text/truncate-text.js';

/** What a resource is called. */
export function titleOf({ title, name, uri }: Resource): string {
  return truncateText(title?.trim() || name.trim()) || nameOf(uri) || truncateText(uri);
}

/** The texts that a resource is found by. */
export function textsOf({ title, name, uri, description }: Resource): readonly unknown[] {
  return [title, name, uri, description];
}
