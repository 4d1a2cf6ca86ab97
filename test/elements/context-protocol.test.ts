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

describe('A provider whose client is on its way', () => {
  const setup = useLinkedClient();
  let arriving: Promise<McpClient>;
  let arrive: (client: McpClient) => void;
  let fail: (reason: unknown) => void;
  let provider: McpProvider;
  let element: McpConnection;

  beforeEach(async () => {
    arriving = new Promise((resolve, reject) => ([arrive, fail] = [resolve, reject]));
    provider = await fixture(
      html`<mcp-provider .client=${arriving}><mcp-connection></mcp-connection></mcp-provider>`,
    );
    element = provider.querySelector('mcp-connection')!;
  });

  const shown = (): string => provider.shadowRoot!.textContent.replaceAll(/\s+/g, ' ').trim();
  const settled = async (): Promise<void> => {
    await arriving.catch(() => undefined);
    await provider.updateComplete;
  };

  it('provides it once it is there', async () => {
    expect(await stateOf(element)).to.equal('Not connected');
    arrive(setup.client);
    await settled();
    expect(await stateOf(element)).to.equal('Connected');
    expect(shown()).to.equal('');
  });

  it('says why there is none, with a button, until there is another', async () => {
    fail(Object.assign(new Error('The worker did not start.'), { code: 'worker-failed' }));
    await settled();
    expect(inside(provider, '[role="alert"]').textContent).to.contain('The worker did not start.');
    expect(shown()).to.contain('worker-failed').and.contain('Reload');
    provider.client = setup.client;
    await provider.updateComplete;
    expect(await stateOf(element)).to.equal('Connected');
    expect(shown()).to.equal('');
  });

  it('says it also where nothing was given as the reason', async () => {
    fail(undefined);
    await settled();
    expect(shown()).to.contain('Something went wrong.').and.contain('Reload');
  });

  it('knows nothing of a promise that was replaced', async () => {
    provider.client = setup.client;
    await provider.updateComplete;
    fail(new Error('Too late.'));
    await settled();
    expect(shown()).to.equal('');
    expect(await stateOf(element)).to.equal('Connected');
  });

  it('says that the page has a newer version where no client is open', async () => {
    const outdated = async (): Promise<string> => {
      window.dispatchEvent(new Event('mcp-outdated'));
      await provider.updateComplete;
      return shown();
    };
    expect(await outdated()).to.contain('This page has a newer version.');
    expect(provider.shadowRoot!.querySelectorAll('button')).to.have.length(1);
    arrive(setup.client);
    await settled();
    expect(await outdated(), 'a part of an element says it by itself').to.equal('');
    await setup.client.close();
    expect(await outdated()).to.contain('This page has a newer version.');
    provider.remove();
    provider.client = undefined;
    await provider.updateComplete;
    expect(await outdated(), 'a removed provider').to.equal('');
  });
});
