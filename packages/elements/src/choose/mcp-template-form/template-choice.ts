import type { McpClient, ResourceTemplate } from '@inpage-mcp/client';
import type { Catalog } from '../../reading/catalog.js';
import type { TypedValues } from '../../fields/options/completed-fields.js';

/** The template of the list that is shown: the one that the user chooses, or the only one. */
export class TemplateChoice {
  #client: McpClient | undefined;
  #isOfOtherClient = false;
  /** What is typed for templates that are not shown now, by URI template. */
  readonly #typed = new Map<string, TypedValues>();
  /** The chosen URI template. */
  chosen: string | undefined;

  /** Follows the list. A template stays chosen, unless another server does not have it. */
  update(
    client: McpClient | undefined,
    { entries, status }: Pick<Catalog<ResourceTemplate>, 'entries' | 'status'>,
  ): void {
    if (client && client !== this.#client) {
      this.#client = client;
      this.#typed.clear();
      this.#isOfOtherClient = true;
    }
    if (status !== 'ready') return;
    const isListed = entries.some(({ uriTemplate }) => uriTemplate === this.chosen);
    if (this.#isOfOtherClient && !isListed) this.chosen = undefined;
    this.#isOfOtherClient = false;
    if (entries.length === 1) this.chosen ??= entries[0]!.uriTemplate;
  }

  /** Chooses a template. Returns what was typed for it before. */
  choose(uriTemplate: string): TypedValues {
    this.chosen = uriTemplate;
    return this.#typed.get(uriTemplate) ?? {};
  }

  /** Goes back to the list, and keeps what is typed for the template until it is chosen again. */
  leave(values: TypedValues): void {
    if (this.chosen !== undefined) this.#typed.set(this.chosen, values);
    this.chosen = undefined;
  }
}
