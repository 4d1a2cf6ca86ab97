import { expect, fixture, html } from '@open-wc/testing';
import type { McpClient, Resource } from '@inpage-mcp/client';
import '@inpage-mcp/elements/all';
import type { McpResourceList } from '@inpage-mcp/elements';
import { addLanguage, setLanguage } from '@inpage-mcp/elements/localize';
import { sendKeys, setViewport } from '@web/test-runner-commands';
import { eventually, expectFocus, inside } from '../support/elements.js';
import { useFakeTimers } from '../support/fake-timers.js';
import { useLinkedClient } from '../support/linked-server.js';

const rowsOf = (list: McpResourceList): HTMLElement[] => [
  ...list.shadowRoot!.querySelectorAll<HTMLElement>('[role=option], [role=treeitem]'),
];
const titles = (list: McpResourceList): string[] =>
  rowsOf(list).map((row) => row.querySelector('.title')!.textContent);
const rowOf = (list: McpResourceList, title: string): HTMLElement | undefined =>
  rowsOf(list).find((row) => row.querySelector('.title')!.textContent === title);
const scrollerOf = (list: McpResourceList): HTMLElement => inside(list, '.scroller');
const statusOf = (list: McpResourceList): string =>
  inside(list, '.visually-hidden[role=status]').textContent.trim();

/** A client of a server with a fixed list, in pages. */
function clientOf(resources: readonly Resource[], pageSize = 2_000): McpClient {
  const client = {
    state: 'open',
    watch: () => ({ ready: Promise.resolve(), stop: () => undefined }),
    watchList: () => undefined,
    watchState: () => undefined,
    listResourceTemplates: () => Promise.resolve({ resourceTemplates: [] }),
    async listResources({ cursor = '0' }: { cursor?: string } = {}) {
      const end = Number(cursor) + pageSize;
      const page = resources.slice(Number(cursor), end);
      return end < resources.length
        ? { resources: page, nextCursor: `${end}` }
        : { resources: page };
    },
  };
  return client as never;
}

const named = (name: string, more: Partial<Resource> = {}): Resource => ({
  uri: `a:${name}`,
  name,
  ...more,
});

async function open(client: McpClient, attributes: string): Promise<McpResourceList> {
  await setViewport({ width: 800, height: 700 });
  const frame = await fixture<HTMLElement>(html`<div></div>`);
  frame.innerHTML = `<mcp-resource-list style="block-size: 600px" ${attributes}></mcp-resource-list>`;
  const list = frame.querySelector('mcp-resource-list')!;
  list.client = client;
  return list;
}

async function show(client: McpClient, attributes: string): Promise<McpResourceList> {
  const list = await open(client, attributes);
  await eventually(() => rowsOf(list).length > 0);
  return list;
}

describe('search in a <mcp-resource-list>', () => {
  const setup = useLinkedClient();

  it('finds what the server finds, and what the list knows, as one types', async () => {
    const { notes, files } = setup.linked.server.store;
    await notes.create({ title: 'Shopping', text: 'First line.\n\nBuy fresh brioche today.' });
    await notes.create({ title: 'Plan', text: 'Nothing of that.' });
    await files.write('Brióche recipe.txt', new Blob(['x']));
    const list = await show(setup.client, 'searchable');
    const input = await eventually(() => list.shadowRoot!.querySelector('input'));
    list.focusSearch();
    expectFocus(list, input);
    await sendKeys({ type: 'brioche' });
    await eventually(() => titles(list).length === 2);
    // The text of a note is known only to the server; its hits come first.
    expect(titles(list)).to.deep.equal(['Shopping', 'Brióche recipe.txt']);
    await eventually(() => statusOf(list) === 'Results: 2');
    await expect(list).to.be.accessible();
    await sendKeys({ press: 'ArrowDown' });
    expectFocus(list, scrollerOf(list));
    await sendKeys({ press: 'ArrowDown' });
    await sendKeys({ press: 'ArrowUp' });
    // Above the first row.
    expectFocus(list, input);
    // As Safari reports the Enter that ends a composition.
    const composed = { key: 'Enter', keyCode: 229, cancelable: true };
    expect(input.dispatchEvent(new KeyboardEvent('keydown', composed)), 'composed').to.equal(true);
    await sendKeys({ press: 'Enter' });
    expect(list.selected).to.match(/^note:/);
    await sendKeys({ press: 'Escape' });
    await eventually(() => titles(list).includes('Plan'));
    expect(input.value).to.equal('');
  });

  it('shows the line in which the server has found the words, and marks them', async () => {
    const { notes, files } = setup.linked.server.store;
    await notes.create({ title: 'Straße', text: '# Heading\n\n- Buy <b>Brióche</b> today.' });
    await files.write('Café Straße.txt', new Blob(['x']));
    const list = await show(setup.client, 'query="brioche"');
    const row = await eventually(() => rowOf(list, 'Straße'));
    const details = await eventually(() => {
      const shown = row.querySelector('.details')!;
      return shown.textContent.includes('Buy') && shown;
    });
    expect(details.textContent).to.equal('Buy <b>Brióche</b> today.');
    expect(details.querySelector('mark')!.textContent).to.equal('Brióche');
    list.query = 'cafe strasse';
    const found = await eventually(() => rowOf(list, 'Café Straße.txt'));
    await eventually(() => found.querySelectorAll('mark').length === 2);
    expect(Array.from(found.querySelectorAll('mark'), (mark) => mark.textContent)).to.deep.equal([
      'Café',
      'Straße',
    ]);
    await expect(list).to.be.accessible();
  });

  it('tells results of the same name apart, beside the line that was found', async () => {
    const { notes } = setup.linked.server.store;
    const twins = await Promise.all(
      ['Buy brioche.', 'Eat brioche.'].map((text) => notes.create({ title: 'Twin', text })),
    );
    const list = await show(setup.client, 'query="brioche"');
    const details = await eventually(() => {
      const found = [...list.shadowRoot!.querySelectorAll('[role=option] .details')];
      return found.length === 2 && found.every((one) => one.querySelector('mark')) && found;
    });
    expect(details.map(({ textContent }) => textContent)).to.have.members([
      `${twins[0]!.id} · Buy brioche.`,
      `${twins[1]!.id} · Eat brioche.`,
    ]);
  });

  it('says that nothing was found, and finds a note that is written later', async () => {
    const { notes } = setup.linked.server.store;
    await notes.create({ title: 'Something else', text: '' });
    const list = await open(setup.client, 'searchable query="zebra"');
    await eventually(() => list.shadowRoot!.textContent.includes('Nothing was found.'));
    await expect(list).to.be.accessible();
    await notes.create({ title: 'Stripes', text: 'A zebra.' });
    await eventually(() => titles(list).join() === 'Stripes');
    list.query = 'giraffe';
    (
      await eventually(() => list.shadowRoot!.querySelector<HTMLElement>('.message button'))
    ).click();
    await eventually(() => titles(list).length === 2);
    expect(list.shadowRoot!.activeElement?.localName).to.equal('input');
  });

  it('keeps the focus when it shows everything without a search field', async () => {
    const resources = [named('a', { mimeType: 'image/png' }), named('b', { mimeType: 'text/csv' })];
    const list = await open(clientOf(resources), 'filterable query="zebra"');
    const button = await eventually(() =>
      list.shadowRoot!.querySelector<HTMLElement>('.message button'),
    );
    button.focus();
    button.click();
    await eventually(() => titles(list).length === 2);
    expect(list.shadowRoot!.activeElement?.localName).to.equal('select');
  });

  it('looks into the pages that are not loaded yet', async () => {
    const resources = Array.from({ length: 5_000 }, (_, key) => named(`${key}`));
    const described = named('last', { description: 'The needle', title: 'Found' });
    const list = await open(clientOf([...resources, described], 500), 'query="NEEDLE"');
    await eventually(() => titles(list).join() === 'Found');
  });

  // Without the attribute, a list shows no rows until what a search needs is loaded.
  for (const attribute of ['searchable', ''])
    it(`shows the first results, wherever the list was (${attribute || 'not searchable'})`, async () => {
      const resources = Array.from({ length: 1_000 }, (_, key) => named(`${key}`));
      const list = await show(clientOf(resources), attribute);
      await eventually(() => {
        // The space for all rows has its height one frame after the first rows.
        scrollerOf(list).scrollTop = 500 * rowsOf(list)[0]!.offsetHeight;
        return rowOf(list, '500');
      });
      list.query = '5';
      await eventually(
        () => titles(list).length > 0 && titles(list).every((title) => title.includes('5')),
      );
      expect(rowOf(list, '5'), 'the first result').not.to.equal(undefined);
      expect(scrollerOf(list).scrollTop).to.equal(0);
    });

  it('says how many entries the server could not search yet', async () => {
    const _meta = { 'io.github.inpage-mcp/unsearched': 1_234 };
    const readResource = (uri: string) => {
      const rest = uri.endsWith('needle') ? { _meta } : {};
      return Promise.resolve({ contents: [{ uri, mimeType: 'text/plain', text: 'x', ...rest }] });
    };
    const templates = [{ uriTemplate: 'a:search{?q}', name: 'x' }];
    const client = Object.assign(clientOf([named('needle')]), {
      listResourceTemplates: () => Promise.resolve({ resourceTemplates: templates }),
      readResource,
    });
    const list = await open(client, 'searchable query="needle"');
    const isSaid = (): boolean =>
      list.shadowRoot!.textContent.includes('1,234 entries could not be searched yet.');
    await eventually(isSaid);
    await expect(list).to.be.accessible();
    list.query = 'other';
    await eventually(() => !isSaid());
  });

  it('shows nothing that the search of another client has found', async () => {
    const withSearch = (name: string, contents: () => Promise<object>): McpClient =>
      Object.assign(clientOf([named(name)]), {
        listResourceTemplates: async () => ({ resourceTemplates: [{ uriTemplate: 'a:s{?q}' }] }),
        readResource: contents,
      });
    const secret = { uri: 'a:/private text', text: 'text' };
    const first = withSearch('first text', async () => ({ contents: [secret] }));
    const list = await show(first, 'searchable query="text"');
    await eventually(() => rowOf(list, 'private text'));
    list.client = withSearch('other text', () => new Promise(() => undefined));
    await eventually(() => rowOf(list, 'other text'));
    expect(titles(list)).to.deep.equal(['other text']);
    list.client = first;
    await eventually(() => rowOf(list, 'private text'));
    list.client = undefined;
    await eventually(() => rowsOf(list).length === 0);
  });

  it('survives a server whose search answers with anything', async () => {
    const answers: unknown[] = [undefined, { contents: 7 }, { contents: [null, { uri: 7 }] }];
    const templates = [{ uriTemplate: 7 }, { uriTemplate: 'a:search{?q}', name: 'x' }];
    for (const answer of answers) {
      const client = Object.assign(clientOf([named('needle')]), {
        listResourceTemplates: () => Promise.resolve({ resourceTemplates: templates }),
        readResource: () => Promise.resolve(answer),
      });
      const list = await show(client, 'query="needle"');
      expect(titles(list)).to.deep.equal(['needle']);
    }
  });
});

describe('sorting and filtering a <mcp-resource-list>', () => {
  const moment = (day: number): string => `2026-11-0${day}T00:00:00.000Z`;
  const resources = [
    named('b10', { size: 5, annotations: { lastModified: moment(1), priority: 0.5 } }),
    named('b9', { size: 9, annotations: { lastModified: moment(3), audience: ['user'] } }),
    named('a', { mimeType: 'image/png', annotations: { lastModified: moment(2), priority: 1 } }),
    named('none', { mimeType: 'text/plain', _meta: { tags: ['work trip'] } }),
  ];

  for (const [sort, order] of [
    ['', 'b10,b9,a,none'],
    ['name', 'a,b9,b10,none'],
    ['-name', 'none,b10,b9,a'],
    ['size', 'b9,b10,a,none'],
    ['-size', 'b10,b9,a,none'],
    ['modified', 'b9,a,b10,none'],
    ['-modified', 'b10,a,b9,none'],
    ['priority', 'a,b10,b9,none'],
    ['toString', 'b10,b9,a,none'],
  ] as const) {
    it(`puts the resources in order with sort="${sort}"`, async () => {
      const list = await show(clientOf(resources), '');
      list.sort = sort;
      await eventually(() => titles(list).join() === order);
    });
  }

  for (const [filter, shown] of [
    ['kind:image', 'a'],
    ['audience:user', 'b9'],
    ['tag:work%20trip', 'none'],
    ['kind:text tag:work%20trip', 'none'],
  ] as const) {
    it(`shows only what filter="${filter}" asks for`, async () => {
      const list = await show(clientOf(resources), `filter="${filter}"`);
      await eventually(() => titles(list).join() === shown);
    });
  }

  it('offers the kinds, audiences and tags that there are', async () => {
    const list = await show(clientOf(resources), 'sortable filterable');
    const menus = await eventually(() => {
      const found = [...list.shadowRoot!.querySelectorAll('select')];
      return found.length === 4 && found;
    });
    const texts = menus.map((menu) => [...menu.options].map(({ text }) => text.trim()));
    expect(texts[1]).to.deep.equal(['All kinds', 'Other', 'Images', 'Texts']);
    expect(texts[2]).to.deep.equal(['All audiences', 'For the user']);
    expect(texts[3]).to.deep.equal(['All tags', 'work trip']);
    const choose = async (menu: HTMLSelectElement, value: string): Promise<void> => {
      menu.value = value;
      menu.dispatchEvent(new Event('change'));
      await list.updateComplete;
    };
    await choose(menus[0]!, 'name');
    await eventually(() => titles(list).join() === 'a,b9,b10,none');
    await choose(menus[1]!, 'other');
    await eventually(() => titles(list).join() === 'b9,b10');
    expect(list.filter).to.equal('kind:other');
    await expect(list).to.be.accessible();
  });

  it('sorts names by the rules of the language, also when it changes', async () => {
    addLanguage('sv', () => Promise.resolve({ templates: {} }));
    const list = await show(
      clientOf([named('zebra'), named('ärlig'), named('axel')]),
      'sort="name"',
    );
    expect(titles(list)).to.deep.equal(['ärlig', 'axel', 'zebra']);
    await setLanguage('sv');
    await eventually(() => titles(list).join() === 'axel,zebra,ärlig');
    await setLanguage('en');
    await eventually(() => titles(list).join() === 'ärlig,axel,zebra');
  });

  it('sorts 20,000 resources while pages arrive, with few nodes', async () => {
    const many = Array.from({ length: 20_000 }, (_, key) => named(`${(key * 7_919) % 20_000}`));
    const list = await show(clientOf(many), 'sort="name" searchable multiple');
    await eventually(() => list.resources.length === many.length && titles(list)[0] === '0');
    scrollerOf(list).focus();
    await sendKeys({ press: 'End' });
    await eventually(() => titles(list).at(-1) === '19999');
    const names = titles(list).map(Number);
    expect(names).to.deep.equal(names.toSorted((a, b) => a - b));
    expect(list.shadowRoot!.querySelectorAll('*').length).to.be.below(250);
  });
});

describe('a <mcp-resource-list> as a tree', () => {
  const setup = useLinkedClient();

  async function showFiles(): Promise<McpResourceList> {
    const { notes, files } = setup.linked.server.store;
    await notes.create({ title: 'A note', text: '' });
    for (const path of ['photos/2026/lake.jpg', 'photos/dot.png', 'readme.txt'])
      await files.write(path, new Blob(['x']));
    const list = await show(setup.client, 'view="tree"');
    await eventually(() => rowOf(list, 'Files'));
    return list;
  }

  it('has groups and folders, which are opened and closed by keyboard', async () => {
    const list = await showFiles();
    const all = ['Notes', 'A note', 'Files', 'photos', 'readme.txt'];
    expect(titles(list)).to.deep.equal(all);
    const tree = inside(list, '[role=tree]');
    tree.focus();
    const press = async (...keys: string[]): Promise<string | undefined> => {
      for (const key of keys) await sendKeys({ press: key });
      await list.updateComplete;
      const active = tree.getAttribute('aria-activedescendant')!;
      return list.shadowRoot!.getElementById(active)!.querySelector('.title')!.textContent;
    };
    expect(await press('End', 'ArrowUp')).to.equal('photos');
    const levels = (): (string | null)[] => rowsOf(list).map((row) => row.ariaLevel);
    expect(levels()).to.deep.equal(['1', '2', '1', '2', '2']);
    expect(rowOf(list, 'photos')!.ariaExpanded).to.equal('false');
    expect(list.selected).to.equal('file:///photos/');
    expect(await press('ArrowRight')).to.equal('photos');
    expect(titles(list).slice(3)).to.deep.equal(['photos', '2026', 'dot.png', 'readme.txt']);
    expect(rowOf(list, 'photos')!.ariaExpanded).to.equal('true');
    expect(await press('ArrowRight', 'ArrowRight', 'ArrowRight')).to.equal('lake.jpg');
    expect(list.selected).to.equal('file:///photos/2026/lake.jpg');
    await expect(list).to.be.accessible();
    expect(await press('ArrowLeft', 'ArrowLeft', 'ArrowLeft', 'ArrowLeft')).to.equal('photos');
    expect(titles(list)).to.deep.equal(all);
    // A group has no resource: Enter closes and opens it.
    expect(await press('Home', 'Enter')).to.equal('Notes');
    expect(titles(list).slice(0, 2)).to.deep.equal(['Notes', 'Files']);
    expect(await press('Enter')).to.equal('Notes');
    expect(titles(list)).to.deep.equal(all);
    expect(await press('r')).to.equal('readme.txt');
  });

  it('opens a folder by a click, and selects it', async () => {
    const list = await showFiles();
    rowOf(list, 'photos')!.click();
    await eventually(() => rowOf(list, 'dot.png'));
    expect(list.selected).to.equal('file:///photos/');
    inside(list, '[aria-expanded=true][aria-level="2"] .chevron').click();
    await eventually(() => !rowOf(list, 'dot.png'));
  });

  it('shows a file that comes into an open folder', async () => {
    const list = await showFiles();
    rowOf(list, 'photos')!.click();
    await eventually(() => rowOf(list, 'dot.png'));
    await setup.linked.server.store.files.write('photos/new.png', new Blob(['x']));
    await eventually(() => rowOf(list, 'new.png'));
  });

  it('finds the folders of any server in its addresses', async () => {
    const uris = ['https://example.com/docs/a%20b/c.html', 'https://example.com/docs/d.html'];
    const resources = [...uris.map((uri) => ({ uri, name: uri })), named('alone')];
    const list = await show(clientOf(resources), 'view="tree"');
    expect(titles(list)).to.deep.equal(['example.com', 'docs', 'a', 'alone']);
    for (const title of ['docs', 'a b']) (await eventually(() => rowOf(list, title))).click();
    await eventually(() => rowsOf(list).length === 7);
    expect(list.selected).to.equal(undefined);
  });

  it('opens groups of up to 50 entries at first, and leaves them so when more come', async () => {
    for (const [count, isOpen] of [
      [50, true],
      [51, false],
    ] as const) {
      const resources = Array.from({ length: count }, (_, at) => ({
        uri: `note:///${at}`,
        name: 'n',
      }));
      const file = { uri: 'file:///a.txt', name: 'a.txt' };
      const list = await show(clientOf([...resources, file]), 'view="tree"');
      expect(rowOf(list, 'Notes')!.ariaExpanded).to.equal(String(isOpen));
    }
    const { notes, files } = setup.linked.server.store;
    await files.write('a.txt', new Blob(['x']));
    await notes.create({ title: 'First', text: '' });
    const list = await show(setup.client, 'view="tree"');
    await eventually(() => rowOf(list, 'First'));
    await notes.createAll(Array.from({ length: 60 }, (_, at) => ({ title: `n ${at}`, text: '' })));
    await eventually(() => rowOf(list, 'n 59'));
    expect(rowOf(list, 'Notes')!.ariaExpanded).to.equal('true');
  });
});

describe('selecting several resources in a <mcp-resource-list>', () => {
  const resources = ['apple', 'banana', 'cherry', 'date', 'elder'].map((name) => named(name));
  const showMultiple = async (): Promise<{
    list: McpResourceList;
    selected: () => string;
    press: (key: string) => Promise<void>;
  }> => {
    const list = await show(clientOf(resources), 'multiple');
    await eventually(() => list.shadowRoot!.querySelector('.check'));
    let selected: readonly Resource[] = [];
    list.addEventListener('mcp-resource-select', (event) => (selected = event.resources));
    const names = (): string => selected.map(({ name }) => name).join();
    const press = async (keys: string): Promise<void> => {
      const [key = '', modifier] = keys.split('+').toReversed();
      if (modifier) await sendKeys({ down: modifier });
      await sendKeys({ press: key });
      if (modifier) await sendKeys({ up: modifier });
    };
    list.focus();
    return { list, selected: names, press };
  };

  it('works by keyboard', async () => {
    const { list, selected, press } = await showMultiple();
    expect(scrollerOf(list).getAttribute('aria-multiselectable')).to.equal('true');
    await press('ArrowDown');
    expect(selected()).to.equal('apple');
    await press('Shift+ArrowDown');
    await press('Shift+ArrowDown');
    expect(selected()).to.equal('apple,banana,cherry');
    await press('Shift+ArrowUp');
    expect(selected()).to.equal('apple,banana');
    await press('Control+ArrowDown');
    await press('Control+ArrowDown');
    await press('Control+ ');
    expect(selected()).to.equal('apple,banana,date');
    await press(' ');
    expect(selected()).to.equal('apple,banana');
    await press('Control+ArrowDown');
    await press('Shift+ ');
    expect(selected()).to.equal('date,elder');
    await press('Control+a');
    expect(selected()).to.equal('apple,banana,cherry,date,elder');
    expect(list.selection).to.have.length(5);
    await list.updateComplete;
    expect(rowsOf(list).every((row) => row.ariaSelected === 'true')).to.equal(true);
    await expect(list).to.be.accessible();
    await press('Home');
    expect(selected()).to.equal('apple');
  });

  it('works by mouse, and by touch with the boxes', async () => {
    const { list, selected } = await showMultiple();
    const intents: string[] = [];
    list.addEventListener('mcp-resource-select', ({ intent }) => intents.push(intent));
    const click = (name: string, options: MouseEventInit = {}, part = '.title'): void => {
      const target = rowOf(list, name)!.querySelector(part)!;
      target.dispatchEvent(new MouseEvent('click', { bubbles: true, composed: true, ...options }));
    };
    click('banana');
    click('date', { ctrlKey: true });
    expect(selected()).to.equal('banana,date');
    click('banana', { ctrlKey: true });
    expect(selected()).to.equal('date');
    click('elder');
    click('cherry', { shiftKey: true });
    expect(selected()).to.equal('cherry,date,elder');
    click('apple', {}, '.check');
    expect(selected()).to.equal('apple,cherry,date,elder');
    // Who gathers several opens none of them, also not the first.
    list.selection = [];
    click('apple', {}, '.check');
    expect(selected()).to.equal('apple');
    const gathered = Array.from({ length: 2 }, () => 'browse');
    expect(intents).to.deep.equal(['open', ...gathered, 'open', ...gathered, 'browse']);
    const { width, height } = rowOf(list, 'apple')!
      .querySelector('.check')!
      .getBoundingClientRect();
    expect(Math.min(width, height)).to.be.at.least(24);
  });

  it('shows a box where one may want it, and none beside what is only open', async () => {
    const { list, press } = await showMultiple();
    // A finger cannot show them: there they stay.
    if (!matchMedia('(hover: hover)').matches) return;
    const shown = (): string =>
      rowsOf(list)
        .map((row) => getComputedStyle(row.querySelector('.check')!).opacity)
        .join('');
    await press('ArrowDown');
    expect(shown()).to.equal('10000');
    scrollerOf(list).blur();
    expect(shown()).to.equal('00000');
    list.selection = resources.slice(0, 2).map(({ uri }) => uri);
    await list.updateComplete;
    expect(shown()).to.equal('11111');
  });

  it('activates all that is selected', async () => {
    const { list, press } = await showMultiple();
    const activated: string[] = [];
    list.addEventListener('mcp-resource-activate', ({ resource, resources: all }) => {
      activated.push(`${resource.name} of ${all.map(({ name }) => name).join()}`);
    });
    await press('ArrowDown');
    await press('Shift+ArrowDown');
    await press('Enter');
    expect(activated).to.deep.equal(['banana of apple,banana']);
  });

  it('takes a selection from the page, and fires nothing then', async () => {
    const { list } = await showMultiple();
    list.addEventListener('mcp-resource-select', () => expect.fail('fired'));
    list.selection = ['a:banana', 'a:date'];
    await list.updateComplete;
    expect(list.selected).to.equal('a:date');
    expect(
      rowsOf(list)
        .map((row) => row.ariaSelected)
        .join(),
    ).to.equal('false,true,false,true,false');
  });
});

describe('the letters typed in a <mcp-resource-list>', () => {
  const timers = useFakeTimers({ stopClock: true, only: () => false });

  it('go to the title that begins with them', async () => {
    const resources = ['apple', 'banana', 'bread', 'cherry pie'].map((name) => named(name));
    const list = await show(clientOf(resources), '');
    list.focus();
    await sendKeys({ press: 'b' });
    await eventually(() => list.selected === 'a:banana');
    await sendKeys({ press: 'r' });
    expect(list.selected).to.equal('a:bread');
    timers.pass(700);
    await sendKeys({ type: 'cherry p' });
    expect(list.selected).to.equal('a:cherry pie');
  });
});

describe('moving in a <mcp-resource-list>', () => {
  const setup = useLinkedClient();

  it('goes to the end of 100,000 rows and back', async () => {
    const resources = Array.from({ length: 100_000 }, (_, key) => named(`${key}`));
    const list = await show(clientOf(resources), '');
    list.focus();
    await sendKeys({ press: 'End' });
    await eventually(() => list.selected === 'a:99999' && rowOf(list, '99999'));
    expect(list.shadowRoot!.querySelectorAll('*').length).to.be.below(250);
    const active = scrollerOf(list).getAttribute('aria-activedescendant')!;
    expect(list.shadowRoot!.getElementById(active)!.ariaPosInSet).to.equal('100000');
    await sendKeys({ press: 'Home' });
    await eventually(() => rowOf(list, '0'));
    expect(list.selected).to.equal('a:0');
  });

  it('names the groups for screen readers, also where their headings are out of sight', async () => {
    const resources = Array.from({ length: 500 }, (_, key) => ({
      uri: key < 400 ? `note:///${key}` : `file:///${key}`,
      name: `${key}`,
    }));
    const list = await show(clientOf(resources), '');
    const groups = (): string[] =>
      [...list.shadowRoot!.querySelectorAll('[role=group]')].map((group) => group.ariaLabel!);
    expect(groups()).to.deep.equal(['Notes']);
    scrollerOf(list).scrollTop = 200 * rowsOf(list)[0]!.offsetHeight;
    await eventually(() => rowOf(list, '200'));
    expect(groups()).to.deep.equal(['Notes']);
    scrollerOf(list).scrollTop = 398 * rowsOf(list)[0]!.offsetHeight;
    await eventually(() => rowOf(list, '400'));
    expect(groups()).to.deep.equal(['Notes', 'Files']);
    await expect(list).to.be.accessible();
  });

  it('has no headings where the server mixes its groups', async () => {
    const resources = ['a:1', 'b:1', 'a:2'].map((uri) => ({ uri, name: uri }));
    const list = await show(clientOf(resources), '');
    expect(list.shadowRoot!.querySelector('.heading')).to.equal(null);
    expect(titles(list)).to.have.length(3);
  });

  it('shows the whole title of the row that the keyboard is at, until Escape', async function () {
    // In Firefox, nothing is `:focus-visible` in a window in the background, as those of tests are.
    if (!document.hasFocus()) this.skip();
    const title = 'A very long title '.repeat(20);
    const list = await show(clientOf([named('short'), named('long', { title })]), '');
    list.style.inlineSize = '360px';
    list.focus();
    await sendKeys({ press: 'End' });
    await list.updateComplete;
    const shown = rowOf(list, title.slice(0, 200) + '…')!.querySelector<HTMLElement>('.title')!;
    await eventually(() => shown.getBoundingClientRect().height > 60);
    expect(shown.scrollWidth).to.be.at.most(shown.clientWidth);
    await sendKeys({ press: 'Escape' });
    await list.updateComplete;
    expect(shown.getBoundingClientRect().height).to.be.below(30);
  });

  it('scrolls to the whole ring of the row that the keyboard is at', async function () {
    if (!document.hasFocus()) this.skip();
    const long = { title: 'A very long title '.repeat(20) };
    const rows = Array.from({ length: 30 }, (_, at) => named(`${at}`, at === 20 ? long : {}));
    const list = await show(clientOf(rows), '');
    list.style.inlineSize = '360px';
    list.focus();
    await sendKeys({ press: 'Home' });
    for (let at = 0; at < 20; at += 1) await sendKeys({ press: 'ArrowDown' });
    const ring = await eventually(() => list.shadowRoot!.querySelector('.active .body'));
    const [box, edge] = [ring, scrollerOf(list)].map((one) => one.getBoundingClientRect());
    expect(ring.textContent).to.contain('very long');
    expect(box!.height).to.be.above(90);
    expect(box!.top).to.be.at.least(edge!.top - 1);
    expect(box!.bottom).to.be.at.most(edge!.bottom + 1);
  });

  it('is as high as its font needs', async () => {
    document.documentElement.style.fontSize = '200%';
    const list = await show(clientOf([named('a'), named('b')]), 'multiple');
    const [first, second] = rowsOf(list).map((row) => row.getBoundingClientRect());
    expect(first!.bottom).to.be.at.most(second!.top);
    for (const row of rowsOf(list)) expect(row.scrollHeight).to.be.at.most(row.clientHeight);
    document.documentElement.style.removeProperty('font-size');
  });

  it('activates by Enter, by a double click, and by a tap', async () => {
    const list = await show(clientOf([named('a'), named('b')]), '');
    const activated: string[] = [];
    list.addEventListener('mcp-resource-activate', ({ resource }) => activated.push(resource.name));
    const point = (type: string, pointerType: string): void => {
      const options = { bubbles: true, composed: true, pointerType };
      rowOf(list, 'a')!.dispatchEvent(new PointerEvent('pointerdown', options));
      rowOf(list, 'a')!.dispatchEvent(new PointerEvent(type, options));
    };
    point('click', 'mouse');
    expect(activated).to.deep.equal([]);
    point('dblclick', 'mouse');
    expect(activated).to.deep.equal(['a']);
    point('click', 'touch');
    point('dblclick', 'touch');
    expect(activated).to.deep.equal(['a', 'a']);
    list.focus();
    await sendKeys({ press: 'ArrowDown' });
    await sendKeys({ press: 'Enter' });
    expect(activated).to.deep.equal(['a', 'a', 'b']);
  });

  it('marks no update that the page cancels', async () => {
    const { notes } = setup.linked.others;
    const { id } = await notes.create({ title: 'mine', text: '' });
    const list = await show(setup.client, '');
    let isOwn = true;
    let updates = 0;
    list.addEventListener('mcp-resource-update', (event) => {
      updates += 1;
      if (isOwn) event.preventDefault();
    });
    await eventually(() => {
      void notes.update(id, { text: 'own' });
      return updates > 0;
    });
    await eventually(() => list.resources[0]!.size === 3);
    expect(list.shadowRoot!.querySelector('.updated')).to.equal(null);
    expect(statusOf(list)).to.equal('');
    isOwn = false;
    await notes.update(id, { text: 'of somebody else' });
    await eventually(() => list.shadowRoot!.querySelector('.updated'));
  });
});

describe('a <mcp-resource-list> of a server that gets something wrong', () => {
  // prettier-ignore
  const WRONG: unknown[] = [
    null, true, -1, NaN, 2n ** 70n, '', 'text', [], [null], {}, new Map(),
    { tags: 7 }, { tags: [7, null, 'x'] }, { tags: { length: 2 ** 32 } },
    { audience: 'user' }, { audience: [null, 'user'] }, { priority: '1' }, { priority: NaN },
  ];
  const uris = [
    '',
    ':',
    '//',
    '/',
    '%',
    'http://',
    'https://x@/',
    'file:///',
    'file:////',
    'a:/../',
  ];
  const resources = [
    ...WRONG.flatMap((value, index) =>
      ['_meta', 'annotations', 'description', 'title', 'icons', 'mimeType'].map((field) => ({
        ...named(`${field}/${index}`),
        [field]: value,
      })),
    ),
    ...uris.map((uri) => ({ uri, name: '' })),
    named('/'.repeat(10_000)),
    named('deep/'.repeat(1_000)),
    named('long'.repeat(100_000)),
    named('\uD800'),
  ] as Resource[];

  for (const attributes of [
    '',
    'view="tree"',
    'sort="name" filterable',
    'sort="priority"',
    'sort="-modified" view="tree"',
    'filter="tag:x"',
    'filter="audience:user"',
    'filter="%" query="e"',
  ]) {
    it(`shows what is right, with ${attributes || 'no attribute'}`, async () => {
      const list = await show(clientOf(resources), `${attributes} searchable multiple`);
      await eventually(() => list.shadowRoot!.querySelector('input'));
      for (const group of list.shadowRoot!.querySelectorAll<HTMLElement>('[aria-expanded=false]'))
        group.click();
      list.shadowRoot!.querySelector<HTMLElement>('.scroller')!.focus();
      for (const press of ['End', 'Home', 'x', 'PageDown']) await sendKeys({ press });
      await list.updateComplete;
      expect(titles(list).every((title) => title !== '')).to.equal(true);
      await expect(list).to.be.accessible();
    });
  }
});

describe('the states of a <mcp-resource-list>', () => {
  const stateOf = (list: McpResourceList): string[] =>
    ['loading', 'empty', 'error', 'reconnecting', 'closed'].filter((state) =>
      list.matches(`:state(${state})`),
    );

  it('has custom states for style sheets', async () => {
    const empty = await open(clientOf([]), '');
    expect(stateOf(empty)).to.deep.equal(['loading']);
    await eventually(() => stateOf(empty).join() === 'empty');
    const full = await show(clientOf([named('a')]), '');
    expect(stateOf(full)).to.deep.equal([]);
  });

  for (const state of ['reconnecting', 'closed']) {
    it(`says that the connection is ${state}`, async () => {
      const list = await show(Object.assign(clientOf([named('a')]), { state }), 'searchable');
      expect(stateOf(list)).to.deep.equal([state]);
      expect(inside(list, '.remark[role=status]').textContent).not.to.equal('');
      await expect(list).to.be.accessible();
    });
  }

  it('offers no button that cannot work once the connection has ended', async () => {
    const client = Object.assign(clientOf([]), {
      state: 'closed',
      listResources: () => Promise.reject(new Error('The connection is closed.')),
    });
    const list = await open(client, '');
    await eventually(() => list.shadowRoot!.querySelector('[role=alert]'));
    expect(list.shadowRoot!.querySelector('button')).to.equal(null);
    expect(stateOf(list)).to.deep.equal(['error', 'closed']);
    await expect(list).to.be.accessible();
  });
});
