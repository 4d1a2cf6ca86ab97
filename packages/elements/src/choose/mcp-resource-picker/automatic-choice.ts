import type { Resource } from '@inpage-mcp/client';
import { tokensOfResource, UNKNOWN_SIZE_TOKENS } from '../../base/text/tokens.js';

/** How many resources are included automatically at most. */
const MAX_AUTOMATIC = 50;

/** What is included automatically, and what would be, if the budget were larger. */
export interface AutomaticChoice {
  /** By falling priority: the last is left out first. */
  included: readonly Resource[];
  /** By falling priority: the first is the next to be included. */
  leftOut: readonly Resource[];
}

/**
 * Includes the resources that the server means for the model (`annotations.audience` contains
 * `assistant`), by falling `annotations.priority`, as long as each fits into the rest of the budget.
 * Resources of the same priority keep the order of the server.
 *
 * @param isExcluded Whether a resource is chosen already, or revoked.
 * @param budget In tokens, after what is chosen already.
 */
export function chooseAutomatically(
  resources: readonly Resource[],
  isExcluded: (uri: string) => boolean,
  budget: number,
): AutomaticChoice {
  const candidates = resources
    .filter((resource) => isForModels(resource) && !isExcluded(resource.uri))
    .toSorted((a, b) => priorityOf(b) - priorityOf(a));
  const included: Resource[] = [];
  const leftOut: Resource[] = [];
  let rest = budget;
  for (const resource of candidates) {
    const tokens = countedTokens(resource);
    const fits = tokens <= rest && included.length < MAX_AUTOMATIC;
    (fits ? included : leftOut).push(resource);
    if (fits) rest -= tokens;
  }
  return { included, leftOut };
}

/** What a resource counts against the budget; one of unknown size counts 1,000 tokens. */
export function countedTokens(resource: Resource | undefined): number {
  return (resource && tokensOfResource(resource)) ?? UNKNOWN_SIZE_TOKENS;
}

function isForModels({ annotations }: Resource): boolean {
  const audience: unknown = annotations?.audience;
  // Only the first entries: a server may send an array of any length.
  return Array.isArray(audience) && audience.slice(0, 4).includes('assistant');
}

/** 0 (optional, also if the server names none) to 1 (required). */
function priorityOf({ annotations }: Resource): number {
  const priority: unknown = annotations?.priority;
  return typeof priority === 'number' && priority >= 0 && priority <= 1 ? priority : 0;
}
