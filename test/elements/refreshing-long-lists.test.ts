import { expect, fixture, html } from '@open-wc/testing';
import type { McpClient, Resource } from '@inpage-mcp/client';
import '@inpage-mcp/elements/all';
import type { McpResourceList } from '@inpage-mcp/elements';
import { resetMouse, sendKeys, sendMouse, setViewport } from '@web/test-runner-commands';
import { eventually, expectFocus, inside } from '../support/elements.js';

/** A long list in memory whose cursors name the key that a page comes after, and what was asked. */
class LongList {
  resources: Resource[];
  /** The cursors of the requests, in order. */
  requests: (string | undefined)[] = [];
  /** What a request is refused with, by its cursor. */
  refuse: (cursor: string | undefined) => Error | undefined = () => undefined;
  readonly #pageSize: number;
  readonly #listeners = new Set<() => void>();
  readonly #watched = new Map<string, (uri: string, meta: object) => void>();

  constructor(length: number, pageSize = 1_000) {
    this.#pageSize = pageSize;
    this.resources = Array.from({ length }, (_, key) => entry(key * 10));
  }

  readonly client = {
    watch: (uri: string, listener: (uri: string, meta: object) => void) => {
      this.#watched.set(uri, listener);
      return { ready: Promise.resolve(), stop: () => this.#watched.delete(uri) };
    },
    watchList: (listener: () => void) => this.#listeners.add(listener),
    watchState: () => undefined,
    listResources: async ({ cursor }: { cursor?: string } = {}) => {
      this.requests.push(cursor);
      const refusal = this.refuse(cursor);
      if (refusal) throw refusal;
      const start = cursor === undefined ? 0 : this.#indexAfter(Number(cursor));
      const end = start + this.#pageSize;
      const resources = this.resources.slice(start, end);
      const isLast = end >= this.resources.length;
      return isLast ? { resources } : { resources, nextCursor: resources.at(-1)!.name };
    },
  } as unknown as McpClient;

  /** Adds, renames or removes something, and notifies of it. */
  change(how: (resources: Resource[]) => void): void {
    how(this.resources);
    for (const listener of this.#listeners) listener();
  }

  isWatched(uri: string): boolean {
    return this.#watched.has(uri);
  }

  update(uri: string): void {
    this.#watched.get(uri)!(uri, {});
  }

  #indexAfter(key: number): number {
    const index = this.resources.findIndex(({ name }) => Number(name) > key);
    return index < 0 ? this.resources.length : index;
  }
}

const entry = (key: number): Resource => ({ uri: `a:${key}`, name: `${key}` });

const options = (list: McpResourceList): HTMLElement[] => [
  ...list.shadowRoot!.querySelectorAll<HTMLElement>('[role=option]'),
];
const optionOf = (list: McpResourceList, name: string): HTMLElement | undefined =>
  options(list).find((option) => option.querySelector('.title')!.textContent === name);
const scrollerOf = (list: McpResourceList): HTMLElement => inside(list, '[role=listbox]');
/** How far a row is below the upper edge of the list, in pixels. */
const topOf = (list: McpResourceList, name: string): number =>
  optionOf(list, name)!.getBoundingClientRect().top - scrollerOf(list).getBoundingClientRect().top;

const rowHeightOf = (list: McpResourceList): number =>
  options(list)[0]!.getBoundingClientRect().height;

/** A list of which so many rows are loaded. */
async function showLoaded(long: LongList, rows: number): Promise<McpResourceList> {
  await setViewport({ width: 800, height: 600 });
  const list = await fixture<McpResourceList>(
    html`<mcp-resource-list .client=${long.client}></mcp-resource-list>`,
  );
  while (list.resources.length < rows) {
    const before = list.resources.length;
    await eventually(() => list.shadowRoot!.querySelector('[role=listbox]'));
    scrollerOf(list).scrollTop = 1e9;
    await eventually(() => list.resources.length > before);
  }
  long.requests = [];
  return list;
}

/** Scrolls so that the row of a position is the first in sight, and waits for it. */
async function scrollTo(list: McpResourceList, position: number): Promise<void> {
  scrollerOf(list).scrollTop = (1 + position) * rowHeightOf(list);
  const name = list.resources[position]!.name;
  await eventually(() => optionOf(list, name));
}

describe('a long <mcp-resource-list> that changes', () => {
  it('fetches one page of a hundred after a change, and others when they come into sight', async () => {
    const long = new LongList(10_000, 100);
    const list = await showLoaded(long, 10_000);
    await scrollTo(list, 5_050);
    long.change((resources) => {
      resources[5_055] = { ...resources[5_055]!, title: 'Renamed' };
      resources[8_050] = { ...resources[8_050]!, title: 'Renamed, out of sight' };
    });
    await eventually(() => optionOf(list, 'Renamed'));
    expect(long.requests).to.deep.equal(['49990']);
    expect(list.resources).to.have.length(10_000);
    await scrollTo(list, 8_048);
    await eventually(() => optionOf(list, 'Renamed, out of sight'));
    expect(long.requests).to.deep.equal(['49990', '79990']);
  });

  it('fetches only the page of a row that was updated', async () => {
    const long = new LongList(5_000);
    const list = await showLoaded(long, 5_000);
    await scrollTo(list, 2_500);
    const { uri } = list.resources[2_503]!;
    await eventually(() => long.isWatched(uri));
    long.resources[2_503] = { ...long.resources[2_503]!, title: 'Updated' };
    long.update(uri);
    await eventually(() => optionOf(list, 'Updated'));
    await scrollTo(list, 100);
    await list.updateComplete;
    expect(long.requests).to.deep.equal(['19990']);
  });

  it('keeps in its place what is in sight, whatever comes or goes above', async () => {
    const long = new LongList(3_000);
    const list = await showLoaded(long, 3_000);
    await scrollTo(list, 500);
    scrollerOf(list).scrollTop += 17;
    await eventually(() => optionOf(list, '5030'));
    const top = topOf(list, '5030');
    long.change((resources) => resources.splice(100, 0, ...[991, 992, 993].map(entry)));
    await eventually(() => list.resources[100]!.name === '991');
    await list.updateComplete;
    expect(topOf(list, '5030')).to.be.closeTo(top, 1);
    long.change((resources) => resources.splice(50, 40));
    await eventually(() => list.resources[50]!.name === '900');
    await list.updateComplete;
    expect(topOf(list, '5030')).to.be.closeTo(top, 1);
    // When the first in sight is gone, the next one stays.
    const next = topOf(list, '5040');
    long.change((resources) => {
      const index = resources.findIndex(({ name }) => name === '5000');
      resources.splice(index, 4);
    });
    await eventually(() => !optionOf(list, '5030'));
    expect(topOf(list, '5040')).to.be.closeTo(next, 1);
  });

  it('shows what comes above while it is at its start', async () => {
    const long = new LongList(3_000);
    const list = await showLoaded(long, 3_000);
    await scrollTo(list, 0);
    scrollerOf(list).scrollTop = 0;
    long.change((resources) => resources.unshift(entry(-10)));
    await eventually(() => optionOf(list, '-10'));
    expect(scrollerOf(list).scrollTop).to.equal(0);
  });

  it('keeps selection and keyboard where they were', async () => {
    const long = new LongList(3_000);
    const list = await showLoaded(long, 3_000);
    await scrollTo(list, 1_500);
    optionOf(list, '15030')!.click();
    list.focus();
    long.change((resources) => resources.splice(1_400, 0, entry(13_995), entry(13_996)));
    await eventually(() => list.resources[1_400]!.name === '13995');
    await list.updateComplete;
    expect(list.selected).to.equal('a:15030');
    expect(optionOf(list, '15030')!.ariaSelected).to.equal('true');
    expectFocus(list, scrollerOf(list));
    await sendKeys({ press: 'ArrowDown' });
    expect(list.selected).to.equal('a:15040');
  });

  it('opens the row that was pressed, although others came to its place before the release', async () => {
    const long = new LongList(200);
    const list = await showLoaded(long, 200);
    const opened: string[] = [];
    list.addEventListener('mcp-resource-select', ({ resource }) => opened.push(resource.name));
    const press = async (name: string): Promise<void> => {
      const box = optionOf(list, name)!.getBoundingClientRect();
      await sendMouse({
        type: 'move',
        position: [box.x + 90, box.y + box.height / 2].map(Math.round) as [number, number],
      });
      await sendMouse({ type: 'down' });
    };
    try {
      await press('20');
      long.change((resources) => resources.unshift(entry(-10)));
      await eventually(() => optionOf(list, '-10'));
      await sendMouse({ type: 'up' });
      expect(opened).to.deep.equal(['20']);

      // What is gone opens nothing, and nothing that came to its place.
      await press('30');
      long.change((resources) => resources.splice(4, 1));
      await eventually(() => !optionOf(list, '30'));
      await sendMouse({ type: 'up' });
      expect(opened).to.deep.equal(['20']);

      // Other rows are drawn with the same elements.
      await press('40');
      scrollerOf(list).scrollTop = rowHeightOf(list) * 30;
      await eventually(() => optionOf(list, '300'));
      await sendMouse({ type: 'up' });
      expect(opened).to.deep.equal(['20', '40']);

      // A pointer that goes elsewhere before its release takes the press back.
      await eventually(() => optionOf(list, '40'));
      await press('50');
      const { x, y } = optionOf(list, '70')!.getBoundingClientRect();
      await sendMouse({ type: 'move', position: [Math.round(x + 90), Math.round(y + 5)] });
      await sendMouse({ type: 'up' });
      expect(opened).to.deep.equal(['20', '40']);
    } finally {
      await resetMouse();
    }
  });

  it('comes to the whole list again, without a row twice, as one scrolls', async () => {
    const long = new LongList(4_500);
    const list = await showLoaded(long, 4_500);
    await scrollTo(list, 2_000);
    long.change((resources) => {
      resources.splice(3_000, 700);
      resources.splice(10, 0, ...Array.from({ length: 900 }, (_, key) => entry(91 + key / 1_000)));
      resources.splice(0, 5);
    });
    let row = 0;
    while (row < list.resources.length - 1) {
      row = Math.min(row + 500, list.resources.length - 1);
      scrollerOf(list).scrollTop = row * rowHeightOf(list);
      // What is removed comes to light before what is added: the list may end before this row.
      const isBeyond = (): boolean => row >= list.resources.length;
      await eventually(() => isBeyond() || list.shadowRoot!.querySelector(`#option-${row}`));
      const uris = new Set(list.resources.map(({ uri }) => uri));
      expect(uris.size).to.equal(list.resources.length);
    }
    const isWhole = (): boolean =>
      list.resources.length === long.resources.length &&
      list.resources.every(({ uri }, index) => uri === long.resources[index]!.uri);
    // A page may have been passed by before it was due.
    for (let position = 0; !isWhole(); position = (position + 400) % long.resources.length) {
      scrollerOf(list).scrollTop = position * rowHeightOf(list);
      // What has come into sight is drawn a frame after the event of the scrolling, which has one, too.
      for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
    }
  });

  it('fetches the pages above again when the server refuses a cursor', async () => {
    const long = new LongList(3_000);
    const list = await showLoaded(long, 3_000);
    await scrollTo(list, 2_500);
    const refused = Object.assign(new Error('Unknown cursor'), { code: -32602 });
    long.refuse = (cursor) => (cursor === '19990' ? refused : undefined);
    long.change((resources) => {
      resources.unshift(entry(-10));
      resources[2_505] = { ...resources[2_505]!, title: 'Renamed' };
    });
    await eventually(() => optionOf(list, 'Renamed'));
    expect(list.shadowRoot!.querySelector('[role=alert]')).to.equal(null);
    expect(long.requests).to.deep.equal(['19990', undefined, '9980', '19980']);
  });

  it('says so when the server refuses every cursor, and recovers', async () => {
    const long = new LongList(3_000);
    const list = await showLoaded(long, 3_000);
    await scrollTo(list, 2_500);
    const refused = Object.assign(new Error('Unknown cursor'), { code: -32602 });
    long.refuse = (cursor) => (cursor === undefined ? undefined : refused);
    long.change(() => undefined);
    const alert = await eventually(() => list.shadowRoot!.querySelector('[role=alert]'));
    expect(alert.textContent).to.contain('Unknown cursor');
    expect(long.requests).to.deep.equal(['19990', undefined, '9990']);
    long.refuse = () => undefined;
    alert.querySelector('button')!.click();
    await eventually(() => !list.shadowRoot!.querySelector('[role=alert]'));
  });
});

describe('a <mcp-resource-list> whose pages never end', () => {
  const show = async (
    page: (cursor: string | undefined, asked: number) => object,
  ): Promise<{ list: McpResourceList; asked: () => number }> => {
    let asked = 0;
    const client = {
      watch: () => ({ ready: Promise.resolve(), stop: () => undefined }),
      watchList: () => undefined,
      watchState: () => undefined,
      async listResources({ cursor }: { cursor?: string } = {}) {
        asked += 1;
        return page(cursor, asked);
      },
    };
    const list = await fixture<McpResourceList>(
      html`<mcp-resource-list .client=${client as never}></mcp-resource-list>`,
    );
    return { list, asked: () => asked };
  };
  const alertOf = (list: McpResourceList): Promise<Element> =>
    eventually(() => list.shadowRoot!.querySelector('[role=alert]'));
  /** Long enough for a loop to show: a hundred requests are answered in a few frames. */
  const framesPass = async (): Promise<void> => {
    for (let frame = 0; frame < 20; frame += 1) await new Promise(requestAnimationFrame);
  };

  it('says so after a hundred empty ones, and asks no more', async () => {
    const { list, asked } = await show((_, count) => ({ resources: [], nextCursor: `${count}` }));
    const alert = await alertOf(list);
    expect(alert.textContent).to.contain('never end');
    await framesPass();
    expect(asked()).to.equal(100);
    await expect(list).to.be.accessible();
  });

  it('says so when a cursor comes again, and shows what came', async () => {
    const { list, asked } = await show((cursor = 'first') => ({
      resources: [{ uri: `a:${cursor}`, name: cursor }],
      nextCursor: 'again',
    }));
    await alertOf(list);
    await framesPass();
    expect(asked()).to.equal(2);
    expect(options(list).map((option) => option.textContent.trim())).to.have.length(2);
    await expect(list).to.be.accessible();
  });

  it('says so when the same rows come under new cursors', async () => {
    const { list, asked } = await show((_, count) => ({
      resources: [entry(1), entry(2)],
      nextCursor: `${count}`,
    }));
    await alertOf(list);
    await framesPass();
    expect(asked()).to.equal(101);
    expect(options(list)).to.have.length(2);
  });

  it('loads on behind pages that are empty', async () => {
    const { list } = await show((_, count) =>
      count < 50 ? { resources: [], nextCursor: `${count}` } : { resources: [entry(1)] },
    );
    await eventually(() => options(list).length === 1);
  });
});
