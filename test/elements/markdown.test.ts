import { sendKeys } from '@web/test-runner-commands';
import { expect, fixture, html } from '@open-wc/testing';
import '@inpage-mcp/elements';
import type { McpResourceView } from '@inpage-mcp/elements';
import { eventually, inside } from '../support/elements.js';
import { useLinkedClient } from '../support/linked-server.js';

const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>';

describe('Markdown in <mcp-resource-view>', () => {
  const setup = useLinkedClient();

  const show = async (text: string): Promise<McpResourceView> => {
    await setup.linked.server.store.files.write('notes/a.md', new Blob([text]));
    const view = await fixture<McpResourceView>(
      html`<mcp-resource-view
        .client=${setup.client}
        uri="file:///notes/a.md"
      ></mcp-resource-view>`,
    );
    await eventually(() => view.shadowRoot!.querySelector('.markdown .portion'));
    return view;
  };
  const writeImage = (): Promise<unknown> =>
    setup.linked.server.store.files.write(
      'images/dot.svg',
      new Blob([SVG], { type: 'image/svg+xml' }),
    );
  /** The resource that a click on the link asks for. */
  const follow = (view: McpResourceView, link: HTMLElement): string | undefined => {
    let uri: string | undefined;
    view.addEventListener('mcp-resource-link', (event) => (uri = event.uri), { once: true });
    link.click();
    return uri;
  };

  it('shows front matter as YAML, and a thematic break as one', async () => {
    const yaml = 'title: Mine\ntags:\n  - a\n# of mine\ndate: 2024-01-01';
    const view = await show(`---\r\n${yaml}\r\n...\r\n\r\n# Heading\n`);
    const root = view.shadowRoot!;
    await eventually(() => root.querySelector('h1'));
    expect(inside(view, 'pre').textContent).to.equal(yaml);
    expect(root.querySelector('hr, h2, li')).to.equal(null);
    await expect(view).to.be.accessible();
    for (const text of ['---\n\na: b\n\n---\n', '---\ntitle: no end\n', '---\nWords.\n\n---\n']) {
      const other = await show(text);
      await eventually(() => other.shadowRoot!.querySelector('.markdown hr'));
      expect(other.shadowRoot!.querySelector('pre'), text).to.equal(null);
    }
  });

  it('asks for the resource that a link leads to, also a relative one', async () => {
    const view = await show('[a](../b%20c.md) [b](file:///d.md) [c](note:///01J) <note:///02J>');
    const links = [...view.shadowRoot!.querySelectorAll<HTMLElement>('[role=link]')];
    expect(links.map((link) => follow(view, link))).to.deep.equal([
      'file:///b%20c.md',
      'file:///d.md',
      'note:///01J',
      'note:///02J',
    ]);
    expect(view.uri).to.equal('file:///notes/a.md');
    await expect(view).to.be.accessible();
  });

  it('follows a link where it may, unless the page prevents that', async () => {
    await setup.linked.server.store.files.write('notes/b.md', new Blob(['# There']));
    const view = await show('[there](b.md)');
    view.followLinks = true;
    view.addEventListener('mcp-resource-link', (event) => event.preventDefault(), { once: true });
    const link = inside(view, '[role=link]');
    link.click();
    expect(view.uri).to.equal('file:///notes/a.md');
    link.focus();
    await sendKeys({ press: 'Enter' });
    // What leads back is loaded first.
    await eventually(() => view.uri === 'file:///notes/b.md');
    await eventually(() => view.shadowRoot!.querySelector('h1')?.textContent === 'There');
  });

  it('goes to the heading that a link names', async () => {
    const view = await show(`[end](#the-end)\n\n${'Words.\n\n'.repeat(200)}## The *end*!\n`);
    view.style.blockSize = '200px';
    inside(view, '[role=link]').click();
    expect(view.shadowRoot!.activeElement?.textContent).to.equal('The end!');
    expect(view.scrollTop).to.be.above(500);
  });

  it('says which host a link leads to, unless it reads so', async () => {
    const view = await show('[bank](https://evil.example/x) https://example.com/y <me@a.example>');
    const links = [...view.shadowRoot!.querySelectorAll('a')];
    expect(links.map(({ dataset }) => dataset['host'])).to.deep.equal([
      'evil.example',
      undefined,
      undefined,
    ]);
    // Firefox does not say what an attribute in it stands for.
    expect(getComputedStyle(links[0]!, '::after').content).to.match(
      /evil\.example|attr\(data-host\)/,
    );
    for (const { target, rel } of links)
      expect([target, rel]).to.deep.equal(['_blank', 'noopener noreferrer']);
  });

  it('shows images of the server, and reads each once', async () => {
    await writeImage();
    const view = await show('![A dot](../images/dot.svg) ![again](file:///images/dot.svg)');
    const images = await eventually(() => {
      const found = [...view.shadowRoot!.querySelectorAll('img')];
      return found.length === 2 && found.every(({ naturalWidth }) => naturalWidth === 9) && found;
    });
    expect(images.map(({ alt }) => alt)).to.deep.equal(['A dot', 'again']);
    expect(images[0]!.src).to.match(/^blob:/);
    expect(images[1]!.src).to.equal(images[0]!.src);
    await expect(view).to.be.accessible();
    const { src } = images[0]!;
    // A new version of the text keeps the image.
    await setup.client.watch('file:///notes/a.md', () => undefined).ready;
    const text = '![A dot](../images/dot.svg) and more';
    await setup.linked.server.store.files.write('notes/a.md', new Blob([text]));
    await eventually(() => inside(view, '.markdown').textContent.includes('and more'));
    expect(inside(view, 'img').getAttribute('src')).to.equal(src);
    view.remove();
    expect(await fetch(src).catch((error: unknown) => error)).to.be.instanceOf(TypeError);
  });

  it('shows the words of an image that is none', async () => {
    const view = await show(
      '![not there](none.png) ![no image](a.md) ![data](data:image/png;base64,AA)',
    );
    await eventually(() => !view.shadowRoot!.querySelector('.pending-image'));
    const shown = inside(view, '.markdown').textContent;
    expect(shown).to.contain('not there no image');
    expect(view.shadowRoot!.querySelector('img')).to.equal(null);
  });

  it('loads an image of another host only after a click', async () => {
    const view = await show('![tracker](https://host.invalid/pixel.png)');
    const button = inside(view, '.remote-image button');
    expect(button.textContent).to.equal('Load the image from host.invalid');
    expect(view.shadowRoot!.querySelector('img')).to.equal(null);
    await expect(view).to.be.accessible();
    button.click();
    const image = inside(view, 'img') as HTMLImageElement;
    expect(image.src).to.equal('https://host.invalid/pixel.png');
    expect(image.referrerPolicy).to.equal('no-referrer');
    expect(view.shadowRoot!.activeElement).to.equal(image);
    image.dispatchEvent(new Event('error'));
    expect(inside(view, '.remote-image').textContent).to.contain('could not be loaded');
  });

  it('shows the words of such an image alone inside a link', async () => {
    const view = await show('[![badge](https://img.example/a.png)](https://web.example/)');
    expect(view.shadowRoot!.querySelectorAll('a, .markdown button')).to.have.length(1);
    expect(inside(view, 'a').textContent).to.equal('badge');
    await expect(view).to.be.accessible();
  });

  it('aligns the columns of tables', async () => {
    const view = await show('|a|b|c|d|\n|:-|-:|:-:|-|\n|1|2|3|4|');
    const cells = [...view.shadowRoot!.querySelectorAll('td')];
    expect(cells.map((cell) => getComputedStyle(cell).textAlign)).to.deep.equal([
      'left',
      'right',
      'center',
      'start',
    ]);
    await expect(view).to.be.accessible();
  });

  it('reads entities, and leaves those that it does not know', async () => {
    const view = await show('&copy; &amp; &euro; &Omega; &hearts; &#128512; &nope; &constructor;');
    expect(inside(view, '.markdown').textContent.trim()).to.equal(
      '© & € Ω ♥ 😀 &nope; &constructor;',
    );
  });

  it('finds addresses in a text, without the punctuation around them', async () => {
    const view = await show(
      'See https://a.example/b_(c)?d=1, (http://b.example/ü) or **https://c.example**. Not a://b, x@y.',
    );
    const links = [...view.shadowRoot!.querySelectorAll('a')];
    expect(links.map(({ textContent }) => textContent)).to.deep.equal([
      'https://a.example/b_(c)?d=1',
      'http://b.example/ü',
      'https://c.example',
    ]);
  });
});
