import type { Resource } from '@inpage-mcp/client';
import { sizeOf } from '../../../reading/content-size.js';
import type { ResourceReading } from '../../../reading/resource-controller.js';
import { factsIn, factsOf } from '../../../reading/resource-facts.js';

/** About how many bytes of UTF-8 a token of a large language model has. */
const BYTES_PER_TOKEN = 4;

/** What the header says of a resource. */
export interface HeaderFacts {
  title: string | undefined;
  type: string | undefined;
  /** In bytes; of a text about. */
  size: number | undefined;
  isText: boolean;
  lastModified: string | undefined;
  audience: readonly string[];
  priority: number | undefined;
}

/** The facts of the list, and those that came with the contents, which are newer. */
export function headerFacts(
  resource: Resource | undefined,
  reading: ResourceReading | undefined,
): HeaderFacts {
  const contents = reading?.result.contents ?? [];
  const [only] = contents.length === 1 ? contents : [];
  const listed = factsOf(resource);
  const read = only ? factsIn(only) : factsOf(undefined);
  return {
    title: read.title ?? listed.title ?? resource?.name,
    type: only?.mimeType ?? resource?.mimeType,
    size: reading?.part?.size ?? read.size ?? listed.size ?? (only && sizeOf(only)),
    isText: contents.length > 0 && contents.every((one) => 'text' in one),
    lastModified: read.lastModified ?? listed.lastModified,
    audience: read.audience.length > 0 ? read.audience : listed.audience,
    priority: read.priority ?? listed.priority,
  };
}

/**
 * About how many tokens a text has: one for each four bytes of UTF-8. That is close for English and
 * code, and within a third for most other languages.
 */
export function estimatedTokens(bytes: number): number {
  return Math.ceil(bytes / BYTES_PER_TOKEN);
}
