import type { McpClient, ResourceContents } from '@inpage-mcp/client';
import { expect, fixture, html } from '@open-wc/testing';
import '@inpage-mcp/elements';
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
    (mark) => `${mark.classList.contains('removed') ? '-' : ''}${mark.textContent.trim()}`,
  );

const statusOf = (view: McpResourceView): string =>
  inside(view, '.visually-hidden[role=status]').textContent.trim();

describe('<mcp-resource-view> after an update of what a renderer shows', function () {
  this.timeout(30_000);

  it('marks the changed words of code, and leads from one to the next', async () => {
    const code = (name: string, rest = ''): ResourceContents[] => [
      textOf(
        `let a = 1;\n${'// more\n'.repeat(300)}let ${name} = "x";\n${rest}`,
        'text/javascript',
      ),
    ];
    const { view, update } = await showVersions(code('old', 'end();\n'));
    const element = await renderer(view);
    update(code('fresh'));
    await barSays(view, 'Changes: 2');
    expect(statusOf(view)).to.equal('The resource was updated.');
    view.nextChange();
    await eventually(() => marked(element).includes('fresh'));
    expect(all(element, '.current').map(({ textContent }) => textContent)).to.deep.equal(['fresh']);
    expect(statusOf(view)).to.equal('Change 1 of 2: “fresh” instead of “old”');
    const [top, bottom] = [
      inside(element, '.current').getBoundingClientRect(),
      inside(element, '.scroller').getBoundingClientRect(),
    ];
    expect(top.top).to.be.above(bottom.top - 1);
    expect(top.bottom).to.be.below(bottom.bottom + 1);
    view.nextChange();
    await view.updateComplete;
    expect(statusOf(view)).to.equal('Change 2 of 2: “end();” was removed');
    await expect(view).to.be.accessible();
    view.clearChanges();
    await eventually(() => marked(element).length === 0);
  });

  it('marks the changed keys and values of JSON, and opens what is closed around them', async () => {
    const json = (values: object): ResourceContents[] => [
      textOf(JSON.stringify(values, undefined, 1), 'application/json'),
    ];
    const far = Array.from({ length: 90 }, (_, index) => ({ index }));
    const { view, update } = await showVersions(json({ a: 1, gone: 2, name: 'Ada', far }));
    const element = await renderer(view);
    const changed = far.map((one) => (one.index === 80 ? { index: 8_000 } : one));
    update(json({ a: 1, name: 'Ada L.', extra: true, far: changed }));
    await barSays(view, 'Changes: 4');
    await eventually(() => marked(element).length > 3);
    // The key after what was removed, the new name, the new entry, and the closed array.
    expect(marked(element)).to.deep.equal(['-name', '"Ada L."', 'extra', 'true', '[ 90 ]']);
    view.previousChange();
    await eventually(() => marked(element).includes('8000'));
    expect(inside(element, '.current').textContent).to.equal('8000');
    expect(inside(element, '[aria-selected=true]').textContent).to.contain('8000');
    await expect(view).to.be.accessible();
  });

  it('marks the changed cells of a table, also of columns that are out of sight', async () => {
    const table = (value: string, last: string): ResourceContents[] => {
      const names = Array.from({ length: 30 }, (_, index) => `c${index}`);
      const row = (key: number): string[] => names.map((name) => `${name}-${key}`);
      const rows = Array.from({ length: 200 }, (_, index) => row(index));
      rows[1]![2] = value;
      rows[150]![29] = last;
      return [textOf([names, ...rows].map((one) => one.join()).join('\n'), 'text/csv')];
    };
    const { view, update } = await showVersions(table('old', 'x'));
    const element = await renderer(view);
    update(table('"new, with a ""quote"""', 'y'));
    await barSays(view, 'Changes: 3');
    await eventually(() => marked(element).length > 0);
    expect(marked(element)).to.deep.equal(['new, with a "quote"']);
    view.previousChange();
    await eventually(() => marked(element).includes('y'));
    await eventually(() => element.shadowRoot!.querySelector('.current')?.textContent === 'y');
    await expect(view).to.be.accessible();
  });

  it('marks a cell that was emptied, and the row after one that was removed', async () => {
    const { view, update } = await showVersions([textOf('n,m\na,1\nb,2\nc,3\n', 'text/csv')]);
    const element = await renderer(view);
    update([textOf('n,m\na,\nc,3\n', 'text/csv')]);
    await eventually(() => marked(element).length > 0);
    expect(marked(element)).to.deep.equal(['-c']);
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

  it('names the changes of a document in the sandbox, and marks them in its source', async () => {
    const page = (word: string): ResourceContents[] => [textOf(`<p>One ${word}</p>`, 'text/html')];
    const { view, update } = await showVersions(page('two'));
    view.mode = 'formatted';
    const element = await renderer(view);
    update(page('three'));
    await barSays(view, 'Changes: 1');
    view.nextChange();
    await view.updateComplete;
    expect(statusOf(view)).to.equal('Change 1 of 1: “three” instead of “two”');
    inside(element, '.source').click();
    const source = await eventually(() => element.shadowRoot!.querySelector('mcp-view-code'));
    await eventually(() => source.shadowRoot?.querySelector('.changed'));
    expect(marked(source)).to.deep.equal(['three']);
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
    ['entries of JSON', '{"a":[1,2,{"b":null}]}\n', 'application/jsonl'],
  ] as const) {
    it(`finds a change in a hundred thousand ${what} without blocking the page`, async () => {
      const many = text.repeat(50_000);
      const version = (word: string): ResourceContents[] => [
        textOf(`${text}${many}${text.replace(/[ab]/, word)}${many}`, type),
      ];
      const { view, update } = await showVersions(version('a'));
      const element = await renderer(view);
      let at = 0;
      const blocked = await leastBlocking(100, async () => {
        at += 1;
        update(version(`q${at}`));
        await barSays(view, 'Changes: 1');
        view.nextChange();
        await eventually(() => element.shadowRoot!.querySelector('.current'));
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
    expect(view.matches(':state(updated)')).to.equal(false);
  });
});
