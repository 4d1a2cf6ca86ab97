import type { McpClient, ResourceContents } from '@inpage-mcp/client';
import { expect, fixture, html } from '@open-wc/testing';
import '@inpage-mcp/elements';
import { longestTask } from '../support/longest-task.js';

/** No content may keep the main thread longer than this at a time, in milliseconds. */
const BOUND_MS = 100;

const MARKDOWN = 'text/markdown';

/** Texts that an element would choke on if it took them as a whole. */
const TEXTS: { [name: string]: [mimeType: string, text: () => string] } = {
  'Markdown that opens emphasis 40,000 times': [MARKDOWN, () => '_a'.repeat(40_000)],
  'Markdown that is a numbered list of 75 kB': [
    MARKDOWN,
    () => lines(3_400, (n) => `${n}. item ${n}`),
  ],
  'Markdown that opens images 30,000 times': [MARKDOWN, () => '![_'.repeat(30_000)],
  'Markdown with 30,000 words of emphasis': [MARKDOWN, () => '*a* '.repeat(30_000)],
  'Markdown that is a table of 20,000 rows': [
    MARKDOWN,
    () => `|a|b|\n|-|-|\n${'|a|b|\n'.repeat(20_000)}`,
  ],
  'Markdown with code of 50,000 lines': [MARKDOWN, () => `\`\`\`\n${'a\n'.repeat(50_000)}`],
  'Markdown with 200,000 references': [MARKDOWN, () => '[a]: b\n'.repeat(200_000)],
  'Markdown that changes its script 80,000 times': [MARKDOWN, () => 'aא'.repeat(40_000)],
  'Markdown of 8 MB': [MARKDOWN, () => '# Title\n\nSome *words* and `code`.\n\n'.repeat(230_000)],
  'one line of 2 MB': ['text/plain', () => 'a'.repeat(2_000_000)],
  'a CSV of a million lines': ['text/csv', () => '12,abc\n'.repeat(1_000_000)],
  'a million empty lines': ['text/plain', () => '\n'.repeat(1_000_000)],
  'one line that changes its direction a million times': ['text/plain', () => 'aא'.repeat(500_000)],
  'an SVG of 100,000 shapes': ['image/svg+xml', () => svg('<path d="M0 0h9"/>'.repeat(100_000))],
  'an SVG that draws itself 6⁶ times': ['image/svg+xml', svgThatRepeatsItself],
};

const lines = (count: number, line: (number: number) => string): string =>
  Array.from({ length: count }, (_, index) => line(index + 1)).join('\n');

const svg = (shapes: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">${shapes}</svg>`;

function svgThatRepeatsItself(): string {
  const group = (level: number): string =>
    `<g id="g${level}">${`<use href="#g${level - 1}"/>`.repeat(6)}</g>`;
  const groups = lines(6, group);
  return svg(`<g id="g0"><rect width="1" height="1"/></g>${groups}`);
}

/** A client of a server that answers with what it is given; what it never does is left out. */
function clientOf(answers: Partial<McpClient>): McpClient {
  const watch = (): object => ({ ready: Promise.resolve(), stop: () => undefined });
  return { watch, watchList: watch, watchState: watch, ...answers } as never;
}

/** Resolves once an element has stopped changing for a number of frames. */
async function settled(element: HTMLElement): Promise<void> {
  let quietFrames = 0;
  const observer = new MutationObserver(() => (quietFrames = 0));
  observer.observe(element.shadowRoot!, { childList: true, subtree: true, characterData: true });
  while (quietFrames < 8 || element.shadowRoot!.querySelector('[aria-busy=true]')) {
    await new Promise(requestAnimationFrame);
    quietFrames += 1;
  }
  observer.disconnect();
}

async function showContents(contents: ResourceContents[]): Promise<HTMLElement> {
  const client = clientOf({ readResource: async () => ({ contents }) });
  const view = await fixture<HTMLElement>(
    html`<mcp-resource-view .client=${client} uri="a:b"></mcp-resource-view>`,
  );
  await settled(view);
  return view;
}

/** Measures how long the main thread is kept while something is shown, until `check` is content. */
async function expectQuick(
  show: () => Promise<HTMLElement>,
  check: (shown: ShadowRoot) => void,
): Promise<void> {
  let shown: HTMLElement;
  const longestMs = await longestTask(async () => (shown = await show()), BOUND_MS);
  check(shown!.shadowRoot!);
  expect(longestMs).to.be.at.most(BOUND_MS);
}

describe('the main thread is free again within 100 ms, whatever is shown:', () => {
  before(async () => {
    // The Markdown reader is loaded.
    await showContents([{ uri: 'a:b', mimeType: MARKDOWN, text: '# Title' }]);
  });

  for (const [name, [mimeType, text]] of Object.entries(TEXTS)) {
    it(name, async () => {
      const contents = [{ uri: 'a:b', mimeType, text: text() }];
      await expectQuick(
        () => showContents(contents),
        (shown) => expect(shown.querySelector('.portion, .download')).to.be.ok,
      );
    });
  }

  it('100,000 contents in one answer', async () => {
    const contents = Array.from({ length: 100_000 }, (_, index) => ({
      uri: `a:/${index}`,
      mimeType: MARKDOWN,
      text: `# Title ${index}`,
    }));
    await expectQuick(
      () => showContents(contents),
      (shown) => expect(shown.querySelectorAll('section h1')).to.have.length(100),
    );
  });

  it('base64 of 16 MB', async () => {
    const contents = [{ uri: 'a:b', blob: 'AAAA'.repeat(4_000_000) }];
    await expectQuick(
      () => showContents(contents),
      (shown) => expect(shown.querySelector('a[download]')).to.be.ok,
    );
  });

  it('an error text of 1 MB', async () => {
    const client = clientOf({
      readResource: () => Promise.reject(new Error('no '.repeat(333_333))),
    });
    await expectQuick(
      async () => {
        const view = await fixture<HTMLElement>(
          html`<mcp-resource-view .client=${client} uri="a:b"></mcp-resource-view>`,
        );
        await settled(view);
        return view;
      },
      (shown) => expect(shown.querySelector('[role=alert]')!.textContent).to.contain('no no'),
    );
  });

  it('20 resources whose every string has 1 MB', async () => {
    const long = 'x'.repeat(1_000_000);
    const resources = Array.from({ length: 20 }, (_, index) => ({
      uri: `${long}${index}`,
      name: long,
      title: `${long}${index}`,
      mimeType: long,
      annotations: { lastModified: long },
    }));
    const client = clientOf({ listResources: async () => ({ resources }) });
    await expectQuick(
      async () => {
        const list = await fixture<HTMLElement>(
          html`<mcp-resource-list .client=${client}></mcp-resource-list>`,
        );
        await settled(list);
        return list;
      },
      (shown) => expect(shown.querySelector('.title')!.textContent).to.have.length(201),
    );
  });
});
