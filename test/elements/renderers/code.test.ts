import { expect } from '@open-wc/testing';
// Internal: the view highlights blocks of code in Markdown with it.
import { highlight } from '../../../packages/elements/src/show/code/highlight.js';
// Internal: what a language is found by.
import { languageOf } from '../../../packages/elements/src/show/code/languages.js';
import { eventually, inside } from '../../support/elements.js';
import {
  all,
  bytesOf,
  longestTaskOf,
  showInView,
  shows,
  showVersions,
  textOf,
  textsOf,
} from '../../support/renderers.js';
import { leastTime } from '../../support/slowness.js';
import { casesOf } from '../../support/test-size.js';

const TS =
  'const answer: number = 42; // the answer\nfunction ask() {\n  return `a${answer}`;\n}\n';

/** Texts that are made to take long, or to fail a parser. */
const HOSTILE: Record<string, [mimeType: string, text: string]> = {
  'a line of 1 MB that opens brackets': ['text/javascript', 'a('.repeat(500_000)],
  'a line of 1 MB in two directions': ['text/javascript', 'aא'.repeat(500_000)],
  'a comment that never ends': ['text/x-rust', '/*'.repeat(500_000)],
  'quotes that never end': ['text/x-python', `"""${'a '.repeat(400_000)}`],
  '40,000 lines': ['text/javascript', 'const a = [1, "x", /y/];\n'.repeat(40_000)],
  'empty lines': ['text/javascript', '\n'.repeat(1_048_576)],
  'elements in elements': ['text/xml', '<a>'.repeat(200_000)],
  'rules in rules': ['text/css', 'a{'.repeat(200_000)],
  'words in SQL': ['text/x-sql', `"/* ' -- `.repeat(50_000)],
};

describe('<mcp-resource-view> with code', () => {
  /** The numbers of lines, as the browser counts them. */
  const numbersOf = (view: Element): number[] => {
    let number = 0;
    return all(view, '.line').map((line) => {
      const start = /line (\d+)/.exec(line.style.counterReset)?.[1];
      if (start !== undefined) number = Number(start);
      return line.classList.contains('rest') ? NaN : (number += 1);
    });
  };

  it('shows lines with their numbers, which no selection has', async () => {
    const view = await showInView(textOf(TS, 'text/plain', 'file:///a.ts'));
    expect(
      all(view, '.line')
        .map((line) => line.textContent)
        .join(''),
    ).to.equal(TS);
    expect(numbersOf(view)).to.deep.equal([1, 2, 3, 4]);
    expect(getComputedStyle(all(view, '.line')[0]!, '::before').content).to.contain('counter');
    await expect(view).to.be.accessible();
  });

  it('colours the tokens, also of what begins in a portion before', async () => {
    const view = await showInView(
      textOf(`/* begun\n${'more\n'.repeat(300)}ended */ let done;\n`, 'text/javascript'),
    );
    await eventually(() => textsOf(view, '.tok-keyword').includes('let'));
    expect(textsOf(view, '.tok-comment')).to.include('ended */');
    expect(all(view, '.portion').length).to.be.above(2);
    expect(numbersOf(view).at(-1)).to.equal(302);
    await expect(view).to.be.accessible();
  });

  it('finds the language by each type that the store has for code', () => {
    const types =
      'javascript jsx typescript x-python x-rust x-kotlin x-ruby x-c x-c++ x-csharp x-vue x-svelte ' +
      'x-go x-java x-swift x-lua x-scala x-dart x-r x-pl x-scss x-less x-sh x-bash x-ps1 x-diff ' +
      'x-patch x-dockerfile';
    for (const type of types.split(' '))
      expect(languageOf(`text/${type}`, 'note:///no-name'), type).not.to.equal('');
    for (const type of ['json', 'yaml', 'toml', 'sql'])
      expect(languageOf(`application/${type}`, 'note:///no-name'), type).to.equal(type);
  });

  it('finds it by the suffix of a type', () => {
    const suffixes = { xml: ['image/svg+xml', 'application/rss+xml;charset=utf-8'] };
    for (const [name, types] of Object.entries({ ...suffixes, json: ['application/vnd.a+json'] }))
      for (const type of types) expect(languageOf(type, 'note:///no-name'), type).to.equal(name);
    expect(languageOf('text/x-c++src', 'note:///no-name')).to.equal('c++src');
  });

  it('finds it in a moment, whatever a server says of its type', async () => {
    const type = `text/${'+'.repeat(60_000)}!`;
    expect(await leastTime(100, () => languageOf(type, 'note:///no-name'))).to.be.below(100);
  });

  it('has enough contrast in light and dark, whatever the token', async () => {
    const code =
      '// comment\nclass Name extends Other { field = "string"; }\n' +
      'const value: number = 12345; /regular/;\n';
    const view = await showInView(textOf(code, 'text/typescript'));
    await eventually(() => all(view, '[class^=tok-]').length > 5);
    for (const scheme of ['light', 'dark']) {
      view.style.colorScheme = scheme;
      await expect(view).to.be.accessible();
    }
  });

  it('colours the first 2,048 characters of a piece on a machine that is busy, and no more', async () => {
    const { now } = performance;
    const node = document.createElement('pre');
    // Each look at the clock is a second later: every deadline has passed.
    let seconds = 0;
    performance.now = () => (seconds += 1_000);
    try {
      node.append((await highlight('let a;\n'.repeat(400), 'js'))!);
    } finally {
      performance.now = now;
    }
    expect(node.textContent).to.equal('let a;\n'.repeat(400));
    expect(node.querySelectorAll('.tok-keyword')).to.have.length(Math.ceil(2_048 / 7));
  });

  it('shows a language that nobody knows without colours', async () => {
    const view = await showInView(textOf('let a;', 'text/x-unknown'));
    expect(textsOf(view, '.line')).to.deep.equal(['let a;']);
    expect(all(view, '[class^=tok-]')).to.have.length(0);
  });

  it('continues a long line in a portion without a number, and loses nothing of it', async () => {
    const line = Array.from({ length: 350 }, (_, index) => `v${index}`).join(' ');
    const view = await showInView(textOf(`${line}\nend`, 'text/javascript'));
    await shows(view, 'end');
    expect(numbersOf(view)).to.deep.equal([1, NaN, 2]);
    expect(
      all(view, '.line')
        .map((row) => row.textContent)
        .join(''),
    ).to.equal(`${line}\nend`);
  });

  it('shows a first part of long code, and more when asked', async () => {
    const view = await showInView(textOf('a line\n'.repeat(20_000), 'text/javascript'));
    await eventually(() => all(view, '.more').length === 1);
    const lines = all(view, '.line').length;
    inside(view, '.more button').click();
    await eventually(() => all(view, '.line').length > 1.9 * lines);
    expect(numbersOf(view).at(-1)).to.equal(all(view, '.line').length);
  });

  it('keeps what it shows of a line that an update leaves as it was', async () => {
    const { view, change } = await showVersions([textOf(`let a;\n${TS}`, 'text/javascript')]);
    await shows(view, 'let a');
    const lines = '// a line of some length\n'.repeat(99);
    change([textOf(`let a;\n${lines}${TS}`, 'text/javascript')]);
    await eventually(() => all(view, '.portion').length > 1);
    const [portion] = all(view, '.portion');
    change([textOf(`let a;\n${lines}let b;\n`, 'text/javascript')]);
    await shows(view, 'let b');
    expect(all(view, '.portion')[0]).to.equal(portion);
    expect(all(view, '.line')[0]!.textContent).to.equal('let a;\n');
  });

  it('reads bytes as UTF-8, or as their byte order mark says, whatever they are', async () => {
    const utf8 = bytesOf([new Uint8Array([0x61, 0xff, 0xc3, 0xa9])], 'text/plain', 'a:/b.js');
    expect(textsOf(await showInView(utf8), '.line')).to.deep.equal(['a\uFFFDé']);
    const utf16 = bytesOf([new Uint8Array([0xff, 0xfe, 0x42, 0x30])], 'text/css');
    expect(textsOf(await showInView(utf16), '.line')).to.deep.equal(['あ']);
  });

  it('shows more of bytes when asked, and says where they go on', async () => {
    const bytes = new TextEncoder().encode('a line\n'.repeat(160_000));
    const view = await showInView(bytesOf([bytes], 'application/octet-stream', 'a:/b.js'));
    await eventually(() => all(view, '.more').length === 1);
    const lines = all(view, '.line').length;
    inside(view, '.more button').click();
    await eventually(() => all(view, '.line').length > 1.9 * lines);
    expect(inside(view, '.remark').textContent).to.contain('Only the first part');
  });

  it('says why it cannot read contents', async () => {
    const view = await showInView({ uri: 'a:b', mimeType: 'text/javascript', blob: 'no base64!' });
    expect(inside(view, '.download [role=alert]').textContent).to.contain('cannot be read');
  });

  for (const [name, [mimeType, text]] of casesOf(Object.entries(HOSTILE))) {
    it(`never keeps the main thread longer than 100 ms: ${name}`, async () => {
      expect(await longestTaskOf(textOf(text, mimeType))).to.be.below(100);
    });
  }
});

describe('highlight', () => {
  const markup = (node: Node | undefined): string => {
    const parent = document.createElement('div');
    if (node) parent.append(node);
    return parent.innerHTML;
  };

  it('makes text and spans of code', async () => {
    expect(markup(await highlight('let a = "<b>";\n\n1', 'js'))).to.equal(
      '<span class="tok-keyword">let</span> <span class="tok-name">a</span> = ' +
        '<span class="tok-string">"&lt;b&gt;"</span>;\n\n<span class="tok-number">1</span>',
    );
  });

  it('knows many languages by several names', async () => {
    for (const name of ['TypeScript', 'py', 'rust', 'sql', 'bash', 'yaml', 'c++', 'html', 'diff'])
      expect(await highlight('a', name), name).to.be.instanceOf(DocumentFragment);
  });

  it('leaves alone what it does not know', async () => {
    expect(await highlight('a', 'klingon')).to.equal(undefined);
    expect(await highlight('a', '__proto__')).to.equal(undefined);
  });
});
