import type { ResourceContents } from '@inpage-mcp/client';
import { expect } from '@open-wc/testing';
import type { McpResourceView } from '@inpage-mcp/elements';
import { eventually, inside } from '../support/elements.js';
import { bytesOf, shows, showVersions, textOf } from '../support/renderers.js';

/** What the highlights of the page mark. */
const highlighted = (): string[] =>
  Array.from((CSS.highlights.get('mcp-changed') ?? []) as Iterable<StaticRange>, (range) =>
    range.startContainer.textContent!.trim(),
  );

/** The label of the bar, once it says so. */
const barSays = (view: McpResourceView, text: string): Promise<HTMLElement> =>
  eventually(() => {
    const bar = view.shadowRoot!.querySelector<HTMLElement>('[part=changes]');
    return bar?.textContent.includes(text) && bar;
  });

const statusOf = (view: McpResourceView): string =>
  inside(view, '.visually-hidden[role=status]').textContent.trim();

describe('<mcp-resource-view> after an update of code or bytes', function () {
  this.timeout(30_000);

  it('marks the changed lines of code, and announces the update once', async () => {
    const code = (name: string, rest = ''): ResourceContents[] => [
      textOf(`let a = 1;\nlet ${name} = "x";\n${rest}end();\n`, 'text/javascript'),
    ];
    const { view, change: update } = await showVersions(code('old', 'more();\n'));
    await shows(view, 'end()');
    update(code('fresh'));
    await eventually(() => highlighted().length > 0);
    expect(highlighted()).to.deep.equal(['let fresh = "x";']);
    expect(statusOf(view)).to.equal('The resource was updated.');
    await expect(view).to.be.accessible();
    view.clearChanges();
    expect(highlighted()).to.deep.equal([]);
  });

  it('says how large bytes were and are, once', async () => {
    const { view, change: update } = await showVersions([bytesOf(['1234'], 'application/zip')]);
    await eventually(() => view.shadowRoot!.querySelector('.download'));
    update([bytesOf(['123456'], 'application/zip')].map((one) => ({ ...one, blob: 'MTIzNDU2' })));
    const bar = await barSays(view, 'Size before');
    expect(bar.textContent).to.contain('Size before: 4 bytes, now: 6 bytes.');
    expect(statusOf(view)).to.equal(
      'The resource was updated. Size before: 4 bytes, now: 6 bytes.',
    );
    await expect(view).to.be.accessible();
  });

  it('marks nothing that is the user’s own', async () => {
    const { view, change: update } = await showVersions([textOf('a', 'text/javascript')]);
    await shows(view, 'a');
    view.addEventListener('mcp-resource-change', (event) => event.preventDefault());
    update([textOf('b', 'text/javascript')]);
    await shows(view, 'b');
    await view.updateComplete;
    expect(view.shadowRoot!.querySelector('[part=changes]')).to.equal(null);
    expect(highlighted()).to.deep.equal([]);
  });

  it('marks nothing where everything has changed', async () => {
    const code = (seed: number): ResourceContents[] => [
      textOf(
        Array.from({ length: 40_000 }, (_, index) => `w${(index * seed) % 39_989};\n`).join(''),
        'text/javascript',
      ),
    ];
    const { view, change: update } = await showVersions(code(7));
    await shows(view, 'w7;');
    update(code(11));
    await barSays(view, 'Updated');
    expect(highlighted()).to.deep.equal([]);
  });
});
