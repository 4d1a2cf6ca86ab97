import { expect, fixture, html } from '@open-wc/testing';
import { connectClient, type McpClient } from '@inpage-mcp/client';
import '@inpage-mcp/elements/all';
import type { McpResourceList, McpResourceSelectEvent } from '@inpage-mcp/elements';
import { MessagePortTransport } from '@inpage-mcp/transport';
import { sendKeys, setViewport } from '@web/test-runner-commands';
import {
  type McpResourceUpdateEvent,
  UpdateMarks,
} from '../../packages/elements/src/show/mcp-resource-list/update-marks.js';
import { eventually, expectFocus, inside } from '../support/elements.js';
import { useFakeTimers } from '../support/fake-timers.js';
import { useLinkedClient } from '../support/linked-server.js';
import { listedClient, numbered } from '../support/listed-client.js';
import { itInAll } from '../support/it-in-all.js';

describe('<mcp-resource-list>', () => {
  const setup = useLinkedClient();

  const options = (list: McpResourceList): HTMLElement[] => [
    ...list.shadowRoot!.querySelectorAll<HTMLElement>('[role=option]'),
  ];
  const titles = (list: McpResourceList): string[] =>
    options(list).map((option) => option.querySelector('.title')!.textContent);
  const show = async (of: McpClient = setup.client): Promise<McpResourceList> =>
    await fixture<McpResourceList>(html`<mcp-resource-list .client=${of}></mcp-resource-list>`);

  /** A change that may come too late: after the end of the test there is no note any more. */
  const changeNote = (id: string, text: string): Promise<unknown> =>
    setup.linked.others.notes.update(id, { text }).catch(() => undefined);

  it('lists what the server has, under headings that people understand', async () => {
    await setup.linked.server.store.notes.create({ title: 'A note', text: 'b' });
    await setup.linked.server.store.files.write('a.png', new Blob(['x']));
    const list = await show();
    await eventually(() => options(list).length === 2);
    expect(titles(list)).to.deep.equal(['A note', 'a.png']);
    const headings = [...list.shadowRoot!.querySelectorAll('.heading')];
    expect(headings.map(({ textContent }) => textContent)).to.deep.equal(['Notes', 'Files']);
    expect(options(list)[1]!.querySelector('.details')!.textContent).to.contain('Image · 1 byte');
    await expect(list).to.be.accessible();
  });

  it('gives headings half the height of a row, and finds each row below them', async () => {
    const uris = ['note:', 'app:', 'file:'].flatMap((scheme) =>
      Array.from({ length: 40 }, (_, at) => `${scheme}${at}`),
    );
    const list = await show(listedClient(uris.map((uri) => ({ uri, name: uri }))));
    const heading = await eventually(() => list.shadowRoot!.querySelector<HTMLElement>('.heading'));
    const scroller = inside(list, '.scroller');
    const row = options(list)[0]!.clientHeight;
    expect(heading.offsetHeight).to.equal(row / 2);
    await eventually(() => scroller.scrollHeight === row * (uris.length + 3 / 2));
    scroller.focus();
    for (const [key, last] of [
      ['End', 'file:39'],
      ['PageUp', 'file:32'],
      ['Home', 'note:0'],
    ] as const) {
      await sendKeys({ press: key });
      const active = await eventually(() => list.shadowRoot!.querySelector('.active'));
      await eventually(() => titles(list).includes(last));
      const [box, edge] = [active, scroller].map((one) => one.getBoundingClientRect());
      expect(box!.top).to.be.at.least(edge!.top - 1);
      expect(box!.bottom).to.be.at.most(edge!.bottom + 1);
    }
    await expect(list).to.be.accessible();
  });

  it('tells rows of the same name apart by their folder or address', async () => {
    const uris = ['note:1', 'note:2', 'app:/%C3%A9/a.txt', 'app:/b/a.txt', 'app:/b/other.txt'];
    const resources = uris.map((uri) => {
      const name = uri.startsWith('note') ? 'Twin' : uri.split('/').at(-1)!;
      return { uri, name, mimeType: 'text/plain' };
    });
    const list = await show(listedClient(resources));
    await eventually(() => options(list).length === uris.length);
    const starts = options(list).map(
      (option) => option.querySelector('.details')!.textContent.split(' · ')[0],
    );
    expect(starts).to.have.members(['1', '2', 'b/', 'Text', 'é/']);
  });

  it('takes its client from the provider around it, when that has one', async () => {
    await setup.linked.server.store.notes.create({ title: 'A note', text: 'b' });
    const provider = await fixture(
      html`<mcp-provider><mcp-resource-list></mcp-resource-list></mcp-provider>`,
    );
    const list = provider.querySelector('mcp-resource-list')!;
    await list.updateComplete;
    expect(inside(list, '[aria-busy]')).to.be.accessible;
    (provider as HTMLElement & { client: McpClient }).client = setup.client;
    await eventually(() => options(list).length === 1);
  });

  it('is busy while it loads, and accessible', async () => {
    const never = {
      watchList: () => undefined,
      watchState: () => undefined,
      listResources: () => new Promise(() => undefined),
    };
    const list = await show(never as never);
    expect(inside(list, '[aria-busy=true]').getAttribute('aria-label')).to.equal('Resources');
    await expect(list).to.be.accessible();
  });

  it('says that there is nothing, in the words of the page', async () => {
    const list = await fixture<McpResourceList>(
      html`<mcp-resource-list .client=${setup.client}
        ><b slot="empty">Nothing!</b></mcp-resource-list
      >`,
    );
    const slot = await eventually(() => list.shadowRoot!.querySelector('slot'));
    expect(slot.assignedElements()[0]!.textContent).to.equal('Nothing!');
    await expect(list).to.be.accessible();
  });

  it('shows an error and tries again', async () => {
    await setup.linked.server.store.notes.create({ title: 'A note', text: 'b' });
    let fails = true;
    const flaky: Pick<McpClient, 'watch' | 'watchList' | 'watchState' | 'listResources'> = {
      watch: (...args) => setup.client.watch(...args),
      watchList: (...args) => setup.client.watchList(...args),
      watchState: (...args) => setup.client.watchState(...args),
      async listResources(request) {
        if (fails) throw new Error('The disk is on fire.');
        return await setup.client.listResources(request);
      },
    };
    const list = await show(flaky as McpClient);
    const alert = await eventually(() => list.shadowRoot!.querySelector('[role=alert]'));
    expect(alert.textContent).to.contain('The disk is on fire.');
    await expect(list).to.be.accessible();
    fails = false;
    alert.querySelector('button')!.click();
    await eventually(() => options(list).length === 1);
    expect(list.shadowRoot!.querySelector('[role=alert]')).to.equal(null);
  });

  it('follows the list: what is added, renamed and deleted', async () => {
    const { notes } = setup.linked.server.store;
    const first = await notes.create({ title: 'first', text: '' });
    const list = await show();
    await eventually(() => options(list).length === 1);
    await notes.create({ title: 'second', text: '' });
    await eventually(() => titles(list).join() === 'second,first');
    await notes.update(first.id, { title: 'renamed' });
    await eventually(() => titles(list).join() === 'second,renamed');
    await notes.delete(first.id);
    await eventually(() => titles(list).join() === 'second');
  });

  it('shows what changed while it was loading', async () => {
    await setup.linked.server.store.notes.create({ title: 'first', text: '' });
    let letGo: (() => void) | undefined;
    const slow: Pick<McpClient, 'watch' | 'watchList' | 'watchState' | 'listResources'> = {
      watch: (...args) => setup.client.watch(...args),
      watchList: (...args) => setup.client.watchList(...args),
      watchState: (...args) => setup.client.watchState(...args),
      async listResources(request) {
        const page = await setup.client.listResources(request);
        // The first answer is held back until it is out of date.
        if (letGo === undefined) {
          await new Promise<void>((resolve) => {
            letGo = resolve;
          });
        }
        return page;
      },
    };
    const list = await show(slow as McpClient);
    await eventually(() => letGo);
    const notification = new Promise<void>((resolve) => {
      void setup.client
        .watchList(resolve)
        .ready.then(() => setup.linked.server.store.notes.create({ title: 'second', text: '' }));
    });
    await notification;
    letGo!();
    await eventually(() => titles(list).join() === 'second,first');
  });

  it('marks a row that was updated, announces it, and shows its new size', async () => {
    const { notes } = setup.linked.server.store;
    const { id } = await notes.create({ title: 'watched', text: '' });
    const list = await show();
    await eventually(() => options(list).length === 1);
    // The row is subscribed to a moment after it came into sight.
    const row = await eventually(() => {
      void changeNote(id, 'longer');
      return list.shadowRoot!.querySelector('.row.updated');
    });
    expect(row.textContent).to.contain('updated just now');
    expect(inside(list, '[role=status]').textContent).to.contain('watched was updated');
    await expect(list).to.be.accessible();
    await eventually(() => list.resources[0]!.size === 6);
  });

  it('marks no row of what the server says of itself, which the user’s own clicks change', () => {
    const said: string[] = [];
    const host = Object.assign(new EventTarget(), {
      addController: () => undefined,
      removeController: () => undefined,
      requestUpdate: () => undefined,
      updateComplete: Promise.resolve(true),
    });
    const marks = new UpdateMarks(host, { client: undefined }, (text) => said.push(text));
    const told: string[] = [];
    host.addEventListener('mcp-resource-update', (event) =>
      told.push((event as McpResourceUpdateEvent).resource.uri),
    );
    const uris = ['inpage:///activity', 'note:///1'];
    for (const uri of uris) marks.report({ uri, name: 'it' }, undefined);
    expect(uris.map((uri) => marks.of(uri))).to.deep.equal([undefined, 'updated just now']);
    expect(said).to.deep.equal(['it was updated']);
    expect(told).to.deep.equal(uris);
  });

  itInAll('marks no row because the connection was lost and is there again', async () => {
    const { server, openPort } = setup.linked;
    const { notes } = server.store;
    const { id } = await notes.create({ title: 'watched', text: '' });
    const client = await connectClient(async () => new MessagePortTransport(openPort()));
    const list = await show(client);
    const isMarked = (): Element | null => list.shadowRoot!.querySelector('.row.updated');
    await eventually(() => {
      void changeNote(id, 'first');
      return isMarked();
    });
    await eventually(() => isMarked() === null);
    // The last connection is the client's. Its watches of one uri are called one after the other.
    let isNotified = false;
    await client.watch(`note:///${id}`, () => (isNotified = true)).ready;
    await server.closeConnection(server.connectionCount);
    await eventually(() => isNotified);
    await list.updateComplete;
    expect(isMarked() === null).to.equal(true);
    await eventually(() => {
      void changeNote(id, 'second');
      return isMarked();
    });
    await client.close();
  });

  it('is operated by mouse and by keyboard, and keeps the selection through a refresh', async () => {
    const { notes } = setup.linked.server.store;
    for (const title of ['c', 'b', 'a']) await notes.create({ title, text: '' });
    const list = await show();
    await eventually(() => options(list).length === 3);
    const chosen: string[] = [];
    const intents: string[] = [];
    list.addEventListener('mcp-resource-select', ({ resource, intent }: McpResourceSelectEvent) => {
      chosen.push(resource.title!);
      intents.push(intent);
    });
    options(list)[1]!.click();
    list.focus();
    expectFocus(list, inside(list, '[role=listbox]'));
    for (const press of ['ArrowDown', 'ArrowDown', 'Home', 'End', 'ArrowUp', 'PageUp', 'Enter']) {
      await sendKeys({ press });
    }
    expect(chosen).to.deep.equal(['b', 'c', 'c', 'a', 'c', 'b', 'a', 'a']);
    expect(intents).to.deep.equal(['open', ...Array.from({ length: 6 }, () => 'browse'), 'open']);
    await list.updateComplete;
    const selected = (): string | undefined =>
      options(list)
        .find((option) => option.ariaSelected === 'true')
        ?.querySelector('.title')?.textContent;
    expect(selected()).to.equal('a');
    await notes.create({ title: 'new', text: '' });
    await eventually(() => options(list).length === 4);
    expect(selected()).to.equal('a');
    const active = inside(list, '[role=listbox]').getAttribute('aria-activedescendant');
    expect(inside(list, `#${active}`).textContent).to.contain('a');
    await expect(list).to.be.accessible();
  });

  it('fires nothing when the selection is set', async () => {
    const { id } = await setup.linked.server.store.notes.create({ title: 'a', text: '' });
    const list = await show();
    await eventually(() => options(list).length === 1);
    list.addEventListener('mcp-resource-select', () => expect.fail('fired'));
    list.selected = `note:///${id}`;
    await list.updateComplete;
    expect(options(list)[0]!.ariaSelected).to.equal('true');
  });

  it('shows 10,000 resources with few nodes, loading pages as one scrolls', async () => {
    await setViewport({ width: 800, height: 600 });
    const resources = Array.from({ length: 10_000 }, (_, index) => ({
      uri: `note:///${index}`,
      name: `${index}`,
      size: index,
    }));
    const requests: (string | undefined)[] = [];
    const paged = {
      watch: () => ({ ready: Promise.resolve(), stop: () => undefined }),
      watchList: () => undefined,
      watchState: () => undefined,
      async listResources({ cursor }: { cursor?: string } = {}) {
        requests.push(cursor);
        const start = Number(cursor ?? 0);
        const next = start + 1_000;
        const page = { resources: resources.slice(start, next) };
        return next < resources.length ? { ...page, nextCursor: `${next}` } : page;
      },
    };
    const list = await show(paged as never);
    await eventually(() => options(list).length > 0);
    expect(requests).to.deep.equal([undefined]);
    const scroller = inside(list, '[role=listbox]');
    while (list.resources.length < resources.length) {
      const before = list.resources.length;
      scroller.scrollTop = scroller.scrollHeight;
      await eventually(() => list.resources.length > before);
    }
    expect(requests).to.have.length(10);
    scroller.scrollTop = scroller.scrollHeight;
    const last = await eventually(() => options(list).find(({ id }) => id === 'option-9999'));
    expect(last.getAttribute('aria-setsize')).to.equal('10000');
    expect(last.getAttribute('aria-posinset')).to.equal('10000');
    expect(options(list).length).to.be.below(60);
  });

  it('lets go of everything when it leaves the page, and comes back', async () => {
    await setup.linked.server.store.notes.create({ title: 'a', text: '' });
    const list = await show();
    await eventually(() => options(list).length === 1);
    const parent = list.parentElement!;
    list.remove();
    await setup.linked.server.store.notes.create({ title: 'b', text: '' });
    parent.append(list);
    await eventually(() => titles(list).join() === 'b,a');
  });

  describe('while nobody scrolls', () => {
    /** The time without scrolling after which a list watches its rows. */
    const SETTLE_MS = 120;
    const timers = useFakeTimers({ only: (delayMs) => delayMs === SETTLE_MS });

    it('watches no rows after it was removed', async () => {
      const list = await show(listedClient(numbered(3)));
      await eventually(() => options(list).length === 3);
      expect(timers.running).to.equal(1);
      const parent = list.parentElement!;
      list.remove();
      // Such as by the timer of a mark.
      list.requestUpdate();
      await list.updateComplete;
      expect(timers.running).to.equal(0);
      parent.append(list);
      await timers.until(1);
    });
  });
});
