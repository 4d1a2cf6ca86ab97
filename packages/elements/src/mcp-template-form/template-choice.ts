import type { McpClient, ResourceTemplate } from '@inpage-mcp/client';
import type { Catalog } from '../reading/catalog.js';

/** The template of the list that is shown: the one that the user chooses, or the only one. */
export class TemplateChoice {
  #client: McpClient | undefined;
  #isOfOtherClient = false;
  /** The chosen URI template. */
  chosen: string | undefined;

  /** Follows the list. A template stays chosen, unless another server does not have it. */
  update(
    client: McpClient | undefined,
    { entries, status }: Pick<Catalog<ResourceTemplate>, 'entries' | 'status'>,
  ): void {
    if (client && client !== this.#client) {
      this.#client = client;
      this.#isOfOtherClient = true;
    }
    if (status !== 'ready') return;
    const isListed = entries.some(({ uriTemplate }) => uriTemplate === this.chosen);
    if (this.#isOfOtherClient && !isListed) this.chosen = undefined;
    this.#isOfOtherClient = false;
    if (entries.length === 1) this.chosen ??= entries[0]!.uriTemplate;
  }
}
