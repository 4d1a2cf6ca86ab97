import { expect, fixture, html } from '@open-wc/testing';
import type { Resource } from '@inpage-mcp/client';
import '@inpage-mcp/elements/define/mcp-resource-list';
import '@inpage-mcp/elements/define/mcp-resource-picker';
import type { McpResourceList, McpResourcePicker } from '@inpage-mcp/elements';
import { sendKeys, setViewport } from '@web/test-runner-commands';
import { eventually, frames, inside } from '../support/elements.js';
import { listedClient } from '../support/listed-client.js';
import { leastBlocking } from '../support/slowness.js';

/** No task may take longer, in milliseconds. */
const BOUND_MS = 100;

const resources: Resource[] = Array.from({ length: 100_000 }, (_, key) => ({
  uri: `file:///folder${key % 7}/sub${key % 211}/${key}.txt`,
  name: `${(key * 7_919) % 100_000} file`,
  description: `The file with the number ${key}, which is one of many.`,
  mimeType: 'text/plain',
  size: (key * 31) % 65_536,
  annotations: { lastModified: new Date(1.7e12 + key * 1e6).toISOString() },
}));

const rowsOf = (list: McpResourceList): HTMLElement[] => [
  ...list.shadowRoot!.querySelectorAll<HTMLElement>('[role=option], [role=treeitem]'),
];
const titleOf = (row: HTMLElement | undefined): string | undefined =>
  row?.querySelector('.title')!.textContent;

describe('a <mcp-resource-list> with 100,000 resources', () => {
  let list: McpResourceList;

  const settled = async (isDone: () => unknown): Promise<void> => {
    await eventually(() => rowsOf(list).length > 0 && isDone());
  };

  // Once: to load them takes longer than what is done with them.
  before(async function () {
    this.timeout(60_000);
    await setViewport({ width: 800, height: 700 });
    list = document.createElement('mcp-resource-list');
    Object.assign(list, { searchable: true, sortable: true, filterable: true, multiple: true });
    document.body.append(list);
    list.client = listedClient(resources, {}, 1_000);
    // The whole list is loaded; “End” does that without sorting or searching.
    await eventually(() => rowsOf(list).length > 0);
    list.shadowRoot!.querySelector<HTMLElement>('.scroller')!.focus();
    await sendKeys({ press: 'End' });
    await eventually(() => list.resources.length === resources.length);
  });

  after(() => list.remove());

  const doings: Record<string, () => Promise<void>> = {
    async scrolls() {
      const scroller = inside(list, '.scroller');
      for (const part of [0.2, 0.9, 0.5, 0]) {
        scroller.scrollTop = scroller.scrollHeight * part;
        await frames(5);
      }
    },
    async searches() {
      for (const query of ['f', 'fi', '77', 'nowhere']) {
        list.query = query;
        await eventually(() =>
          query === 'nowhere'
            ? list.matches(':state(empty)')
            : rowsOf(list).length > 0 && titleOf(rowsOf(list)[0])!.includes(query),
        );
      }
      list.query = '';
      await settled(() => true);
    },
    async sorts() {
      for (const [sort, first] of [
        ['-name', '99999 file'],
        ['modified', '92081 file'],
        ['-size', '0 file'],
      ] as const) {
        list.sort = sort;
        inside(list, '.scroller').scrollTop = 0;
        await settled(() => titleOf(rowsOf(list)[0]) === first);
      }
      list.sort = '';
      await settled(() => titleOf(rowsOf(list)[0]) === '0 file');
    },
    async filters() {
      list.filter = 'kind:image';
      await eventually(() => list.matches(':state(empty)'));
      list.filter = 'kind:text';
      await settled(() => true);
      list.filter = '';
    },
    'becomes a tree and a list again': async () => {
      list.view = 'tree';
      await eventually(() => list.shadowRoot!.querySelector('[role=tree]'));
      list.view = 'list';
      await eventually(() => list.shadowRoot!.querySelector('[role=listbox]'));
    },
    async 'opens a folder of many'() {
      list.view = 'tree';
      await eventually(() => list.shadowRoot!.querySelector('[role=tree]'));
      await eventually(() => rowsOf(list).length > 2);
      rowsOf(list)[2]!.querySelector<HTMLElement>('.chevron')!.click();
      await list.updateComplete;
      list.view = 'list';
      await eventually(() => list.shadowRoot!.querySelector('[role=listbox]'));
    },
    async 'selects all, and one less'() {
      inside(list, '.scroller').focus();
      await sendKeys({ down: 'Control' });
      await sendKeys({ press: 'a' });
      await sendKeys({ up: 'Control' });
      await eventually(() => list.selection.length === resources.length);
      await sendKeys({ press: 'Home' });
      list.selection = [];
    },
    async 'looks for a letter that no title begins with'() {
      inside(list, '.scroller').focus();
      await sendKeys({ press: 'z' });
      await new Promise(requestAnimationFrame);
    },
  };

  for (const [name, work] of Object.entries(doings)) {
    it(`keeps the page usable while it ${name}`, async () => {
      const least = await leastBlocking(BOUND_MS, work);
      expect(least).to.be.below(BOUND_MS);
    }).timeout(60_000);
  }
});

describe('a <mcp-resource-list> with 100,000 resources in 200 groups', () => {
  it('keeps the page usable while it looks for a letter, and selects all', async () => {
    const grouped = resources.map((resource, key) => ({
      ...resource,
      uri: `s${Math.floor(key / 500)}:${key}`,
    }));
    const list = await fixture<McpResourceList>(
      html`<mcp-resource-list multiple></mcp-resource-list>`,
    );
    list.client = listedClient(grouped);
    await eventually(() => list.shadowRoot!.querySelector('.check'));
    inside(list, '.scroller').focus();
    await sendKeys({ press: 'End' });
    await eventually(() => list.resources.length === grouped.length);
    await eventually(() => list.selection.join() === 's199:99999');
    const least = await leastBlocking(BOUND_MS, async () => {
      await sendKeys({ press: 'z' });
      await frames(2);
    });
    expect(least).to.be.below(BOUND_MS);
  }).timeout(60_000);
});

describe('a <mcp-resource-picker> with 20,000 resources', () => {
  it('keeps the page usable while it loads them and the user types', async () => {
    const many = resources.slice(0, 20_000).map((resource) => ({
      ...resource,
      annotations: { audience: ['assistant' as const], priority: 0.5 },
    }));
    let picker: McpResourcePicker | undefined;
    const least = await leastBlocking(BOUND_MS, async () => {
      picker?.remove();
      picker = await fixture<McpResourcePicker>(
        html`<mcp-resource-picker
          .client=${listedClient(many)}
          .budget=${100_000}
        ></mcp-resource-picker>`,
      );
      picker.focus();
      await sendKeys({ type: 'fi' });
      await eventually(
        () =>
          picker!.shadowRoot!.querySelector('[role=option]')?.getAttribute('aria-setsize') ===
          '20000',
      );
      await sendKeys({ type: 'le 77' });
      await eventually(() => picker!.shadowRoot!.querySelector('[role=option]'));
    });
    expect(least).to.be.below(BOUND_MS);
  }).timeout(30_000);
});
