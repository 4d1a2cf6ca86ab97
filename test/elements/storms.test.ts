import { expect, fixture, html } from '@open-wc/testing';
import '@inpage-mcp/elements/all';
import type { McpResourceList, McpResourceView } from '@inpage-mcp/elements';
import { connectToChanging, type ChangingServer } from '../client/changing-server.js';
import { eventually, inside } from '../support/elements.js';
import { itInAll } from '../support/it-in-all.js';

const NOTIFICATIONS = 10_000;
/** As many as make a second, at the pace of timers. */
const SLICES = 40;
const PAUSE_MS = 25;

/** A server that counts what it is asked, and answers with how many changes there were. */
interface CountingServer extends ChangingServer {
  /** How many changes it has reported. */
  changes: number;
  requests: number;
  /** Reports 10,000 changes in a second or more. */
  storm(method: string, params: (change: number) => object): Promise<void>;
}

/** @param rows How many resources it has; all show the number of changes. */
async function connectToCounting(rows: number): Promise<CountingServer> {
  const listed = (): object[] =>
    Array.from({ length: rows }, (_, row) => ({
      uri: `a:${row}`,
      name: `${row}`,
      title: `${row} at ${counting.changes}`,
    }));
  const changing = await connectToChanging({}, ({ method }, answer) => {
    if (method !== 'resources/list' && method !== 'resources/read') return;
    counting.requests += 1;
    if (method === 'resources/list') answer({ resources: listed() });
    else answer({ contents: [{ uri: 'a:0', text: `at ${counting.changes}` }] });
  });
  const counting: CountingServer = {
    ...changing,
    changes: 0,
    requests: 0,
    async storm(method, params) {
      for (let slice = 0; slice < SLICES; slice += 1) {
        for (let count = NOTIFICATIONS / SLICES; count > 0; count -= 1) {
          counting.changes += 1;
          changing.notify(method, params(counting.changes));
        }
        // timed: the pace of the storm.
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      }
    },
  };
  return counting;
}

/** Lets a storm rage until what it has led to is shown, and counts the requests for each second. */
async function requestsOf(
  server: CountingServer,
  storm: () => Promise<void>,
  isShown: () => boolean,
): Promise<{ requests: number; allowed: number }> {
  server.requests = 0;
  const start = performance.now();
  await storm();
  await eventually(isShown);
  // Four a second, and the first at once.
  const allowed = Math.floor((performance.now() - start) / 250) + 1;
  return { requests: server.requests, allowed };
}

const titles = (list: McpResourceList): string[] =>
  [...list.shadowRoot!.querySelectorAll('[role=option] .title')].map(
    ({ textContent }) => textContent,
  );

describe('10,000 notifications in a second', () => {
  const showList = async (server: CountingServer): Promise<McpResourceList> => {
    const list = await fixture<McpResourceList>(
      html`<mcp-resource-list
        style="block-size: 60rem"
        .client=${server.client}
      ></mcp-resource-list>`,
    );
    await eventually(() => titles(list).length > 0);
    return list;
  };
  const showView = async (server: CountingServer): Promise<McpResourceView> => {
    const view = await fixture<McpResourceView>(
      html`<mcp-resource-view .client=${server.client} uri="a:0"></mcp-resource-view>`,
    );
    await eventually(() => view.shadowRoot!.textContent.includes('at 0'));
    await server.client.watch('a:0', () => undefined).ready;
    return view;
  };

  it('of a list lead to four requests a second, and the last state is shown', async () => {
    const server = await connectToCounting(3);
    const list = await showList(server);
    await server.client.watchList(() => undefined).ready;
    const { requests, allowed } = await requestsOf(
      server,
      () => server.storm('resources/list_changed', () => ({})),
      () => titles(list)[0] === `0 at ${NOTIFICATIONS}`,
    );
    expect(requests).to.be.within(2, allowed);
    await server.client.close();
  });

  itInAll(
    'of all rows in sight lead to four requests a second, and the last state is shown',
    async () => {
      const server = await connectToCounting(12);
      const list = await showList(server);
      // The rows are subscribed to a moment after they came into sight.
      await eventually(() => {
        server.notify('resources/updated', { uri: 'a:11' });
        return list.shadowRoot!.querySelectorAll('.row.updated').length > 0;
      });
      const { requests, allowed } = await requestsOf(
        server,
        () => server.storm('resources/updated', (change) => ({ uri: `a:${change % 12}` })),
        () => titles(list)[0] === `0 at ${NOTIFICATIONS}`,
      );
      expect(requests).to.be.within(2, allowed);
      expect(inside(list, '[role=status]').textContent).to.contain('was updated');
      await server.client.close();
    },
  );

  it('of a resource lead to four reads a second, and the last state is shown', async () => {
    const server = await connectToCounting(1);
    const view = await showView(server);
    const { requests, allowed } = await requestsOf(
      server,
      () => server.storm('resources/updated', () => ({ uri: 'a:0' })),
      () => view.shadowRoot!.textContent.includes(`at ${NOTIFICATIONS}`),
    );
    expect(requests).to.be.within(2, allowed);
    await server.client.close();
  });
});

describe('a resource that changes all the time', () => {
  it('is shown even if each read takes longer than the changes', async () => {
    let reads = 0;
    let changes = 0;
    const held: (() => void)[] = [];
    const server = await connectToChanging({}, ({ method }, answer) => {
      if (method === 'resources/list') return answer({ resources: [] });
      if (method !== 'resources/read') return;
      reads += 1;
      const text = `read ${reads}`;
      if (reads === 1) answer({ contents: [{ uri: 'a:0', text }] });
      else held.push(() => answer({ contents: [{ uri: 'a:0', text }] }));
    });
    const view = await fixture<McpResourceView>(
      html`<mcp-resource-view .client=${server.client} uri="a:0"></mcp-resource-view>`,
    );
    const shows = (text: string): boolean => view.shadowRoot!.textContent.includes(text);
    await eventually(() => shows('read 1'));
    await server.client.watch('a:0', () => undefined).ready;
    const change = (): void => {
      changes += 1;
      server.notify('resources/updated', { uri: 'a:0' });
    };
    for (const text of ['read 2', 'read 3']) {
      // The server answers only after a hundred more changes.
      await eventually(() => {
        change();
        return held.length > 0;
      });
      for (let more = 0; more < 100; more += 1) change();
      // Its answer comes after all of them.
      await server.client.listResources();
      held.shift()!();
      await eventually(() => shows(text));
    }
    expect(changes).to.be.above(200);
    await server.client.close();
  });
});
