import { expect, fixture, html } from '@open-wc/testing';
import type { McpClient, Resource, WatchListener } from '@inpage-mcp/client';
import '@inpage-mcp/elements/all';
import type { McpFolderAllowEvent, McpResourceList, McpResourceView } from '@inpage-mcp/elements';
import { sendKeys, setViewport } from '@web/test-runner-commands';
import { eventually, inside } from '../support/elements.js';
import { listedClient } from '../support/listed-client.js';

type State = 'ready' | 'permission' | 'gone';

/** How many children a read of a folder gives at once. */
const PAGE = 50;

/** The mounted folders of a server, without the server. */
class FakeDisk {
  /** The names in each folder, by its address. */
  readonly folders = new Map<string, string[]>();
  readonly states = new Map<string, State>();
  readonly reads: string[] = [];
  readonly watched = new Map<string, Set<WatchListener>>();
  /** How many pages of the list were asked for. */
  pages = 0;
  #onlist: () => void = () => undefined;
  /** Whether the client may read which folders are mounted. */
  isOpen = true;

  mount(name: string, state: State, ...children: string[]): string {
    const uri = `disk:///${encodeURIComponent(name)}/`;
    this.states.set(uri, state);
    this.folders.set(uri, children);
    this.#onlist();
    return uri;
  }

  change(uri: string, ...children: string[]): void {
    this.folders.set(uri, children);
    // As a client does: what comes without says only that an update may have been missed.
    for (const onchange of this.watched.get(uri) ?? []) onchange(uri, {});
  }

  client(pageSize = 5_000): McpClient {
    const files = listedClient([]);
    const list = async ({ cursor = '0' }: { cursor?: string }): Promise<object> => {
      this.pages += 1;
      const { listResources } = listedClient(this.#list(), {}, pageSize);
      return await listResources({ cursor });
    };
    return Object.assign(files, {
      listResources: list,
      readResource: (uri: string) => this.#read(uri),
      watchList: (onchange: () => void) => void (this.#onlist = onchange),
      watch: (uri: string, onchange: WatchListener, { signal }: { signal?: AbortSignal } = {}) => {
        const all = this.watched.get(uri) ?? new Set();
        this.watched.set(uri, all.add(onchange));
        const stop = (): void => void all.delete(onchange);
        signal?.addEventListener('abort', stop);
        return { ready: Promise.resolve(), stop };
      },
    });
  }

  /** Depth first, as the server lists them. */
  #list(): Resource[] {
    const below = (uri: string): Resource[] =>
      (this.folders.get(uri) ?? []).flatMap((name) => {
        const own = uri + encodeURIComponent(name).replace('%2F', '/');
        return [{ uri: own, name }, ...below(own)];
      });
    const mounts = [...this.states].flatMap(([uri, state]) => {
      const name = `${decodeURIComponent(uri.slice(8, -1))}/`;
      const _meta = { 'io.github.inpage-mcp/folder': { state } };
      const root = { uri, name, title: name, mimeType: 'inode/directory', _meta };
      return [root, ...(state === 'ready' ? below(uri) : [])];
    });
    return [{ uri: 'note:1', name: 'A note' }, ...mounts];
  }

  async #read(address: string): Promise<object> {
    this.reads.push(address);
    const [uri = '', from = '0'] = address.split('?from=');
    const missing = Object.assign(new Error('Resource not found'), { code: -32602 });
    if (uri === 'disk:///') {
      if (!this.isOpen) throw missing;
      const children = [...this.states].map(([own, state]) => {
        return { name: `${decodeURIComponent(own.slice(8, -1))}/`, uri: own, state };
      });
      return json(address, { children });
    }
    const state = [...this.states].find(([own]) => uri.startsWith(own))?.[1];
    const names = this.folders.get(uri);
    if (state === 'permission') throw Object.assign(new Error('Not allowed'), { code: -32603 });
    if (!names || state === 'gone') throw missing;
    const end = Number(from) + PAGE;
    const children = names.slice(Number(from), end).map((name) => {
      return { name, uri: uri + encodeURIComponent(name).replace('%2F', '/') };
    });
    return json(address, { children, next: end < names.length ? `${uri}?from=${end}` : undefined });
  }
}

const json = (uri: string, value: unknown): object => ({
  contents: [{ uri, mimeType: 'application/json', text: JSON.stringify(value) }],
});

const numbers = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${index}.txt`);

async function showList(client: McpClient, view = 'list'): Promise<McpResourceList> {
  await setViewport({ width: 800, height: 700 });
  const list = await fixture<McpResourceList>(
    html`<mcp-resource-list
      .client=${client}
      view=${view}
      style="block-size: 600px"
    ></mcp-resource-list>`,
  );
  await eventually(() => rowsOf(list).length > 0);
  return list;
}

const rowsOf = (list: McpResourceList): HTMLElement[] => [
  ...list.shadowRoot!.querySelectorAll<HTMLElement>('[role=option], [role=treeitem]'),
];
const textsOf = (list: McpResourceList, part: string): string[] =>
  rowsOf(list).map((row) => row.querySelector(part)!.textContent.trim());
const rowOf = (list: McpResourceList, title: string): HTMLElement | undefined =>
  rowsOf(list).find((row) => row.querySelector('.title')!.textContent === title);
const shown = (list: McpResourceList, title: string): Promise<HTMLElement> =>
  eventually(() => rowOf(list, title));

/** The addresses of the folders that the user has wanted to allow. */
function allowed(element: HTMLElement): string[] {
  const uris: string[] = [];
  // On what is around it: the event bubbles, and leaves the shadow.
  element.parentElement!.addEventListener('mcp-folder-allow', (event: McpFolderAllowEvent) => {
    uris.push(`${event.uri}${navigator.userActivation.isActive ? '' : ' outside of a click'}`);
  });
  return uris;
}

describe('<mcp-resource-list> with folders of the disk', () => {
  it('has a group for each, which says what is wrong with it', async () => {
    const disk = new FakeDisk();
    disk.mount('project', 'ready', 'a.txt');
    disk.mount('R&D c\u00f6de', 'permission', 'b.txt');
    disk.mount('gone', 'gone');
    const list = await showList(disk.client());
    await eventually(() => textsOf(list, '.details').includes('Allow again'));
    const headings = [...list.shadowRoot!.querySelectorAll('.heading')];
    expect(headings.map(({ textContent }) => textContent)).to.deep.equal([
      'Notes',
      'project',
      'R&D c\u00f6de',
      'gone',
    ]);
    expect(textsOf(list, '.title')).to.deep.equal([
      'A note',
      'project/',
      'a.txt',
      'R&D c\u00f6de/',
      'gone/',
    ]);
    expect(textsOf(list, '.details').slice(-2)).to.deep.equal([
      'Allow again',
      'The folder is gone',
    ]);
    await expect(list).to.be.accessible();
  });

  it('reads and watches no folder after it was removed', async () => {
    const disk = new FakeDisk();
    disk.mount('project', 'ready', 'a.txt');
    const list = await showList(disk.client(), 'tree');
    const watchers = (): number => disk.watched.get('disk:///')?.size ?? 0;
    await eventually(() => watchers() === 1);
    const parent = list.parentElement!;
    list.remove();
    list.requestUpdate();
    await list.updateComplete;
    expect(watchers()).to.equal(0);
    parent.append(list);
    await eventually(() => watchers() === 1);
  });

  it('asks the page to allow a folder, within a click or Enter on it', async () => {
    const disk = new FakeDisk();
    const uri = disk.mount('locked', 'permission');
    disk.mount('gone', 'gone');
    const list = await showList(disk.client());
    await eventually(() => textsOf(list, '.details').includes('Allow again'));
    const uris = allowed(list);
    rowOf(list, 'gone/')!.click();
    rowOf(list, 'A note')!.click();
    inside(list, '.scroller').focus();
    await sendKeys({ press: 'ArrowDown' });
    expect(list.selected).to.equal(uri);
    expect(uris).to.deep.equal([]);
    await sendKeys({ press: 'Enter' });
    expect(uris).to.deep.equal([uri]);
    rowOf(list, 'locked/')!.click();
    expect(uris).to.deep.equal([uri, uri]);
    // The second click of two.
    rowOf(list, 'locked/')!.dispatchEvent(
      new MouseEvent('click', { detail: 2, bubbles: true, composed: true }),
    );
    expect(uris.length).to.equal(2);
  });

  it('reads in a tree only what is open, however much there is', async () => {
    const disk = new FakeDisk();
    disk.mount('big', 'ready', ...numbers(5_000));
    const uri = disk.mount('small', 'ready', 'src/', 'z.txt');
    disk.folders.set(`${uri}src/`, ['main.ts']);
    const list = await showList(disk.client(200), 'tree');
    await shown(list, 'small');
    expect(textsOf(list, '.title')).to.deep.equal(['Notes', 'A note', 'big', 'small']);
    expect(list.resources.length).to.be.below(1_000);
    const { pages } = disk;
    rowOf(list, 'small')!.click();
    (await shown(list, 'src')).click();
    await shown(list, 'main.ts');
    expect(textsOf(list, '.title').slice(3)).to.deep.equal(['small', 'src', 'main.ts', 'z.txt']);
    expect(list.selected).to.equal('disk:///small/src/');
    expect(disk.reads.filter((one) => one.includes('big'))).to.deep.equal([]);
    expect(disk.pages).to.equal(pages);
    await expect(list).to.be.accessible();
  });

  it('reads on where the last row of a folder comes into sight', async () => {
    const disk = new FakeDisk();
    const uri = disk.mount('big', 'ready', ...numbers(120));
    const list = await showList(disk.client(), 'tree');
    (await shown(list, 'big')).click();
    await shown(list, '0.txt');
    const parts = (): string[] => disk.reads.filter((one) => one.startsWith(uri));
    expect(parts()).to.deep.equal([uri]);
    inside(list, '.scroller').focus();
    for (const last of ['49.txt', '99.txt', '119.txt']) {
      await sendKeys({ press: 'End' });
      await shown(list, last);
    }
    await sendKeys({ press: 'End' });
    expect(parts()).to.deep.equal([uri, `${uri}?from=50`, `${uri}?from=100`]);
  });

  it('follows the changes of what is open, and of nothing else', async () => {
    const disk = new FakeDisk();
    const uri = disk.mount('a', 'ready', 'old.txt');
    const list = await showList(disk.client(), 'tree');
    (await shown(list, 'a')).click();
    await shown(list, 'old.txt');
    disk.change(uri, 'new.txt', 'old.txt');
    await shown(list, 'new.txt');
    rowOf(list, 'a')!.querySelector<HTMLElement>('.chevron')!.click();
    await eventually(() => !rowOf(list, 'new.txt'));
    const { length } = disk.reads;
    disk.change(uri, 'newer.txt');
    disk.mount('b', 'permission');
    await shown(list, 'b');
    expect(textsOf(list, '.details').at(-1)).to.equal('Allow again');
    expect(rowOf(list, 'b')!.ariaExpanded).to.equal(null);
    expect(disk.reads.slice(length)).to.deep.equal(['disk:///']);
    rowOf(list, 'a')!.click();
    await shown(list, 'newer.txt');
    disk.mount('b', 'ready', 'b.txt');
    await eventually(() => rowOf(list, 'b')!.ariaExpanded === 'false');
  });

  it('reports updates of what is on the disk, and marks none, as they may be about anything', async () => {
    const disk = new FakeDisk();
    const uri = disk.mount('a', 'ready', 'a.txt');
    const list = await showList(disk.client());
    const updated: string[] = [];
    list.addEventListener('mcp-resource-update', ({ resource }) => updated.push(resource.uri));
    // Not `a.txt`: a tab in the background may not draw its row, and what is not in sight is not watched.
    const all = [uri, 'note:1'];
    await eventually(() => all.every((one) => disk.watched.get(one)?.size));
    for (const one of all) disk.change(one);
    await eventually(() => updated.length >= all.length);
    await eventually(() => rowOf(list, 'A note')!.matches('.updated'));
    expect(updated).to.have.members(all);
    expect(list.shadowRoot!.querySelectorAll('.updated').length).to.equal(1);
  });

  it('opens an empty folder by keyboard, and says why one cannot be read', async () => {
    const disk = new FakeDisk();
    const uri = disk.mount('a', 'ready', 'lost/');
    disk.mount('empty', 'ready');
    const list = await showList(disk.client(), 'tree');
    await shown(list, 'empty');
    inside(list, '.scroller').focus();
    for (const press of ['End', 'ArrowRight', 'ArrowRight', 'ArrowRight'])
      await sendKeys({ press });
    await eventually(() => disk.reads.includes('disk:///empty/'));
    expect(list.selected).to.equal('disk:///empty/');
    rowOf(list, 'a')!.click();
    (await shown(list, 'lost')).click();
    await eventually(() => textsOf(list, '.details').includes('Resource not found'));
    expect(disk.reads.filter((one) => one === `${uri}lost/`).length).to.equal(1);
  });

  it('makes the tree of the list where the client may not read what is mounted', async () => {
    const disk = new FakeDisk();
    disk.isOpen = false;
    disk.mount('a', 'ready', ...numbers(300));
    const list = await showList(disk.client(100), 'tree');
    await eventually(() => list.resources.length === 302);
    (await shown(list, 'a')).click();
    await shown(list, '0.txt');
  });

  it('shows nothing twice that a server says is in a folder and is not', async () => {
    const disk = new FakeDisk();
    const uri = disk.mount('a', 'ready', 'ok.txt');
    const client = disk.client();
    const { readResource } = client;
    const children = [uri, 'disk:///', `${uri}b/c`, 'note:1', `${uri}<x>`, `${uri}ok.txt`];
    client.readResource = async (address) =>
      address === uri
        ? (json(uri, { children: children.map((one) => ({ uri: one, name: one })) }) as never)
        : await readResource(address);
    const list = await showList(client, 'tree');
    (await shown(list, 'a')).click();
    await shown(list, `${uri}ok.txt`);
    expect(rowsOf(list).length).to.equal(4);
  });
});

describe('<mcp-resource-view> of a folder of the disk', () => {
  const showView = async (disk: FakeDisk, uri: string): Promise<McpResourceView> =>
    await fixture<McpResourceView>(
      html`<mcp-resource-view
        .client=${disk.client()}
        uri=${uri}
        header
        follow-links
      ></mcp-resource-view>`,
    );
  const linksOf = (view: McpResourceView): HTMLElement[] => [
    ...view.shadowRoot!.querySelectorAll<HTMLElement>('[role=link]'),
  ];
  const link = (view: McpResourceView, text: string): Promise<HTMLElement> =>
    eventually(() => linksOf(view).find(({ textContent }) => textContent === text));

  it('shows links to what is in it, page after page', async () => {
    const disk = new FakeDisk();
    const names = ['a *b* [c](d) <e> & `f`.md', '1. x', 'src/', ...numbers(57)];
    const uri = disk.mount('my project', 'ready', ...names);
    disk.folders.set(`${uri}src/`, []);
    const view = await showView(disk, uri);
    await link(view, 'Next page');
    const texts = linksOf(view).map(({ textContent }) => textContent);
    expect(texts).to.deep.equal([...names.slice(0, 50), 'Next page']);
    await expect(view).to.be.accessible();
    const followed: string[] = [];
    view.addEventListener('mcp-resource-link', (event) => followed.push(event.uri));
    linksOf(view).at(-1)!.click();
    await link(view, '56.txt');
    expect(linksOf(view).length).to.equal(10);
    expect(inside(view, '[part=title]').textContent).to.equal('my project/');
    view.back();
    (await link(view, 'src/')).click();
    await eventually(() =>
      view.shadowRoot!.querySelector('.markdown')?.textContent.includes('empty'),
    );
    view.back();
    (await link(view, names[0]!)).click();
    // The folder may be read again after it.
    await eventually(() => followed[2] !== undefined && disk.reads.includes(followed[2]));
    expect(followed.slice(0, 2)).to.deep.equal([`${uri}?from=50`, `${uri}src/`]);
    expect(decodeURIComponent(followed[2]!)).to.equal(`disk:///my project/${names[0]}`);
  });

  it('shows its JSON as the source, and what is no folder as it is', async () => {
    const disk = new FakeDisk();
    const uri = disk.mount('a', 'ready', 'a.txt');
    const view = await showView(disk, uri);
    await link(view, 'a.txt');
    view.mode = 'source';
    await eventually(() =>
      view.shadowRoot!.querySelector('pre')?.textContent.includes('{"children'),
    );
    const odd = disk.client();
    odd.readResource = async () => json(uri, { total: 1 }) as never;
    const other = await fixture<McpResourceView>(
      html`<mcp-resource-view .client=${odd} uri=${uri}></mcp-resource-view>`,
    );
    await eventually(() => other.shadowRoot!.querySelector('pre')?.textContent.includes('{"total'));
  });

  it('offers to allow a folder again, and says that one is gone', async () => {
    const disk = new FakeDisk();
    const uri = disk.mount('locked', 'permission', 'a.txt');
    const gone = disk.mount('gone', 'gone');
    const view = await showView(disk, `${uri}a.txt`);
    const uris = allowed(view);
    const button = await eventually(() =>
      [...view.shadowRoot!.querySelectorAll<HTMLElement>('[part=error] button')].find(
        ({ textContent }) => textContent.trim() === 'Allow again',
      ),
    );
    await expect(view).to.be.accessible();
    button.click();
    expect(uris.map((one) => one.split(' ')[0])).to.deep.equal([uri]);
    view.uri = gone;
    await eventually(() => inside(view, '#body').textContent.includes('The folder is gone'));
    expect(view.shadowRoot!.querySelector('[part=error] button')).to.equal(null);
    view.uri = `${disk.mount('b', 'ready')}none.txt`;
    await eventually(() => inside(view, '#body').textContent.includes('Resource not found'));
    expect(inside(view, '[part=error] button').textContent.trim()).to.equal('Try again');
  });

  it('shows the folder once it is allowed', async () => {
    const disk = new FakeDisk();
    const uri = disk.mount('locked', 'permission', 'a.txt');
    const view = await showView(disk, uri);
    await eventually(() => view.shadowRoot!.querySelector('[part=error]'));
    disk.states.set(uri, 'ready');
    disk.change(uri, 'a.txt');
    await link(view, 'a.txt');
    expect(view.shadowRoot!.querySelector('[part=error]')).to.equal(null);
  });
});
