import { sendKeys } from '@web/test-runner-commands';
import { expect, fixture, html } from '@open-wc/testing';
import '@inpage-mcp/elements/all';
import type { McpResourceView } from '@inpage-mcp/elements';
import { eventually, expectFocus, inside } from '../support/elements.js';
import { useLinkedClient } from '../support/linked-server.js';

const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

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

  it('takes fields between two lines for front matter only at the start', async () => {
    const view = await show('First\n---\nAuthor: me\n\nSecond.\n\n---\nThird.\n');
    const blocks = Array.from(
      inside(view, '.markdown').querySelectorAll('h2, p, hr, pre'),
      ({ textContent }) => textContent.trim(),
    );
    expect(blocks).to.deep.equal(['First', 'Author: me', 'Second.', '', 'Third.']);
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
    await eventually(() => view.shadowRoot!.querySelector('h2'));
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
    const png = await (await fetch(`data:image/png;base64,${PNG}`)).blob();
    await setup.linked.server.store.files.write('images/dot.png', png);
    const view = await show(
      '![A dot](../images/dot.svg) ![again](file:///images/dot.svg) ![png](../images/dot.png)',
    );
    const images = await eventually(() => {
      const found = [...view.shadowRoot!.querySelectorAll('img')];
      return found.length === 3 && found.every(({ naturalWidth }) => naturalWidth > 0) && found;
    });
    expect(images.map(({ alt }) => alt)).to.deep.equal(['A dot', 'again', 'png']);
    // At a `blob:` address, an SVG in a tab would be a document of this origin.
    expect(images[0]!.src).to.match(/^data:image\/svg\+xml;base64,/);
    expect(images[1]!.src).to.equal(images[0]!.src);
    await expect(view).to.be.accessible();
    const { src } = images[2]!;
    expect(src).to.match(/^blob:/);
    // A new version of the text keeps the image.
    await setup.client.watch('file:///notes/a.md', () => undefined).ready;
    const text = '![png](../images/dot.png) and more';
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

  it('shows what other programs write as it is meant', async () => {
    const view = await show(
      [
        '> [!warning] Take care\n> Hot.\n\n> [!NOTE]\n> Plain.\n',
        'A ==marked== word, a == b, a foot[^1] and [^2].\n\n[^1]: word\n',
        '[[Other note]] [[b.txt|words]] [[#End]] <kbd>Ctrl</kbd> H<sub>2</sub>O <u>u</u><br/>line',
        '<span style="color:red">red</span> <!-- hidden --> <b>bold</b> <script>x</script>\n',
        '<details>\n<summary>More *of it*</summary>\n\n- inside\n\n</details>\n',
        '<details><summary>open</summary>\n\nnever closed\n\n#### Four\n\n##### Five\n\n###### End',
      ].join('\n'),
    );
    const shown = inside(view, '.markdown');
    const words = (selector: string): (string | undefined)[] =>
      Array.from(shown.querySelectorAll(selector), ({ textContent }) =>
        textContent?.replaceAll(/\s+/g, ' ').trim(),
      );
    expect(words('.callout > strong')).to.deep.equal(['Take care', 'Note']);
    expect(words('.callout p')).to.deep.equal(['Hot.', 'Plain.']);
    expect(words('mark, kbd, sub, u, strong:not(.callout *)')).to.deep.equal([
      'marked',
      'Ctrl',
      '2',
      'u',
      'bold',
    ]);
    expect(words('p:has(mark)')[0]).to.equal('A marked word, a == b, a foot1 and [^2].');
    expect(words('.footnote')).to.deep.equal(['1 word']);
    expect(words('summary, details li')).to.deep.equal(['More of it', 'inside']);
    expect(words('h4, h5, h6')).to.deep.equal(['Four', 'Five', 'End']);
    const text = shown.textContent;
    expect(text).to.contain('red').and.to.contain('<script>x</script>');
    for (const noise of ['[!', 'style=', 'hidden', '<details', '<summary', '[['])
      expect(text).not.to.contain(noise);
    const links = [...shown.querySelectorAll<HTMLElement>('[role=link]')];
    expect(links.map((link) => follow(view, link))).to.deep.equal([
      undefined,
      'file:///notes/Other%20note.md',
      'file:///notes/b.txt',
      undefined,
    ]);
    expect(view.shadowRoot!.activeElement?.textContent).to.equal('End');
    links[0]!.click();
    expect(view.shadowRoot!.activeElement?.className).to.equal('footnote');
    await expect(view).to.be.accessible();
  });

  it('knows where words in bold end in scripts without spaces', async () => {
    for (const [text, bold] of [
      ['**重要：**内容和**「强调」**文字', '重要：|「强调」'],
      ['这是**“引用”**的。', '“引用”'],
      ['値段は**100円**です。**「注意」**：火', '100円|「注意」'],
      ['**Note:**这里，*a*和~~删~~', 'Note:'],
      ['**중요:**내용', '중요:'],
      ['𠀀**（𠀁）**𠀂', '（𠀁）'],
      ['2**3**4 a**“b”**c', '3'],
      ['** 不 **', ''],
    ] as const) {
      const view = await show(text);
      const strong = [...inside(view, '.markdown').querySelectorAll('strong')];
      expect(strong.map(({ textContent }) => textContent).join('|'), text).to.equal(bold);
    }
  });

  it('shows no tag of Notion, models and browsers as letters, and no comment of Obsidian', async () => {
    const view = await show(
      [
        '<aside>\n💡 A *callout*\n\n</aside>\n',
        '<think>\nFirst.\n\nThen.\n</think>\n\nThe answer.\n',
        '<blockquote>said</blockquote>\n',
        'one<hr>two <abbr title="x">HTML</abbr> <ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby>\n',
        'seen %%not seen%% also^[a *note*] 5 %% 2\n',
        '%%\nhidden\n\nlines\n%%\n',
        '%% never closed',
      ].join('\n'),
    );
    const shown = inside(view, '.markdown');
    const words = (selector: string): (string | undefined)[] =>
      Array.from(shown.querySelectorAll(selector), ({ textContent }) =>
        textContent?.replaceAll(/\s+/g, ' ').trim(),
      );
    expect(words('blockquote')).to.deep.equal(['💡 A callout', 'said']);
    expect(words('details p, em, ruby, rt, small')).to.deep.equal([
      'callout',
      'First.',
      'Then.',
      '漢kan',
      'kan',
      '[a note]',
      'note',
    ]);
    expect(shown.querySelectorAll('hr')).to.have.length(1);
    expect(shown.textContent).to.contain('The answer.').and.to.contain('5 %% 2');
    expect(shown.textContent).to.contain('%% never closed');
    for (const noise of ['<', 'hidden', 'lines', 'not seen', 'title='])
      expect(shown.textContent).not.to.contain(noise);
    await expect(view).to.be.accessible();
  });

  it('shows the links and images of HTML, and leaves out what arranges them', async () => {
    await writeImage();
    const view = await show(
      [
        '<h1 align="center">Title</h1>\n',
        '<p align="center">\n  <a href="b.md?x=1&amp;y=2"><img src=\'../images/dot.svg\' width=9 alt="A dot"></a>',
        '</p>\n\n<a name="here"></a><picture><source srcset="x"><img alt="none"></picture>',
        '<a href="https://out.example/">out [in](c.md)</a> <a href="javascript:alert(1)">runs</a>',
        '<img src="javascript:alert(1)" alt="words"> <img src=https://host.invalid/a.png alt=far>',
      ].join('\n'),
    );
    const shown = inside(view, '.markdown');
    await eventually(() => shown.querySelector('img')?.naturalWidth === 9);
    const text = shown.textContent.replaceAll(/\s+/g, ' ');
    expect(text).to.contain('Title').and.to.contain('out in runs words far');
    expect(text).not.to.match(/[<>]|align|src/);
    expect(shown.querySelectorAll('img')).to.have.length(1);
    expect(shown.querySelector('img')!.alt).to.equal('A dot');
    const links = [...shown.querySelectorAll<HTMLElement>('[role=link]')];
    expect(links.map((link) => follow(view, link))).to.deep.equal(['file:///notes/b.md?x=1&y=2']);
    const web = Array.from(shown.querySelectorAll('a'), ({ href }) => href);
    expect(web).to.deep.equal(['https://out.example/', 'https://host.invalid/a.png']);
    await expect(view).to.be.accessible();
  });

  it('knows 500 references and 1,000 footnotes, and not one more', async () => {
    const numbers = (count: number): number[] => Array.from({ length: count }, (_, at) => at + 1);
    const references = numbers(501).map((number) => `[r${number}]: r${number}.md`);
    const uses = '[words][r500] [words][r501] [^n1000] [^n1001]';
    const footnotes = numbers(1_001).map((number) => `[^n${number}]: foot`);
    const view = await show([uses, '', ...references, '', ...footnotes].join('\n'));
    const first = inside(view, '.markdown p');
    const links = Array.from(
      first.querySelectorAll('[role=link]'),
      ({ textContent }) => textContent,
    );
    expect(links).to.deep.equal(['words', 'n1000']);
    expect(first.textContent).to.contain('[words][r501]').and.to.contain('[^n1001]');
  });

  it('colours 200 blocks of code, and no more', async () => {
    const isColoured = (code: Element): boolean => code.querySelector('span') !== null;
    const view = await show('```js\nlet a;\n```\n\n'.repeat(201));
    const codes = await eventually(() => {
      const found = [...view.shadowRoot!.querySelectorAll('pre code')];
      return found.length === 201 && found.filter(isColoured).length === 200 && found;
    });
    expect(isColoured(codes.at(-1)!)).to.equal(false);
  });

  it('shows what is hidden ten levels deep in others, and deeper ones without hiding', async () => {
    const nested = (depth: number): string =>
      `${'<details>\n<summary>s</summary>\n\n'.repeat(depth)}deep\n${'\n</details>\n'.repeat(depth)}`;
    for (const depth of [10, 11, 15]) {
      const view = await show(nested(depth));
      const shown = inside(view, '.markdown');
      expect(shown.querySelectorAll('details'), `${depth}`).to.have.length(10);
      expect(shown.textContent).to.contain('deep').and.not.to.contain('<');
    }
    // One after the other, they are no deeper.
    const view = await show(nested(1).repeat(11));
    expect(inside(view, '.markdown').querySelectorAll('details')).to.have.length(11);
  });

  it('shows the text of a loose item beside its box', async () => {
    const view = await show('- [ ] one\n\n- [x] two\n');
    for (const item of view.shadowRoot!.querySelectorAll('li')) {
      const [box, words] = [item.querySelector('input')!, item.querySelector('p')!];
      const top = words.getClientRects()[0]!.top;
      expect(box.getBoundingClientRect().top).to.be.within(top - 8, top + 8);
    }
  });

  it('finds links and images in the other Unicode form of their names', async () => {
    const { files } = setup.linked.server.store;
    await files.write('notes/re\u0301sume\u0301 #1.md', new Blob(['x']));
    await files.write('notes/bi\u0301ld.svg', new Blob([SVG], { type: 'image/svg+xml' }));
    const view = await show(
      '![image](b\u00ECld.svg) ![image](b\u00EDld.svg) [cv](r\u00E9sum\u00E9%20%231.md)',
    );
    await eventually(() => view.shadowRoot!.querySelector('img')?.naturalWidth === 9);
    let uri: string | undefined;
    view.addEventListener('mcp-resource-link', (event) => (uri = event.uri));
    [...view.shadowRoot!.querySelectorAll<HTMLElement>('[role=link]')].at(-1)!.click();
    await eventually(() => uri);
    expect(decodeURIComponent(uri!)).to.equal('file:///notes/re\u0301sume\u0301 #1.md');
  });

  it('shows images that stand in the text, of any size, and never their base64', async () => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 200, height: 200 });
    const context = canvas.getContext('2d')!;
    const noise = context.createImageData(200, 200);
    noise.data.forEach((_, index) => (noise.data[index] = (index * 7919) % 251));
    context.putImageData(noise, 0, 0);
    const image = canvas.toDataURL();
    expect(image.length).to.be.above(8_000);
    const view = await show(
      `# One\n\n![inline](${image}) after\n\n![byname][a]\n\n![broken](data:image/png;base64,AA)\n\n` +
        `\`\`\`\n![x](data:image/gif;base64,R0lG)\n\`\`\`\n\n` +
        `\`![y](data:image/gif;base64,QQ)\`\n\n<img src="${image}" alt="tag">\n\n[a]: <${image}>\n`,
    );
    const images = await eventually(() => {
      const found = [...view.shadowRoot!.querySelectorAll('img')];
      return found.length === 3 && found.every(({ naturalWidth }) => naturalWidth === 200) && found;
    });
    expect(images.map(({ alt }) => alt)).to.deep.equal(['inline', 'byname', 'tag']);
    const text = inside(view, '.markdown').textContent;
    expect(text).to.contain('after').and.to.contain('broken');
    expect(text).to.contain('base64,R0lG').and.to.contain('![y](data:image/gif;base64,QQ)');
    expect(text.replaceAll(/base64,(?:R0lG|QQ)/g, '')).not.to.contain('base64');
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
    expectFocus(view, image);
    image.dispatchEvent(new Event('error'));
    expect(inside(view, '.remote-image').textContent).to.contain('could not be loaded');
  });

  it('leaves a loaded image to its address when others come before it', async () => {
    const view = await show('![A](https://a.invalid/x.png)');
    inside(view, '.remote-image button').click();
    const text = '![B](https://b.invalid/y.png)\n\n![A](https://a.invalid/x.png)';
    await setup.linked.server.store.files.write('notes/a.md', new Blob([text]));
    const places = () => [...view.shadowRoot!.querySelectorAll('.remote-image')];
    await eventually(() => places().length === 2);
    expect(places().map((place) => place.querySelector('button')?.textContent)).to.deep.equal([
      'Load the image from b.invalid',
      'Load the image from a.invalid',
    ]);
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

  it('shows a note at its place of 500 characters as one, and no longer one', async () => {
    for (const length of [500, 501]) {
      const view = await show(`word^[${'x'.repeat(length)}]`);
      const found = inside(view, '.markdown').querySelectorAll('small');
      expect(found.length, `${length}`).to.equal(length === 500 ? 1 : 0);
    }
  });

  it('keeps the words of a narrow table whole: it scrolls', async () => {
    const columns = ['Internationalisation', 'Responsibility', 'Documentation', 'Availability'];
    const line = (words: readonly string[]): string => `| ${words.join(' | ')} |`;
    const view = await show(
      [line(columns), line(columns.map(() => '-')), line(columns)].join('\n'),
    );
    view.style.cssText = 'display: block; inline-size: 300px';
    const cells = [...inside(view, '.markdown').querySelectorAll('th, td')];
    expect(cells).to.have.length(8);
    for (const cell of cells) {
      const words = document.createRange();
      words.selectNodeContents(cell);
      expect(words.getBoundingClientRect().height).to.be.below(30);
    }
    expect(inside(view, '.table').scrollWidth).to.be.above(300);
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
