import type { ResourceContents } from '@inpage-mcp/client';
import { fieldsOf, textOf, amountOf } from './gate.js';

/** The key under which a server of this project repeats the facts of its list (docs/resources.md). */
const RESOURCE_KEY = 'io.github.inpage-mcp/resource';

/** The facts of a resource in the `_meta` of contents, or in an entry of a list. */
export interface ResourceFacts {
  title?: string | undefined;
  /** The size in bytes. */
  size?: number | undefined;
  /** The time of the last change, in ISO 8601. */
  lastModified?: string | undefined;
  audience: readonly string[];
  priority?: number | undefined;
  /** A number that differs for each version. */
  revision?: number | undefined;
}

/** The facts that contents carry, checked. */
export function factsIn({ _meta }: Pick<ResourceContents, '_meta'>): ResourceFacts {
  return factsOf(_meta?.[RESOURCE_KEY]);
}

/** The facts of an entry of a list, or of a value that may be one, checked. */
export function factsOf(entry: unknown): ResourceFacts {
  const { title, size, annotations, revision } = fieldsOf(entry);
  const { lastModified, audience, priority } = fieldsOf(annotations);
  const known = Array.isArray(audience) ? audience.slice(0, 2) : [];
  return {
    title: textOf(title),
    size: amountOf(size),
    lastModified: textOf(lastModified),
    audience: known.filter((one) => one === 'user' || one === 'assistant'),
    priority: amountOf(priority),
    revision: amountOf(revision),
  };
}
