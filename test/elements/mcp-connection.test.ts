import { expect, fixture, html } from '@open-wc/testing';
import { sendKeys } from '@web/test-runner-commands';
import { connectClient, type McpClient } from '@inpage-mcp/client';
import '@inpage-mcp/elements/define/mcp-connection';
import type { McpConnection } from '@inpage-mcp/elements/define/mcp-connection';
import { MessagePortTransport } from '@inpage-mcp/transport';
import { eventually, expectFocus, frames, inside } from '../support/elements.js';
import { manyHoles } from '../support/holes.js';
import { useLinkedClient } from '../support/linked-server.js';

const wordsOf = (element: Element): string =>
  element
    .textContent!.replaceAll(/[\u2068\u2069]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
const summaryOf = (element: McpConnection): string => wordsOf(inside(element, '.summary'));
const buttonOf = (element: McpConnection): HTMLElement | null =>
  element.shadowRoot!.querySelector('button');

async function show(more: Partial<McpConnection>): Promise<McpConnection> {
  return await fixture<McpConnection>(
    html`<mcp-connection
      .client=${more.client}
      .detailed=${more.detailed ?? false}
      .reconnect=${more.reconnect}
    ></mcp-connection>`,
  );
}

/** A client in a state, with what it knows of its server. */
function clientWith(more: object): McpClient {
  return {
    state: 'open',
    protocolVersion: '2026-07-28',
    serverInfo: { name: 'server', version: '1.2.3' },
    serverCapabilities: {},
    watchState: () => undefined,
    listResources: () => Promise.reject(new Error('closed')),
    ...more,
  } as never;
}

describe('<mcp-connection>, with the real server,', () => {
  const test = useLinkedClient();

  it('says that it is connected, to which server, and that the connection has ended', async () => {
    const element = await show({ client: test.client });
    expect(summaryOf(element)).to.match(/^Connected Notes and files of this page, version \d/);
    expect(element.matches(':state(open)')).to.equal(true);
    await test.client.close();
    await eventually(() => summaryOf(element).startsWith('The connection has ended'));
    expect(element.matches(':state(closed)')).to.equal(true);
    expect(element.matches(':state(open)')).to.equal(false);
    expect(buttonOf(element)).to.equal(null);
  });

  it('says what the server offers, and what that means', async () => {
    const element = await show({ client: test.client, detailed: true });
    const details = wordsOf(inside(element, 'dl'));
    expect(details).to.contain('Protocol MCP 2026-07-28');
    expect(details).to.contain(
      'Resources Can be listed and read. Changes of a resource are reported.',
    );
    expect(details).to.contain('Tools Can be called.');
    expect(details).to.contain('Completion Values are suggested while you type.');
    await expect(element).to.be.accessible();
  });

  it('shows the reconnecting with the time that it takes, and then why it has failed', async () => {
    const ports: MessagePort[] = [];
    let isBroken = false;
    const client = await connectClient(
      () => {
        if (isBroken) throw Object.assign(new Error('The worker is gone.'), { code: 'busy' });
        const port = test.linked.openPort();
        ports.push(port);
        return new MessagePortTransport(port);
      },
      { reconnectTimeoutMs: 1_500 },
    );
    const element = await show({ client });
    isBroken = true;
    // As the server ends a connection.
    ports[0]!.dispatchEvent(new MessageEvent('message', { data: null }));
    await eventually(() => summaryOf(element).startsWith('Reconnecting'));
    expect(element.matches(':state(reconnecting)')).to.equal(true);
    await eventually(() => summaryOf(element).startsWith('Reconnecting 1 sec'));
    await eventually(() => element.matches(':state(closed)'));
    await eventually(() => element.shadowRoot!.querySelector('.reason'));
    expect(wordsOf(inside(element, '.reason'))).to.contain('Could not reconnect');
  });

  it('announces the state, but not each second', async () => {
    const element = await show({ client: clientWith({ state: 'reconnecting' }) });
    expect(wordsOf(inside(element, '[role=status]'))).to.equal('Reconnecting');
    expect(inside(element, '.elapsed').closest('[role=status]')).to.equal(null);
  });
});

describe('<mcp-connection>', () => {
  it('says that it is not connected without a client', async () => {
    const element = await show({ detailed: true });
    expect(summaryOf(element)).to.equal('Not connected');
    expect(element.shadowRoot!.querySelector('dl')).to.equal(null);
  });

  it('offers to connect again only if the page can, and shows what comes of it', async () => {
    let attempts = 0;
    const element = await show({
      client: clientWith({ state: 'closed' }),
      reconnect: () => {
        attempts += 1;
        if (attempts === 1) return Promise.reject(new Error('The worker does not start.'));
        element.client = clientWith({ state: 'open' });
        return undefined;
      },
    });
    buttonOf(element)!.click();
    await eventually(() => element.shadowRoot!.querySelector('[role=alert]'));
    expect(wordsOf(inside(element, '[role=alert]'))).to.equal('The worker does not start.');
    buttonOf(element)!.click();
    await eventually(() => summaryOf(element).startsWith('Connected'));
    expect(element.shadowRoot!.querySelector('[role=alert]')).to.equal(null);
    expect(buttonOf(element)).to.equal(null);
  });

  it('keeps the focus while it connects again, and does so once at a time', async () => {
    const failures: ((error: Error) => void)[] = [];
    const element = await show({
      client: clientWith({ state: 'closed' }),
      reconnect: () => new Promise((_resolve, reject) => failures.push(reject)),
    });
    buttonOf(element)!.focus();
    await sendKeys({ press: 'Enter' });
    await element.updateComplete;
    // A browser takes the focus from a disabled button with the next frame.
    await frames(2);
    expectFocus(element, buttonOf(element));
    expect(buttonOf(element)!.getAttribute('aria-disabled')).to.equal('true');
    await expect(element).to.be.accessible();
    buttonOf(element)!.click();
    expect(failures).to.have.length(1);
    failures[0]!(new Error('The worker does not start.'));
    await eventually(() => element.shadowRoot!.querySelector('[role=alert]'));
    expect(buttonOf(element)!.getAttribute('aria-disabled')).to.equal('false');
    buttonOf(element)!.click();
    expect(failures).to.have.length(2);
  });

  it('counts no seconds after it was removed', async () => {
    const element = await show({ client: clientWith({}) });
    const parent = element.parentElement!;
    const { setInterval } = window;
    let intervals = 0;
    const count = (...args: Parameters<typeof setInterval>): unknown => {
      intervals += 1;
      return setInterval(...args);
    };
    Object.assign(window, { setInterval: count });
    try {
      element.remove();
      element.client = clientWith({ state: 'reconnecting' });
      await element.updateComplete;
      expect(intervals).to.equal(0);
      parent.append(element);
      await element.updateComplete;
      expect(summaryOf(element)).to.match(/^Reconnecting/);
      expect(intervals).to.equal(1);
    } finally {
      Object.assign(window, { setInterval });
    }
  });

  it('does not connect again if the page prevents it', async () => {
    let attempts = 0;
    const element = await show({
      client: clientWith({ state: 'closed' }),
      reconnect: () => (attempts += 1),
    });
    element.addEventListener('mcp-reconnect', (event) => event.preventDefault());
    buttonOf(element)!.click();
    expect(attempts).to.equal(0);
  });

  it('shows every value that a server may send in place of its name and its capabilities', async () => {
    const evil = '\u202E<img src=x onerror="globalThis.broken = true">';
    const values = [null, 7, evil, [evil], manyHoles(), { [evil]: { [evil]: evil } }, 2n ** 70n];
    for (const value of values) {
      const info = { name: value, title: value, version: value };
      for (const serverInfo of [value, info]) {
        const capabilities = { resources: value, tools: value, extensions: value, [evil]: value };
        for (const serverCapabilities of [value, capabilities]) {
          const client = clientWith({ serverInfo, serverCapabilities, protocolVersion: value });
          const element = await show({ client, detailed: true });
          expect(wordsOf(element.shadowRoot as never))
            .to.contain('Connected')
            .and.not.contain('\u202E');
          expect(element.shadowRoot!.querySelector('img')).to.equal(null);
        }
      }
    }
    expect(globalThis).to.not.have.property('broken');
  });

  it('shows the first of very many capabilities', async () => {
    const names = Array.from(
      { length: 10_000 },
      (_, index) => [`capability ${index}`, {}] as const,
    );
    const client = clientWith({ serverCapabilities: Object.fromEntries(names) });
    const element = await show({ client, detailed: true });
    expect(element.shadowRoot!.querySelectorAll('li')).to.have.length(50);
  });

  for (const state of ['open', 'reconnecting', 'closed'] as const) {
    for (const scheme of ['light', 'dark'] as const) {
      it(`is accessible while it is ${state}, ${scheme}`, async () => {
        const element = await show({ client: clientWith({ state }), reconnect: () => undefined });
        element.style.colorScheme = scheme;
        element.style.background = 'light-dark(#fff, #16171c)';
        await expect(element).to.be.accessible();
      });
    }
  }
});
