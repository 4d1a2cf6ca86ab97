// Only the element, not the provider: it is defined later, as by the autoloader.
import '@inpage-mcp/elements/define/mcp-connection';
import { expect, fixture, html } from '@open-wc/testing';
import type { McpConnection } from '@inpage-mcp/elements/define/mcp-connection';
import type { McpProvider } from '@inpage-mcp/elements/define/mcp-provider';
import { eventually } from '../support/elements.js';
import { useLinkedClient } from '../support/linked-server.js';

const stateOf = (element: McpConnection): string =>
  element.shadowRoot!.querySelector('.state')!.textContent.trim();

describe('<mcp-provider>', () => {
  const setup = useLinkedClient();

  it('serves elements that were defined before it, and those in their shadow roots', async () => {
    const provider = await fixture<McpProvider>(
      html`<mcp-provider
        ><mcp-connection></mcp-connection>
        <div></div
      ></mcp-provider>`,
    );
    const outer = provider.querySelector('mcp-connection')!;
    const inner = document.createElement('mcp-connection');
    provider.querySelector('div')!.attachShadow({ mode: 'closed' }).append(inner);
    provider.client = setup.client;
    await Promise.all([outer.updateComplete, inner.updateComplete]);
    expect(stateOf(outer)).to.equal('Not connected');
    await import('@inpage-mcp/elements/define/mcp-provider');
    await eventually(() => stateOf(outer) === 'Connected' && stateOf(inner) === 'Connected');
    provider.client = undefined;
    await eventually(
      () => stateOf(outer) === 'Not connected' && stateOf(inner) === 'Not connected',
    );
  });
});
