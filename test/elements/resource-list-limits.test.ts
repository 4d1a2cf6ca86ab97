import { expect, fixture, html } from '@open-wc/testing';
import type { McpClient, Resource } from '@inpage-mcp/client';
import '@inpage-mcp/elements/define/mcp-resource-list';
import type { McpResourceList } from '@inpage-mcp/elements';
import { sendKeys, setViewport } from '@web/test-runner-commands';
import { setLanguage } from '@inpage-mcp/elements/localize';
import { eventually, inside } from '../support/elements.js';
import { itInAll } from '../support/it-in-all.js';
import { listedClient, numbered } from '../support/listed-client.js';
import { casesOf } from '../support/test-size.js';

const rowsOf = (list: McpResourceList): HTMLElement[] => [
  ...list.shadowRoot!.querySelectorAll<HTMLElement>('[role=option], [role=treeitem]'),
];
const titles = (list: McpResourceList): string[] =>
  rowsOf(list).map((row) => row.querySelector('.title')!.textContent);
const remarks = (list: McpResourceList): string[] =>
  [...list.shadowRoot!.querySelectorAll('[role=note]')].map(({ textContent }) =>
    textContent.trim(),
  );

async function show(client: McpClient, attributes: string): Promise<McpResourceList> {
  await setViewport({ width: 800, height: 700 });
  const frame = await fixture<HTMLElement>(html`<div></div>`);
  frame.innerHTML = `<mcp-resource-list style="block-size: 600px" ${attributes}></mcp-resource-list>`;
  const list = frame.querySelector('mcp-resource-list')!;
  list.client = client;
  await eventually(() => rowsOf(list).length > 0);
  return list;
}

describe('the limits of a <mcp-resource-list>', () => {
  it('searches all of 100,000 resources', async () => {
    const list = await show(listedClient(numbered(100_000)), 'query="99999"');
    await eventually(() => titles(list).join() === '99999');
    expect(list.resources).to.have.length(100_000);
    expect(remarks(list)).to.deep.equal([]);
  });

  itInAll('searches the first 100,000 of 100,001 resources, and says so', async () => {
    const list = await show(listedClient(numbered(100_001)), 'query="9"');
    await eventually(() => remarks(list).length > 0);
    expect(remarks(list)).to.deep.equal([
      'Only the first 100,000 entries are searched and sorted.',
    ]);
    list.query = '100000';
    await eventually(() => list.matches(':state(empty)'));
    expect(list.resources).to.have.length(100_000);
  });

  const tagged = (count: number): Resource[] =>
    Array.from({ length: count }, (_, key) => ({
      uri: `a:${key}`,
      name: `${key}`,
      _meta: { tags: [`tag ${key}`] },
    }));

  for (const [count, offered] of [
    [20, 20],
    [21, 20],
  ] as const) {
    it(`offers ${offered} of ${count} tags in the filter menu`, async () => {
      const list = await show(listedClient([...tagged(count), ...tagged(1)]), 'filterable');
      const menu = await eventually(() =>
        list.shadowRoot!.querySelector<HTMLSelectElement>('select[aria-label=Tag]'),
      );
      // The first choice is “All tags”.
      expect(menu.options).to.have.length(offered + 1);
      list.filter = `tag:${encodeURIComponent(`tag ${count - 1}`)}`;
      await eventually(() => titles(list).join() === `${count - 1}`);
      await eventually(() => menu.value === `tag ${count - 1}`);
    });
  }

  for (const [count, isCounted] of [
    [1_000, true],
    [1_001, false],
  ] as const) {
    it(`${isCounted ? 'counts' : 'does not count'} a value that is number ${count}`, async () => {
      const last = tagged(count)
        .slice(-1)
        .map((one) => ({ ...one, uri: 'a:last' }));
      const list = await show(listedClient([...tagged(count), ...last]), 'filterable');
      const menu = await eventually(() =>
        list.shadowRoot!.querySelector<HTMLSelectElement>('select[aria-label=Tag]'),
      );
      const offered = [...menu.options].map(({ value }) => value);
      expect(offered.includes(`tag ${count - 1}`)).to.equal(isCounted);
    });
  }

  it('offers a tag of 200 characters, and neither a longer one nor half a character', async () => {
    const tags = ['x'.repeat(200), 'x'.repeat(201), '\uD800', 'good'];
    const list = await show(
      listedClient([{ uri: 'a:1', name: 'a', _meta: { tags } }]),
      'filterable',
    );
    const menu = await eventually(() =>
      list.shadowRoot!.querySelector<HTMLSelectElement>('select[aria-label=Tag]'),
    );
    expect([...menu.options].map(({ value }) => value)).to.deep.equal(['', tags[0], 'good']);
  });

  it('counts 50 tags of a resource, and not the one after', async () => {
    const tags = Array.from({ length: 51 }, (_, key) => `t${key}`);
    const list = await show(listedClient([{ uri: 'a:1', name: 'tagged', _meta: { tags } }]), '');
    list.filter = 'tag:t49';
    await eventually(() => titles(list).join() === 'tagged');
    list.filter = 'tag:t50';
    await eventually(() => list.matches(':state(empty)'));
  });

  for (const [folders, levels] of casesOf([
    [29, 30],
    [28, 30],
  ] as const)) {
    it(`shows a resource in ${folders} folders at level ${levels}`, async () => {
      const path = Array.from({ length: folders }, (_, key) => `f${key}`).join('/');
      const resources = [
        { uri: `a:${path}/leaf`, name: 'leaf' },
        { uri: `a:${path}/own/`, name: 'own/' },
      ];
      const list = await show(listedClient(resources), 'view="tree"');
      list.focus();
      await sendKeys({ press: 'Home' });
      for (let level = 0; level < 32; level += 1) {
        await sendKeys({ press: 'ArrowRight' });
        await sendKeys({ press: 'ArrowRight' });
      }
      await eventually(() => titles(list).includes('leaf'));
      const depths = rowsOf(list).map((row) => Number(row.ariaLevel));
      expect(Math.max(...depths)).to.equal(levels);
      // A folder that lies too deep takes the place of no other folder.
      expect(titles(list)).to.include.members(['leaf', folders < 29 ? 'f27' : 'own/']);
    });
  }

  for (const [groups, headings] of [
    [200, true],
    [201, false],
  ] as const) {
    it(`has ${headings ? '' : 'no '}headings for ${groups} groups`, async () => {
      const resources = Array.from({ length: groups }, (_, key) => ({
        uri: `s${key}:x`,
        name: `${key}`,
      }));
      const list = await show(listedClient(resources), '');
      expect(list.shadowRoot!.querySelector('.heading') !== null).to.equal(headings);
    });
  }

  it('is 24 rem high without a height of its own', async () => {
    const list = await show(listedClient(numbered(1)), '');
    list.style.blockSize = '';
    expect(list.getBoundingClientRect().height).to.equal(24 * 16);
  });
});

describe('what a <mcp-resource-list> reports', () => {
  it('fires events that leave shadow roots', async () => {
    const outside = await fixture<HTMLElement>(html`<div></div>`);
    const list = document.createElement('mcp-resource-list');
    list.client = listedClient(numbered(2));
    outside.attachShadow({ mode: 'open' }).append(list);
    await eventually(() => rowsOf(list).length === 2);
    const seen: string[] = [];
    for (const type of ['mcp-resource-select', 'mcp-resource-activate'] as const)
      outside.addEventListener(type, ({ resource }) => seen.push(`${type} ${resource.name}`));
    list.focus();
    await sendKeys({ press: 'Enter' });
    expect(seen).to.deep.equal(['mcp-resource-select 0', 'mcp-resource-activate 0']);
  });

  it('says that the number of rows is unknown while pages are missing', async () => {
    const list = await show(listedClient(numbered(300), {}, 200), '');
    expect(rowsOf(list)[0]!.getAttribute('aria-setsize')).to.equal('-1');
    const scroller = inside(list, '.scroller');
    await eventually(() => {
      scroller.scrollTop = scroller.scrollHeight;
      return list.resources.length === 300;
    });
    await eventually(() => rowsOf(list)[0]!.getAttribute('aria-setsize') === '300');
  });

  it('puts titles before descriptions in its results', async () => {
    const resources = [
      { uri: 'a:1', name: 'other', description: 'about a needle' },
      { uri: 'a:2', name: 'needle' },
    ];
    const list = await show(listedClient(resources), 'query="needle"');
    expect(titles(list)).to.deep.equal(['needle', 'other']);
  });

  it('does not say that nothing was found before the server has answered', async () => {
    let answer!: (reading: object) => void;
    const client = listedClient(numbered(3), {
      listResourceTemplates: async () => ({
        resourceTemplates: [{ uriTemplate: 's:find{?q}', name: 'search' }],
      }),
      readResource: async () => await new Promise((resolve) => (answer = resolve)),
    });
    const list = await show(client, 'searchable');
    list.query = 'text of a note';
    await eventually(() => answer);
    await list.updateComplete;
    expect(list.matches(':state(loading)')).to.equal(true);
    answer({ contents: [{ uri: 'a:1', text: '' }] });
    await eventually(() => titles(list).join() === '1');
  });

  it('ends the search of the server when it leaves the page', async () => {
    let signal: AbortSignal | undefined;
    const client = listedClient(numbered(3), {
      listResourceTemplates: async () => ({
        resourceTemplates: [{ uriTemplate: 's:find{?q}', name: 'search' }],
      }),
      readResource: async (_uri: string, options: { signal: AbortSignal }) => {
        ({ signal } = options);
        return await new Promise(() => undefined);
      },
    });
    const list = await show(client, 'searchable');
    list.query = '1';
    await eventually(() => signal);
    list.remove();
    expect(signal!.aborted).to.equal(true);
  });

  it('names the groups of a tree in the language of the page, also after a change', async () => {
    const list = await show(listedClient([{ uri: 'note:///1', name: 'One' }]), 'view="tree"');
    expect(titles(list)[0]).to.equal('Notes');
    await setLanguage('ja');
    try {
      await list.updateComplete;
      expect(titles(list)[0]).not.to.equal('Notes');
    } finally {
      await setLanguage('en');
    }
  });

  it('opens and closes folders in the direction of the text', async () => {
    const list = await show(listedClient(numbered(2)), 'view="tree" dir="rtl"');
    list.focus();
    await sendKeys({ press: 'Home' });
    await sendKeys({ press: 'ArrowRight' });
    await eventually(() => rowsOf(list).length === 1);
    await sendKeys({ press: 'ArrowLeft' });
    await eventually(() => rowsOf(list).length === 3);
  });
});
