import { expect, fixture } from '@open-wc/testing';
import { css, html, LitElement, type TemplateResult } from 'lit';
import { setViewport } from '@web/test-runner-commands';
import { rowStyles, VirtualRows } from '../../packages/elements/src/base/rows/virtual-rows.js';
import { eventually } from '../support/elements.js';

/** Rows of two lines of text, as high as the font makes them. */
class ManyRows extends LitElement {
  static override readonly styles = [
    rowStyles,
    css`
      .scroller {
        block-size: 20rem;
        overflow: auto;
      }

      .row {
        block-size: 3rem;
        overflow: clip;
        font-size: 1rem;
        line-height: 1.5;
      }
    `,
  ];

  keys: string[] = [];
  readonly rows = new VirtualRows(this, {
    scroller: () => this.scroller,
    keyOf: (index) => this.keys[index]!,
  });

  get scroller(): HTMLElement | undefined {
    return this.renderRoot.querySelector<HTMLElement>('.scroller') ?? undefined;
  }

  get drawn(): HTMLElement[] {
    return [...this.renderRoot.querySelectorAll<HTMLElement>('.row')];
  }

  rowOf(key: string): HTMLElement | undefined {
    return this.drawn.find((row) => row.dataset['key'] === key);
  }

  /** How far a row is below the upper edge of the scroller, in pixels. */
  topOf(key: string): number {
    const { top } = this.scroller!.getBoundingClientRect();
    return this.rowOf(key)!.getBoundingClientRect().top - top;
  }

  setKeys(keys: string[]): void {
    this.rows.keepPlace();
    this.keys = keys;
    this.requestUpdate();
  }

  protected override render(): TemplateResult {
    this.rows.count = this.keys.length;
    return html`<div class="scroller">
      ${this.rows.render((index) => {
        const key = this.keys[index]!;
        return html`<div class="row" data-key=${key}>First ${key}<br />Second</div>`;
      })}
    </div>`;
  }
}
customElements.define('many-rows', ManyRows);

const numbers = (length: number): string[] => Array.from({ length }, (_, key) => `${key}`);

async function show(length: number): Promise<ManyRows> {
  await setViewport({ width: 800, height: 600 });
  const element = await fixture<ManyRows>(html`<many-rows></many-rows>`);
  element.setKeys(numbers(length));
  await eventually(() => element.rows.rowHeight > 0 && element.rowOf('5'));
  return element;
}

async function scrollTo(element: ManyRows, key: string, more = 0): Promise<void> {
  element.scroller!.scrollTop = Number(key) * element.rows.rowHeight + more;
  await eventually(() => element.rowOf(key));
}

describe('VirtualRows', () => {
  afterEach(() => document.documentElement.style.removeProperty('font-size'));

  for (const percent of [100, 150, 200]) {
    it(`puts each row below the one before, with a font of ${percent} %`, async () => {
      document.documentElement.style.fontSize = `${percent}%`;
      const element = await show(1_000);
      await scrollTo(element, '500');
      const edges = element.drawn.map((row) => row.getBoundingClientRect());
      const height = (48 * percent) / 100;
      expect(element.rows.rowHeight).to.equal(height);
      for (const [index, edge] of edges.entries()) {
        if (index > 0) expect(edge.top).to.be.closeTo(edges[index - 1]!.bottom, 0.1);
        expect(edge.height).to.be.closeTo(height, 0.1);
      }
      for (const row of element.drawn) expect(row.scrollHeight).to.be.at.most(row.clientHeight);
      const { scrollTop, scrollHeight } = element.scroller!;
      expect(scrollTop).to.equal(500 * height);
      expect(scrollHeight).to.equal(1_000 * height);
    });
  }

  it('keeps the rows in sight when the font grows', async () => {
    const element = await show(1_000);
    await scrollTo(element, '500');
    document.documentElement.style.fontSize = '200%';
    await eventually(() => element.rows.rowHeight === 96 && element.rowOf('500'));
    await element.updateComplete;
    expect(element.topOf('500')).to.be.closeTo(0, 1);
  });

  it('draws the rows in sight after it was moved', async () => {
    const element = await show(1_000);
    element.parentElement!.append(document.createElement('p'), element);
    await element.updateComplete;
    await scrollTo(element, '500');
  });

  it('fills the scroller when that grows', async () => {
    const element = await show(1_000);
    element.scroller!.style.blockSize = '550px';
    const isFilled = (): boolean => {
      const last = element.drawn.at(-1)!.getBoundingClientRect().bottom;
      return last >= element.scroller!.getBoundingClientRect().bottom;
    };
    await eventually(isFilled);
  });

  it('keeps a row in its place while rows come and go above it', async () => {
    const element = await show(1_000);
    await scrollTo(element, '500', 17);
    const top = element.topOf('501');
    element.setKeys(['x', 'y', ...numbers(1_000)]);
    await element.updateComplete;
    await eventually(() => element.rowOf('501'));
    expect(element.topOf('501')).to.be.closeTo(top, 1);
    element.setKeys(numbers(1_000).slice(100));
    await element.updateComplete;
    await eventually(() => element.rowOf('501'));
    expect(element.topOf('501')).to.be.closeTo(top, 1);
    // If the first row in sight is gone, the next one stays.
    element.setKeys(element.keys.filter((key) => key !== '500'));
    await element.updateComplete;
    await eventually(() => element.rowOf('501'));
    expect(element.topOf('501')).to.be.closeTo(top, 1);
  });

  it('stays at its start, where new rows are seen', async () => {
    const element = await show(1_000);
    element.setKeys(['new', ...numbers(1_000)]);
    await eventually(() => element.rowOf('new'));
    expect(element.scroller!.scrollTop).to.equal(0);
  });

  it('goes to the end of 100,000 rows and back with few nodes', async () => {
    const element = await show(100_000);
    element.rows.scrollToRow(99_999);
    await eventually(() => element.rowOf('99999'));
    const { bottom } = element.rowOf('99999')!.getBoundingClientRect();
    expect(bottom).to.be.closeTo(element.scroller!.getBoundingClientRect().bottom, 1);
    expect(element.drawn.length).to.be.below(30);
    element.rows.scrollToRow(0);
    await eventually(() => element.rowOf('0'));
    expect(element.topOf('0')).to.equal(0);
  });

  it('scrolls only as far as is needed', async () => {
    const element = await show(1_000);
    element.rows.scrollToRow(3);
    await element.updateComplete;
    expect(element.scroller!.scrollTop).to.equal(0);
    element.rows.scrollToRow(element.rows.rowsPerPage);
    await element.updateComplete;
    const { scrollTop } = element.scroller!;
    expect(scrollTop).to.be.within(1, element.rows.rowHeight);
  });

  it('shows the rows that are left when most are gone', async () => {
    const element = await show(1_000);
    await scrollTo(element, '900');
    element.setKeys(numbers(3));
    await eventually(() => element.drawn.length === 3);
  });

  it('goes on after it has left the page and come back', async () => {
    const element = await show(1_000);
    await scrollTo(element, '500');
    const parent = element.parentElement!;
    element.remove();
    parent.append(element);
    element.requestUpdate();
    // Chromium begins at the start again, Firefox goes on where it was.
    await eventually(() => element.rowOf('0') ?? element.rowOf('500'));
    await scrollTo(element, '700');
  });
});
