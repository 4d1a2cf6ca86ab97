import type { McpClient, ResourceContents } from '@inpage-mcp/client';
import { expect, fixture, html } from '@open-wc/testing';
import '@inpage-mcp/elements/all';
import type { McpResourceView } from '@inpage-mcp/elements';
import { eventually, expectFocus, inside } from '../support/elements.js';
import { longestTaskOf } from '../support/renderers.js';
import { casesOf } from '../support/test-size.js';

/** How much of a text is shown at first at least, as the README says. */
const FIRST_LENGTH = 65_536;

const MARKDOWN = 'text/markdown';

const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** A server with one resource, which can be changed. */
class OneResource {
  contents: ResourceContents[];
  #listener: (() => void) | undefined;

  constructor(contents: ResourceContents[]) {
    this.contents = contents;
  }

  get client(): McpClient {
    return {
      readResource: async () => ({ contents: this.contents }),
      watch: (_uri: string, listener: () => void) => (this.#listener = listener),
      watchState: () => undefined,
    } as never;
  }

  change(contents: ResourceContents[]): void {
    this.contents = contents;
    this.#listener?.();
  }
}

describe('<mcp-resource-view> with long contents', () => {
  const show = async (resource: OneResource): Promise<McpResourceView> =>
    await fixture<McpResourceView>(
      html`<mcp-resource-view .client=${resource.client} uri="a:b"></mcp-resource-view>`,
    );
  const text = (value: string, mimeType = 'text/plain'): ResourceContents => ({
    uri: 'a:b',
    mimeType,
    text: value,
  });
  const showText = async (value: string, mimeType?: string): Promise<McpResourceView> =>
    await show(new OneResource([text(value, mimeType)]));
  const all = (view: McpResourceView, selector: string): HTMLElement[] => [
    ...view.shadowRoot!.querySelectorAll<HTMLElement>(selector),
  ];
  /** What of a text is shown, once that is at least so much. */
  const shownText = (view: McpResourceView, length: number): Promise<string> =>
    eventually(() => {
      const shown = view.shadowRoot!.querySelector('[part=text], [part=markdown]')?.textContent;
      return shown !== undefined && shown.length >= length && shown;
    });
  /** The source of the image that a frame draws. */
  const drawnIn = async ({ src }: HTMLIFrameElement): Promise<string> => {
    const page = new DOMParser().parseFromString(await (await fetch(src)).text(), 'text/html');
    const image = page.querySelector('img')!;
    expect(image.src).to.match(/^data:image\/svg\+xml;base64,/);
    return await (await fetch(image.src)).text();
  };
  const clickMore = (view: McpResourceView): void => inside(view, '.more button').click();

  it('shows a text up to the limit as a whole, and of a longer one a part', async () => {
    const longest = 'a'.repeat(FIRST_LENGTH);
    const view = await showText(longest);
    expect(await shownText(view, FIRST_LENGTH)).to.equal(longest);
    expect(all(view, '.more')).to.have.length(0);
    const longer = await showText(`${'a'.repeat(79)}\n`.repeat(1_250));
    const shown = await shownText(longer, FIRST_LENGTH);
    expect(shown.length).to.be.below(FIRST_LENGTH + 20_000);
    expect(inside(longer, '.more').textContent).to.contain(
      `of ${(100_000).toLocaleString('en')} characters`,
    );
    await expect(longer).to.be.accessible();
  });

  it('shows all of a text in the end, and nothing twice', async () => {
    const whole = Array.from({ length: 40_000 }, (_, index) => `line ${index}`).join('\n');
    const view = await showText(whole);
    let shown = await shownText(view, FIRST_LENGTH);
    expect(whole.startsWith(shown)).to.equal(true);
    while (all(view, '.more').length > 0) {
      clickMore(view);
      shown = await shownText(view, Math.min(shown.length * 1.5, whole.length));
    }
    shown = await shownText(view, whole.length);
    // Not as an equality of texts: what shows how they differ would be 40,000 lines long.
    expect(shown === whole).to.equal(true);
  });

  it('moves the focus to what the user asked for', async () => {
    const view = await showText('word '.repeat(20_000));
    await shownText(view, FIRST_LENGTH);
    const before = all(view, '.portion').length;
    inside(view, '.more button').focus();
    clickMore(view);
    await eventually(() => view.shadowRoot!.activeElement === all(view, '.portion')[before]);
    await expect(view).to.be.accessible();
  });

  it('says where a line goes on, and that only there', async () => {
    const view = await showText(`${'a'.repeat(5_000)}\n${'b'.repeat(5_000)}`);
    await shownText(view, 10_001);
    const portions = all(view, '.portion');
    expect(portions.map(({ textContent }) => textContent.length)).to.deep.equal([
      4_064, 937, 4_064, 936,
    ]);
    expect(portions.map(({ classList }) => classList.contains('cut'))).to.deep.equal([
      true,
      false,
      true,
      false,
    ]);
  });

  it('cuts no character in two', async () => {
    const view = await showText('a' + '😀'.repeat(40_000));
    await shownText(view, FIRST_LENGTH);
    for (const { textContent } of all(view, '.portion')) {
      // Throws for half a character.
      encodeURIComponent(textContent);
    }
  });

  it('keeps what the user has asked for when the resource is updated', async () => {
    const resource = new OneResource([text('a'.repeat(200_000))]);
    const view = await show(resource);
    await shownText(view, FIRST_LENGTH);
    clickMore(view);
    await shownText(view, 2 * FIRST_LENGTH);
    resource.change([text('b'.repeat(200_000))]);
    await eventually(() => !inside(view, '[part=text]').textContent.includes('a'));
    expect(inside(view, '[part=text]').textContent.length).to.be.at.least(2 * FIRST_LENGTH);
    resource.change([text('short')]);
    await eventually(() => inside(view, '[part=text]').textContent === 'short');
  });

  it('formats Markdown of any length, a part at a time', async () => {
    const paragraph = `Some *soft* words ${'and more '.repeat(160)}\n\n`;
    const view = await showText(paragraph.repeat(100), MARKDOWN);
    await shownText(view, FIRST_LENGTH * 0.95);
    const paragraphs = all(view, '.markdown p');
    for (const { textContent } of paragraphs)
      expect(textContent).to.match(/^Some soft words and more/);
    expect(all(view, '.markdown em')).to.have.length(paragraphs.length);
    await expect(view).to.be.accessible();
    clickMore(view);
    await eventually(() => all(view, '.markdown p').length > paragraphs.length * 1.9);
  });

  it('goes on with the numbers of a list, whatever is written', async () => {
    const view = await showText(
      '1. An item of some length that says nothing\n'.repeat(400),
      MARKDOWN,
    );
    await eventually(() => all(view, 'li').length === 400);
    const lists = all(view, 'ol') as HTMLOListElement[];
    expect(lists.length).to.be.above(1);
    let next = 1;
    for (const list of lists) {
      expect(list.start).to.equal(next);
      next += list.children.length;
    }
  });

  it('goes on with a table, its head repeated, and with code as code', async () => {
    const rows = Array.from({ length: 600 }, (_, index) => `| ${index} | some words |`);
    const table = ['| number | words |', '| --- | --- |', ...rows].join('\n');
    const code = `\`\`\`js\n${'*no emphasis* here\n'.repeat(600)}\`\`\``;
    const view = await showText(`${table}\n\n${code}\n\nThe *end*`, MARKDOWN);
    const ends = await eventually(() => all(view, 'em').length > 0 && all(view, 'em'));
    expect(ends.map(({ textContent }) => textContent)).to.deep.equal(['end']);
    const tables = all(view, 'table');
    expect(tables.length).to.be.above(1);
    expect(all(view, 'th:first-child')).to.have.length(tables.length);
    const numbers = all(view, 'td:first-child').map(({ textContent }) => Number(textContent));
    expect(numbers).to.deep.equal(Array.from({ length: 600 }, (_, index) => index));
    const said = all(view, '.markdown pre')
      .map(({ textContent }) => textContent)
      .join('\n');
    expect(said.match(/\*no emphasis\* here/g)).to.have.length(600);
  });

  for (const [name, value, type] of casesOf([
    ['80 kB of a list', '* a\n'.repeat(20_000), MARKDOWN],
    [
      'cells that a table adds to its rows',
      `|${'a|'.repeat(400)}\n|${'-|'.repeat(400)}\n${'|\n'.repeat(3_000)}`,
      MARKDOWN,
    ],
    [
      '2 MB of prose',
      `${'Some words of a sentence, and more. '.repeat(40)}\n\n`.repeat(1_400),
      undefined,
    ],
  ] as const)) {
    it(`shows and scrolls without blocking the page: ${name}`, async () => {
      expect(await longestTaskOf(text(value, type))).to.be.below(100);
    });
  }

  it('finds a reference at the end of a long text', async () => {
    const filler = 'Some words that say nothing.\n\n'.repeat(600);
    const markdown = `See [the web][web].\n\n${filler}[web]: https://example.com/`;
    const view = await showText(markdown, MARKDOWN);
    const link = await eventually(() => all(view, 'a')[0] as HTMLAnchorElement | undefined);
    expect(link.href).to.equal('https://example.com/');
  });

  it('shows 100 of many contents, and more when asked', async () => {
    const contents = Array.from({ length: 250 }, (_, index) => ({
      uri: `a:/${index}.txt`,
      text: 'a',
    }));
    const view = await show(new OneResource(contents));
    await eventually(() => all(view, 'section pre').length === 100);
    expect(inside(view, '.more').textContent).to.contain('100 of 250 contents');
    await expect(view).to.be.accessible();
    clickMore(view);
    await eventually(() => all(view, 'section pre').length === 200);
    expectFocus(view, all(view, 'section')[100]);
    clickMore(view);
    await eventually(() => all(view, 'section pre').length === 250);
    expect(all(view, '.more')).to.have.length(0);
  });

  for (const last of [9_999, 10_000, 999_999_999]) {
    it(`has room for the number ${last} of an item`, async () => {
      const view = await showText(
        `Text.\n\n${'x '.repeat(5_000)}\n\n${last}. item`,
        'text/markdown',
      );
      const item = await eventually(() => all(view, '.portion li')[0]);
      const number = document.createElement('span');
      number.textContent = `${last}.\u00A0`;
      item.append(number);
      const portion = item.closest('.portion')!;
      const room = item.getBoundingClientRect().left - portion.getBoundingClientRect().left;
      expect(room).to.be.at.least(number.getBoundingClientRect().width);
    });
  }

  it('gives no image an address at which it would be a document of the page', async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><g/></svg>';
    const drawn = await showText(svg, 'image/svg+xml');
    const drawing = await eventually(() => all(drawn, 'img')[0] as HTMLImageElement | undefined);
    expect(drawing.src).to.match(/^data:image\/svg\+xml;base64,/);
    await drawing.decode();
    // An `<img>` looks at the bytes, and a tab at the type.
    const blob = btoa(`${atob(PNG)}<script>globalThis.broken = 1</script>`);
    for (const mimeType of ['image/gif,text/html', 'image/x+xml', 'image/png', 'image/gif']) {
      const view = await show(new OneResource([{ uri: 'a:/b.png', mimeType, blob }]));
      const image = await eventually(() => all(view, 'img')[0] as HTMLImageElement | undefined);
      await image.decode();
      const opened = await (await fetch(image.src)).blob();
      expect(opened.type, mimeType).to.match(/^image\/(gif|png)$/);
      view.remove();
    }
  });

  it('asks before it draws an SVG that may take long', async () => {
    const shapes = '<defs><rect id="a" width="9" height="9"/></defs><use href="#a"/>';
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">${shapes}</svg>`;
    const view = await showText(svg, 'image/svg+xml');
    const button = await eventually(() => all(view, '.download button')[0]);
    expect(all(view, 'img')).to.have.length(0);
    await expect(view).to.be.accessible();
    const saved = await fetch((inside(view, 'a[download]') as HTMLAnchorElement).href);
    expect(saved.headers.get('content-type')).to.equal('application/octet-stream');
    expect(await saved.text()).to.equal(svg);
    button.click();
    // The frame is in a process of its own: what is in it can only be seen from outside.
    const frame = (await eventually(() => all(view, 'iframe')[0])) as HTMLIFrameElement;
    expect(frame.getAttribute('sandbox')).to.equal('');
    await expect(view).to.be.accessible();
    expect(await drawnIn(frame)).to.equal(svg);
  });

  it('draws an SVG of any length in a frame, byte for byte', async () => {
    for (const length of [196_607, 196_608, 196_609, 400_000]) {
      const svg = `<svg xmlns="http://www.w3.org/2000/svg"><!--${'é'.repeat(length / 2)}`.padEnd(
        length,
        '-',
      );
      const view = await showText(svg, 'image/svg+xml');
      (await eventually(() => all(view, '.download button')[0])).click();
      const frame = (await eventually(() => all(view, 'iframe')[0])) as HTMLIFrameElement;
      expect(await drawnIn(frame)).to.equal(svg);
      view.remove();
    }
  });

  it('offers an image that the browser cannot show as a download', async () => {
    const view = await show(
      new OneResource([{ uri: 'a:/b.png', mimeType: 'image/png', blob: 'AAAA' }]),
    );
    await eventually(() => all(view, '.download a')[0]);
    expect(inside(view, '.download').textContent).to.contain('cannot show this image');
    await expect(view).to.be.accessible();
  });

  it('shows a link to a name with half a character', async () => {
    const view = await showText('*So* [[a\uD800]] and ![[\uDC00.png]].', MARKDOWN);
    const shown = await shownText(view, 1);
    expect(shown.toWellFormed()).to.contain('So a\uFFFD and');
    expect(all(view, 'em')).to.have.length(1);
  });

  it('shows an image inside code once, however often the text has its place', async () => {
    const source = `\`![](data:image/png;base64,${'A'.repeat(50_000)})\`\n\n`;
    const view = await showText(`${source}${'`data:5` '.repeat(200)}`, MARKDOWN);
    const shown = await shownText(view, 50_000);
    const whole = await eventually(() => {
      const codes = all(view, '.markdown code');
      return codes.length === 201 && codes;
    });
    expect(shown).to.contain('base64,AAA');
    expect(whole.at(-1)!.textContent).to.equal('data:5');
    expect(inside(view, '.markdown').textContent.length).to.be.below(60_000);
  });

  it('says that bytes cannot be read which are not base64', async () => {
    for (const blob of ['!', `${'AAAA'.repeat(70_000)}!`, `AA==${'AAAA'.repeat(70_000)}`]) {
      const view = await show(new OneResource([{ uri: 'a:/b.bin', blob }]));
      await eventually(() => all(view, '.download')[0]);
      expect(inside(view, '.download').textContent).to.contain('cannot be read');
      expect(all(view, 'a')).to.have.length(0);
    }
  });

  it('reads base64 of any length, with line breaks or without', async () => {
    const bytes = Uint8Array.from({ length: 700_001 }, (_, index) => index % 251);
    const encoded = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
    for (const blob of [encoded, encoded.replace(/.{76}/g, '$&\r\n')]) {
      const view = await show(new OneResource([{ uri: 'a:/b.bin', blob }]));
      const link = (await eventually(() => all(view, 'a[download]')[0])) as HTMLAnchorElement;
      const saved = new Uint8Array(await (await fetch(link.href)).arrayBuffer());
      expect(saved).to.deep.equal(bytes);
    }
  });
});
