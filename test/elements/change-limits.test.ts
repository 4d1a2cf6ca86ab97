// What is compared and kept at most, at each limit and one past it.
import type { McpClient, ResourceContents } from '@inpage-mcp/client';
import { expect, fixture, html } from '@open-wc/testing';
import '@inpage-mcp/elements';
import type { McpResourceView } from '@inpage-mcp/elements';
import {
  compareSources,
  type SourceChange,
} from '../../packages/elements/src/show/mcp-resource-view/changes/source-changes.js';
import { wordsOf } from '../../packages/elements/src/show/mcp-resource-view/changes/word-changes.js';
import { authorOfAll } from '../../packages/elements/src/reading/change-author.js';
import {
  ResourceController,
  type ResourceReading,
} from '../../packages/elements/src/reading/resource-controller.js';
import { Slices } from '../../packages/elements/src/reading/slices.js';
import { eventually, inside } from '../support/elements.js';
import { inTime } from '../support/slowness.js';

const compare = (before: string, after: string): Promise<SourceChange[] | undefined> =>
  compareSources(before, after, new Slices(new AbortController().signal, () => undefined));

const compareInTime = (before: string, after: string): Promise<SourceChange[] | undefined> =>
  inTime(
    () => compare(before, after),
    (changes) => changes !== undefined,
  );

/** The same text with another first and another last word, so that all of it is between changes. */
const withEnds = (text: string, word: string): string => `${word} ${text} ${word}`;

const repeat = (count: number, text: string): string => text.repeat(count);

describe('the changes between two texts', () => {
  it('are found by word in 30,000 words, not in one more', () => {
    expect(wordsOf([repeat(30_000, 'a ')])).to.have.length(30_000);
    expect(wordsOf([repeat(30_001, 'a ')])).to.equal(undefined);
  });

  it('are found by line in 50,000 lines, not in one more', async () => {
    const lines = (count: number, word: string): string =>
      withEnds(repeat(count - 1, 'line\n'), word);
    expect(await compareInTime(lines(50_000, 'one'), lines(50_000, 'two'))).to.have.length(2);
    expect(await compare(lines(50_001, 'one'), lines(50_001, 'two'))).to.equal(undefined);
  });

  it('are found in 4,194,304 characters of both texts, not in one more', async () => {
    // Lines of a word that is as long as a line is followed.
    const half = repeat(2_095, `${'x'.repeat(1_000)}\n`);
    const text = (length: number, word: string): string =>
      withEnds(`${half}${'y'.repeat(length - half.length - 8)}`, word);
    const [one, two] = [text(2_097_152, 'one'), text(2_097_152, 'two')];
    expect(one.length + two.length).to.equal(4_194_304);
    expect(await compareInTime(one, two)).to.have.length(2);
    expect(await compare(one, text(2_097_153, 'two'))).to.equal(undefined);
  });

  it('are found by word in changed lines of 20,000 characters, not in longer ones', async () => {
    const rest = repeat(30_001, 'z\n');
    const text = (length: number, word: string): string => {
      const line = `${word} ${repeat(length, 'b ')}`.slice(0, length - 1);
      return `${line}\n${rest}${word}`;
    };
    const isByWord = (changes?: SourceChange[]): boolean => changes?.[0]?.added === 'two';
    const [first] =
      (await inTime(() => compare(text(20_000, 'one'), text(20_000, 'two')), isByWord)) ?? [];
    expect(first).to.include({ added: 'two', removed: 'one' });
    const [longer] = (await compare(text(20_001, 'one'), text(20_001, 'two'))) ?? [];
    expect(longer!.added).to.match(/^two b b b/);
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

  it('marks 1,000 changes, and not one more', async () => {
    const mimeType = 'text/javascript';
    let contents: ResourceContents[] = [];
    let notify = (): void => undefined;
    const client = clientOf(
      () => contents,
      (listener) => (notify = listener as () => void),
    );
    /** How many changes it says there are, of texts with so many. */
    const shownOf = async (count: number): Promise<string> => {
      // So many changes of one text are not found in time.
      const versions = (word: string): ResourceContents[] =>
        Array.from({ length: 10 }, (_, index) => ({
          uri: `a:${index}`,
          mimeType,
          text: repeat(index === 9 ? count - 900 : 100, `same ${word}\n`),
        }));
      contents = versions('one');
      const view = await fixture<McpResourceView>(
        html`<mcp-resource-view .client=${client} uri="a:b"></mcp-resource-view>`,
      );
      await eventually(() => view.shadowRoot!.querySelectorAll('.renderer').length === 10);
      contents = versions('two');
      notify();
      await eventually(() =>
        view.shadowRoot!.querySelector('[part=changes]')?.textContent.includes('Changes'),
      );
      return inside(view, '[part=changes]').textContent;
    };
    const isAll = (shown: string): boolean => shown.includes('Changes: 1,000');
    for (const count of [1_000, 1_001])
      expect(await inTime(() => shownOf(count), isAll)).to.contain('Changes: 1,000');
  });

  it('leads back over 100 links, and not over one more', async () => {
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
      const host = { addController: () => undefined, requestUpdate: () => undefined };
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
