import type { McpTemplateSubmitEvent, McpToolResourceEvent } from '@inpage-mcp/elements';
import '@inpage-mcp/elements/define/mcp-app';
import { html, type TemplateResult } from 'lit';
import type { Offer } from '../addresses/opened.js';
import type { Session } from '../session/session.js';

/** The sentence above each form. */
const ABOUT: { [offer in Offer]: string } = {
  tools: 'What a model may call. Here you call it yourself, with the same arguments and checks.',
  prompts:
    'Instructions that a user picks for a model: fill one in, and see exactly what the model gets.',
  templates: 'Addresses with blanks to fill in: the server completes them as you type.',
};

/** Scrolls to an app, which is higher than the form had expected when it scrolled to the result. */
const scrollToApp = (event: Event): void =>
  (event.composedPath()[0] as Element).scrollIntoView({ block: 'nearest' });

/**
 * Renders the tools, prompts or templates of the server, with their forms.
 *
 * @param connectApp Opens a connection for the app of a tool.
 * @param open Called with the address of the resource that the user wants to see.
 */
export function renderOffer(
  offer: Offer,
  { client, connectApp }: Partial<Pick<Session, 'client' | 'connectApp'>>,
  open: (uri: string) => void,
): TemplateResult {
  const loading = html`<p class="muted" aria-busy="true">Loading …</p>`;
  const forms: { [offer in Offer]: () => TemplateResult } = {
    tools: () =>
      html`<mcp-tool-form
        .client=${client}
        .connectApp=${connectApp}
        @mcp-app-ready=${scrollToApp}
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
