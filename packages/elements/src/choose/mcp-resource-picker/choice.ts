import type { Resource } from '@inpage-mcp/client';
import { tokensOfResource, UNKNOWN_SIZE_TOKENS } from '../../base/text/tokens.js';

/** The maximum number of resources that the user may choose; more uris of a page are dropped. */
const MAX_CHOSEN = 10_000;

/** The resources for the model: those that the user chose, and those that are included automatically. */
export class Choice {
  #chosen: readonly string[] = [];
  #revoked: ReadonlySet<string> = new Set();
  /** The resources that are included automatically, by falling priority. */
  included: readonly Resource[] = [];
  /** The resources that the budget has no room for, by falling priority. */
  leftOut: readonly Resource[] = [];
  /** The uris of all resources, those that the user chose first. Another array after each change. */
  uris: readonly string[] = [];
  #chosenSet: ReadonlySet<string> = new Set();
  #all: ReadonlySet<string> = new Set();
  #resources: readonly Resource[] = [];
  #byUri: ReadonlyMap<string, Resource> = new Map();
  /** Resources that the user chose and that no list contains, such as results of a search. */
  readonly #unlisted = new Map<string, Resource>();
  #inputs: readonly unknown[] = [];

  /** The uris that the user chose. */
  get chosen(): readonly string[] {
    return this.#chosen;
  }

  set chosen(uris: readonly string[]) {
    const texts = [...new Set(uris)].filter((uri) => typeof uri === 'string');
    this.#chosen = texts.slice(0, MAX_CHOSEN);
    this.#chosenSet = new Set(this.#chosen);
    this.#join(this.included.filter(({ uri }) => !this.#chosenSet.has(uri)));
  }

  /** The uris that are not included automatically because the user has removed them. */
  get revoked(): Iterable<string> {
    return this.#revoked;
  }

  set revoked(uris: Iterable<string>) {
    this.#revoked = new Set(uris);
  }

  /** The approximate number of tokens of all resources. */
  get tokens(): number {
    let sum = 0;
    for (const uri of this.#all) sum += countedTokens(this.resourceOf(uri));
    return sum;
  }

  /** The choice of the user, for `restore()`. */
  get state(): string {
    return JSON.stringify({ chosen: this.#chosen, revoked: [...this.#revoked] });
  }

  has(uri: string): boolean {
    return this.#all.has(uri);
  }

  isChosen(uri: string): boolean {
    return this.#chosenSet.has(uri);
  }

  /** The resource with a uri, as far as it is known. */
  resourceOf(uri: string): Resource | undefined {
    return this.#byUri.get(uri) ?? this.#unlisted.get(uri);
  }

  add(resource: Resource): void {
    this.#unlisted.set(resource.uri, resource);
    this.revoked = [...this.#revoked].filter((uri) => uri !== resource.uri);
    this.chosen = [...this.#chosen, resource.uri];
  }

  /** Removes a resource; it is no longer included automatically either. */
  remove(uri: string): void {
    this.revoked = [...this.#revoked, uri];
    this.chosen = this.#chosen.filter((one) => one !== uri);
    this.#join(this.included.filter((resource) => resource.uri !== uri));
  }

  /** Restores a `state`. A text of another form changes nothing. */
  restore(state: string): void {
    try {
      const { chosen, revoked } = JSON.parse(state) as { chosen: string[]; revoked: string[] };
      this.chosen = chosen;
      this.revoked = revoked;
    } catch {
      // The text belongs to another version of the page.
    }
  }

  /**
   * Chooses automatically again if an input has changed.
   *
   * @param budget The budget in tokens; 0 for none.
   * @returns Whether another set of resources is included automatically.
   */
  update(resources: readonly Resource[], budget: number): boolean {
    const inputs = [resources, budget, this.#chosen, this.#revoked];
    if (inputs.every((input, index) => input === this.#inputs[index])) return false;
    this.#inputs = inputs;
    if (resources !== this.#resources) this.#index(resources);
    const before = this.included;
    const rest = budget - this.#tokensOfChosen();
    const isExcluded = (uri: string): boolean => this.#chosenSet.has(uri) || this.#revoked.has(uri);
    const { included, leftOut } =
      budget > 0 ? chooseAutomatically(resources, isExcluded, rest) : { included: [], leftOut: [] };
    this.leftOut = leftOut;
    this.#join(included);
    return (
      included.length !== before.length ||
      included.some(({ uri }, index) => uri !== before[index]!.uri)
    );
  }

  #index(resources: readonly Resource[]): void {
    this.#resources = resources;
    this.#byUri = new Map(resources.map((resource) => [resource.uri, resource]));
  }

  #tokensOfChosen(): number {
    return this.#chosen.reduce((sum, uri) => sum + countedTokens(this.resourceOf(uri)), 0);
  }

  #join(included: readonly Resource[]): void {
    this.included = included;
    this.uris = [...this.#chosen, ...included.map(({ uri }) => uri)];
    this.#all = new Set(this.uris);
  }
}

/** The maximum number of resources that are included automatically. */
const MAX_AUTOMATIC = 50;

/** The resources that are included automatically, and those that a larger budget would include. */
interface AutomaticChoice {
  /** The included resources, by falling priority: the last is left out first. */
  included: readonly Resource[];
  /** The resources without room, by falling priority: the first is included next. */
  leftOut: readonly Resource[];
}

/**
 * Includes the resources that the server intends for the model (`annotations.audience` contains `assistant`),
 * by falling `annotations.priority`, as long as each fits into the rest of the budget. Resources of the same
 * priority keep the order of the server.
 *
 * @param isExcluded Whether a resource is already chosen, or revoked.
 * @param budget The rest of the budget in tokens, without the resources that are already chosen.
 */
function chooseAutomatically(
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

/** The tokens of a resource in the budget; a resource of unknown size counts as 1,000. */
export function countedTokens(resource: Resource | undefined): number {
  return (resource && tokensOfResource(resource)) ?? UNKNOWN_SIZE_TOKENS;
}

function isForModels({ annotations }: Resource): boolean {
  const audience: unknown = annotations?.audience;
  // Only the first entries are checked, because a server may send an array of any length.
  return Array.isArray(audience) && audience.slice(0, 4).includes('assistant');
}

/** The priority, from 0 (optional, also if the server names none) to 1 (required). */
function priorityOf({ annotations }: Resource): number {
  const priority: unknown = annotations?.priority;
  return typeof priority === 'number' && priority >= 0 && priority <= 1 ? priority : 0;
}
