import type { McpClient, ResourceContents } from '@inpage-mcp/client';
import { expect, fixture, html } from '@open-wc/testing';
import '@inpage-mcp/elements/all';
import type { McpResourceView } from '@inpage-mcp/elements';
import { eventually, inside } from '../support/elements.js';
import { leastBlocking } from '../support/longest-task.js';
import { all, bytesOf, textOf } from '../support/renderers.js';

/** A view of contents that the test can change. */
async function showVersions(
  first: ResourceContents[],
): Promise<{ view: McpResourceView; update: (contents: ResourceContents[]) => void }> {
  let contents = first;
  let notify = (): void => undefined;
  const client = {
    readResource: async (): Promise<{ contents: ResourceContents[] }> => ({ contents }),
    watch: (_uri: string, listener: () => void) => (notify = listener),
    watchState: () => undefined,
  } as never as McpClient;
  const view = await fixture<McpResourceView>(
    html`<mcp-resource-view .client=${client} uri="a:b"></mcp-resource-view>`,
  );
  await eventually(() => inside(view, '#body').firstElementChild);
  const update = (next: ResourceContents[]): void => {
    contents = next;
    notify();
  };
  return { view, update };
}

/** The element that shows the contents, as soon as it does. */
const renderer = (view: McpResourceView): Promise<Element> =>
  eventually(() => {
    const element = view.shadowRoot!.querySelector('.renderer');
    return element?.shadowRoot?.querySelector('[part=scroller], iframe, video, .bar') && element;
  });

/** The label of the bar, once it says so. */
const barSays = (view: McpResourceView, text: string): Promise<HTMLElement> =>
  eventually(() => {
    const bar = view.shadowRoot!.querySelector<HTMLElement>('[part=changes]');
    return bar?.textContent.includes(text) && bar;
  });

const marked = (element: Element): string[] =>
  all(element, '.changed, .removed').map(
    (mark) =>
      `${mark.classList.contains('removed') ? '-' : ''}${mark.textContent.trim().replace(/\s+/g, ' ')}`,
  );

const statusOf = (view: McpResourceView): string =>
  inside(view, '.visually-hidden[role=status]').textContent.trim();

describe('<mcp-resource-view> after an update of what a renderer shows', function () {
  this.timeout(30_000);

  it('marks the changed lines of code, and announces the update once', async () => {
    const code = (name: string, rest = ''): ResourceContents[] => [
      textOf(`let a = 1;\nlet ${name} = "x";\n${rest}end();\n`, 'text/javascript'),
    ];
    const { view, update } = await showVersions(code('old', 'more();\n'));
    const element = await renderer(view);
    update(code('fresh'));
    await eventually(() => marked(element).length > 0);
    expect(marked(element)).to.deep.equal(['let fresh = "x";']);
    expect(statusOf(view)).to.equal('The resource was updated.');
    await expect(view).to.be.accessible();
    view.clearChanges();
    await eventually(() => marked(element).length === 0);
  });

  it('marks the changed values of JSON, and what is closed around them', async () => {
    const json = (values: object): ResourceContents[] => [
      textOf(JSON.stringify(values), 'application/json'),
    ];
    const far = Array.from({ length: 90 }, (_, index) => ({ index }));
    const { view, update } = await showVersions(json({ a: 1, gone: 2, name: 'Ada', far }));
    const element = await renderer(view);
    const changed = far.map((one) => (one.index === 80 ? { index: 8_000 } : one));
    update(json({ a: 1, name: 'Ada L.', extra: true, far: changed }));
    await eventually(() => marked(element).length > 0);
    const places = all(element, '.row:has(.changed)').map(({ textContent }) =>
      textContent.trim().replace(/\s+/g, ' '),
    );
    expect(places).to.deep.equal(['{ 4 }', 'name "Ada L."', 'extra true', 'far [ 90 ]']);
    await expect(view).to.be.accessible();
  });

  it('marks the changed rows of a table, and the row after one that was removed', async () => {
    const { view, update } = await showVersions([textOf('n,m\na,1\nb,2\nc,3\n', 'text/csv')]);
    const element = await renderer(view);
    update([textOf('n,m\na,"4"\nc,3\n', 'text/csv')]);
    await eventually(() => marked(element).length > 0);
    expect(marked(element)).to.deep.equal(['1 a4']);
    update([textOf('n,m\na,1\nc,3\n', 'text/csv')]);
    await eventually(() => marked(element).join() === '-2 c3');
    await expect(view).to.be.accessible();
  });

  it('says how large bytes were and are, once', async () => {
    const { view, update } = await showVersions([bytesOf(['1234'], 'application/zip')]);
    view.mode = 'formatted';
    await view.updateComplete;
    update([bytesOf(['123456'], 'application/zip')].map((one) => ({ ...one, blob: 'MTIzNDU2' })));
    const bar = await barSays(view, 'Size before');
    expect(bar.textContent).to.contain('Size before: 4 bytes, now: 6 bytes.');
    expect(statusOf(view)).to.equal(
      'The resource was updated. Size before: 4 bytes, now: 6 bytes.',
    );
    await expect(view).to.be.accessible();
  });

  it('marks nothing while another version is on its way, and nothing that is the user’s own', async () => {
    const { view, update } = await showVersions([textOf('let a = 1;', 'text/javascript')]);
    const element = await renderer(view);
    view.addEventListener('mcp-resource-change', (event) => event.preventDefault());
    update([textOf('let b = 1;', 'text/javascript')]);
    await eventually(() => element.shadowRoot!.textContent.includes('b'));
    await view.updateComplete;
    expect(view.shadowRoot!.querySelector('[part=changes]')).to.equal(null);
    expect(marked(element)).to.deep.equal([]);
  });

  for (const [what, text, type] of [
    ['lines of code', 'const a = [1, "x", /y/];\n', 'text/javascript'],
    ['rows of a table', 'a,"b ""c""",3\n', 'text/csv'],
  ] as const) {
    it(`finds a change in 20,000 ${what} without blocking the page`, async () => {
      const many = text.repeat(10_000);
      const version = (word: string): ResourceContents[] => [
        textOf(`${text.replace(/[ab]/, word)}${many}${many}`, type),
      ];
      const { view, update } = await showVersions(version('a'));
      const element = await renderer(view);
      let at = 0;
      const blocked = await leastBlocking(100, async () => {
        at += 1;
        update(version(`q${at}`));
        await eventually(() => element.shadowRoot!.querySelector('.changed'));
        view.clearChanges();
      });
      expect(blocked).to.be.below(100);
    });
  }

  it('gives up in time where everything has changed', async () => {
    const code = (seed: number): ResourceContents[] => [
      textOf(
        Array.from({ length: 60_000 }, (_, index) => `w${(index * seed) % 59_999};\n`).join(''),
        'text/javascript',
      ),
    ];
    const { view, update } = await showVersions(code(7));
    await renderer(view);
    update(code(11));
    await barSays(view, 'Updated');
    expect(marked(await renderer(view))).to.deep.equal([]);
  });
});
