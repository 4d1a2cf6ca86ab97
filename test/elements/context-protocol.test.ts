// Provider and elements find each other by the Context Protocol of the Web Components Community Group.
import '@inpage-mcp/elements/define/mcp-connection';
import '@inpage-mcp/elements/define/mcp-provider';
import type { McpClient } from '@inpage-mcp/client';
import type { McpConnection } from '@inpage-mcp/elements/define/mcp-connection';
import type { McpProvider } from '@inpage-mcp/elements/define/mcp-provider';
import { expect, fixture, html } from '@open-wc/testing';
import { inside } from '../support/elements.js';
import { useLinkedClient } from '../support/linked-server.js';

const context = Symbol.for('@inpage-mcp/elements/client');

type Callback = (client: McpClient | undefined, unsubscribe?: () => void) => void;

/** A request as a consumer of an app's own makes it. */
function request(from: Element, callback: Callback, subscribe?: boolean): Event {
  const event = new Event('context-request', { bubbles: true, composed: true });
  Object.assign(event, { context, contextTarget: from, callback, subscribe });
  from.dispatchEvent(event);
  return event;
}

async function stateOf(element: McpConnection): Promise<string> {
  await element.updateComplete;
  return inside(element, '.state').textContent.trim();
}

describe('The context of the client', () => {
  const setup = useLinkedClient();

  const provided = (): Promise<McpProvider> =>
    fixture(html`<mcp-provider .client=${setup.client}><p></p></mcp-provider>`);

  it('answers a consumer once, or until it unsubscribes', async () => {
    const provider = await provided();
    const once: unknown[] = [];
    const always: unknown[] = [];
    let unsubscribe: (() => void) | undefined;
    request(provider.querySelector('p')!, (client) => once.push(client));
    const subscribed: Callback = (client, stop) => {
      always.push(client);
      unsubscribe = stop;
    };
    request(provider.querySelector('p')!, subscribed, true);
    provider.client = undefined;
    await provider.updateComplete;
    expect(once).to.deep.equal([setup.client]);
    expect(always).to.deep.equal([setup.client, undefined]);
    unsubscribe!();
    provider.client = setup.client;
    await provider.updateComplete;
    expect(always).to.have.length(2);
  });

  it('notifies a subscriber that has asked twice once for each change', async () => {
    const provider = await provided();
    const received: unknown[] = [];
    const callback: Callback = (client) => received.push(client);
    request(provider.querySelector('p')!, callback, true);
    request(provider.querySelector('p')!, callback, true);
    received.length = 0;
    provider.client = undefined;
    await provider.updateComplete;
    expect(received).to.deep.equal([undefined]);
  });

  it('lets requests for other contexts pass', async () => {
    const outer = await fixture(
      html`<div>
        <mcp-provider><p></p></mcp-provider>
      </div>`,
    );
    let passed = 0;
    outer.addEventListener('context-request', () => (passed += 1));
    const event = new Event('context-request', { bubbles: true, composed: true });
    Object.assign(event, { context: 'theme', callback: () => expect.fail('was answered') });
    outer.querySelector('p')!.dispatchEvent(event);
    expect(passed).to.equal(1);
    request(outer.querySelector('p')!, () => undefined);
    expect(passed).to.equal(1);
  });

  it('gives an element the client of a provider of the app', async () => {
    const outer = await fixture<HTMLElement>(html`<div></div>`);
    outer.addEventListener('context-request', (event) => {
      const { context: asked, callback } = event as Event & {
        context: unknown;
        callback: Callback;
      };
      if (asked === context) callback(setup.client);
    });
    const element = document.createElement('mcp-connection');
    outer.append(element);
    expect(await stateOf(element)).to.equal('Connected');
  });

  it('takes the client from an element that leaves its provider', async () => {
    const provider = await provided();
    const element = document.createElement('mcp-connection');
    provider.append(element);
    expect(await stateOf(element)).to.equal('Connected');
    provider.after(element);
    expect(await stateOf(element)).to.equal('Not connected');
    provider.client = undefined;
    provider.client = setup.client;
    await provider.updateComplete;
    expect(await stateOf(element)).to.equal('Not connected');
    provider.append(element);
    expect(await stateOf(element)).to.equal('Connected');
    element.remove();
  });

  it('prefers a nearer provider, also one that comes later', async () => {
    const outer = await provided();
    const element = document.createElement('mcp-connection');
    const wrapper = document.createElement('div');
    wrapper.append(element);
    outer.append(wrapper);
    expect(await stateOf(element)).to.equal('Connected');
    const inner = document.createElement('mcp-provider');
    outer.append(inner);
    inner.append(wrapper);
    expect(await stateOf(element)).to.equal('Not connected');
    // A change of the outer one does not reach it any more.
    outer.client = undefined;
    outer.client = setup.client;
    await outer.updateComplete;
    expect(await stateOf(element)).to.equal('Not connected');
    inner.client = setup.client;
    await inner.updateComplete;
    expect(await stateOf(element)).to.equal('Connected');
  });
});
