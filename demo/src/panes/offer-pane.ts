import type { McpTemplateSubmitEvent, McpToolResourceEvent } from '@inpage-mcp/elements';
import type { McpClient } from '@inpage-mcp/client';
import { html, type TemplateResult } from 'lit';

/** What a server offers besides resources. Each has a place of its own, whose address is its name. */
export const OFFERS = { tools: 'Tools', prompts: 'Prompts', templates: 'Templates' } as const;
export type Offer = keyof typeof OFFERS;

export const isOffer = (uri: string | undefined): uri is Offer =>
  uri !== undefined && Object.hasOwn(OFFERS, uri);

/** What one reads above each form. */
const ABOUT: { [offer in Offer]: string } = {
  tools: 'What a model may call. Here you call it yourself, with the same arguments and checks.',
  prompts:
    'Instructions that a user picks for a model: fill one in, and see exactly what the model gets.',
  templates: 'Addresses with blanks to fill in: the server completes them as you type.',
};

/**
 * The tools, prompts or templates of the server, with their forms.
 *
 * @param open Called with the address of the resource that the user wants to see.
 */
export function renderOffer(
  offer: Offer,
  client: McpClient | undefined,
  open: (uri: string) => void,
): TemplateResult {
  const loading = html`<p class="muted" aria-busy="true">Loading …</p>`;
  const forms: { [offer in Offer]: () => TemplateResult } = {
    tools: () =>
      html`<mcp-tool-form
        .client=${client}
        @mcp-tool-resource=${({ resource }: McpToolResourceEvent) => open(resource.uri)}
        >${loading}</mcp-tool-form
      >`,
    prompts: () => html`<mcp-prompt-menu .client=${client}>${loading}</mcp-prompt-menu>`,
    templates: () =>
      html`<mcp-template-form
        .client=${client}
        @mcp-template-submit=${({ uri }: McpTemplateSubmitEvent) => open(uri)}
        >${loading}</mcp-template-form
      >`,
  };
  return html`<div class="offer">
    <p class="muted">${ABOUT[offer]}</p>
    ${forms[offer]()}
  </div>`;
}
