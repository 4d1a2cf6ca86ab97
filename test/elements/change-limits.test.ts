// What is compared and kept at most, at each limit and one past it.
import type { McpClient, ResourceContents } from '@inpage-mcp/client';
import { expect, fixture, html } from '@open-wc/testing';
import '@inpage-mcp/elements/all';
import type { McpResourceView } from '@inpage-mcp/elements';
import { changedLines } from '../../packages/elements/src/show/mcp-resource-view/changes/marks.js';
import { authorOfAll } from '../../packages/elements/src/reading/change-author.js';
import {
  ResourceController,
  type ResourceReading,
} from '../../packages/elements/src/reading/resource-controller.js';
import { eventually, inside } from '../support/elements.js';
import { itInAll } from '../support/it-in-all.js';

describe('the changes between two texts', () => {
  const lines = (count: number, word: string): string[] => [word, ...Array(count - 1).fill('line')];

  it('are found in 50,000 lines, not in one more', () => {
    const compare = (count: number): number =>
      changedLines(lines(count, 'one'), lines(count, 'two')).length;
    expect(compare(50_000)).to.equal(1);
    expect(compare(50_001)).to.equal(0);
  });

  it('are found where 500 lines come and go, not where one more does', () => {
    const compare = (replaced: number, added: number): number => {
      const text = (word: string): string[] =>
        Array.from({ length: 600 }, (_, index) =>
          index % 2 === 0 && index < 2 * replaced ? `${word} ${index}` : `line ${index}`,
        );
      return changedLines(text('old'), [...text('new'), ...Array<string>(added).fill('added')])
        .length;
    };
    expect(compare(250, 0)).to.equal(250);
    expect(compare(249, 2)).to.equal(250);
    expect(compare(250, 1)).to.equal(0);
  });

  it('are lines that are new, and the line after removed ones', () => {
    const found = changedLines(['a', 'b', 'c', 'd'], ['a', 'B', 'new', 'c']);
    expect(found).to.deep.equal([
      { first: 1, end: 3, isRemoval: false },
      { first: 3, end: 4, isRemoval: true },
    ]);
    expect(changedLines(['a'], [])).to.deep.equal([]);
  });
});

describe('<mcp-resource-view> and its limits', function () {
  this.timeout(60_000);

  const clientOf = (
    read: (uri: string) => ResourceContents[],
    watched: (listener: (uri: string, meta?: unknown) => void) => void = () => undefined,
  ): McpClient =>
    ({
      readResource: (uri: string) => Promise.resolve({ contents: read(uri) }),
      watch: (_uri: string, listener: () => void) => watched(listener),
      watchState: () => undefined,
    }) as never;

  itInAll('leads back over 100 links, and not over one more', async () => {
    const client = clientOf((uri) => {
      const number = Number(uri.slice(2));
      const text = `# Page ${number}\n\n[next](a:${number + 1})`;
      return [{ uri, mimeType: 'text/markdown', text }];
    });
    const view = await fixture<McpResourceView>(
      html`<mcp-resource-view .client=${client} uri="a:0" follow-links></mcp-resource-view>`,
    );
    const isAt = (number: number): Promise<true> =>
      eventually(() => view.shadowRoot!.querySelector('h1')?.textContent === `Page ${number}`);
    const hasWay = (): boolean => view.shadowRoot!.querySelector('[part=back]') !== null;
    await isAt(0);
    for (let number = 1; number <= 101; number += 1) {
      inside(view, '[role=link]').click();
      await isAt(number);
      await eventually(hasWay);
    }
    for (let number = 100; number >= 1; number -= 1) {
      expect(hasWay(), `a way back to ${number}`).to.equal(true);
      view.back();
      await isAt(number);
    }
    await view.updateComplete;
    expect(hasWay()).to.equal(false);
  });

  it('knows the author of 1,000 changes between two reads, not of one more', async () => {
    const own = { 'io.github.inpage-mcp/changed-by': { own: true } };
    for (const [count, isOwn] of [
      [1_000, true],
      [1_001, false],
    ] as const) {
      let report = (_uri: string, _meta?: unknown): void => undefined;
      const client = clientOf(
        () => [],
        (listener) => (report = listener),
      );
      const readings: ResourceReading[] = [];
      const nothing = (): void => undefined;
      const host = { isConnected: true, addController: nothing, requestUpdate: nothing };
      const controller = new ResourceController(
        host as never,
        () => ({ client, uri: 'a:b', isPaused: true }),
        (reading) => readings.push(reading),
      );
      controller.hostUpdate();
      await eventually(() => readings.length === 1);
      for (let change = 0; change < count; change += 1) report('a:b', own);
      controller.reload();
      await eventually(() => readings.length === 2);
      expect(authorOfAll(readings[1]!.metas ?? []).isOwn).to.equal(isOwn);
    }
  });
});
