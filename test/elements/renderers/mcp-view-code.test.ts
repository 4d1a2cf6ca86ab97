import { expect } from '@open-wc/testing';
// Internal: the view highlights blocks of code in Markdown with it.
import { highlight } from '../../../packages/elements/src/show/renderers/highlight.js';
// Internal: what a language is found by.
import { languageOf } from '../../../packages/elements/src/show/renderers/code/languages.js';
import { eventually, inside } from '../../support/elements.js';
import {
  all,
  bytesOf,
  longestTaskOf,
  show,
  shows,
  textOf,
  textsOf,
} from '../../support/renderers.js';

const TS =
  'const answer: number = 42; // the answer\nfunction ask() {\n  return `a${answer}`;\n}\n';

/** Texts that are made to take long, or to fail a parser. */
const HOSTILE: Record<string, [mimeType: string, text: string]> = {
  'a line of 1 MB': ['text/javascript', 'let a = 1; '.repeat(90_000)],
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

describe('<mcp-view-code>', () => {
  it('shows lines with their numbers', async () => {
    const element = await show(textOf(TS, 'text/plain', 'file:///a.ts'));
    expect(textsOf(element, '.number')).to.deep.equal(['1', '2', '3', '4']);
    expect(all(element, '.line').map((line) => line.textContent)).to.deep.equal(
      TS.trimEnd().split('\n'),
    );
    await expect(element).to.be.accessible();
  });

  it('colours the tokens, also of what begins lines above', async () => {
    const element = await show(
      textOf(`/* begun\n${'more\n'.repeat(300)}ended */ let done;\n`, 'text/javascript'),
    );
    await eventually(() => all(element, '.tok-comment').length > 0);
    inside(element, '.scroller').scrollTop = 100_000;
    await eventually(() => textsOf(element, '.tok-keyword').includes('let'));
    expect(textsOf(element, '.tok-comment')).to.include('ended */');
    await expect(element).to.be.accessible();
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

  it('has enough contrast in light and dark, whatever the token', async () => {
    const code =
      '// comment\nclass Name extends Other { field = "string"; }\n' +
      'const value: number = 12345; /regular/;\n';
    const element = await show(textOf(code, 'text/typescript'));
    await eventually(() => all(element, '[class^=tok-]').length > 5);
    for (const scheme of ['light', 'dark']) {
      element.style.colorScheme = scheme;
      await expect(element).to.be.accessible();
    }
  });

  it('shows a language that nobody knows without colours', async () => {
    const element = await show(textOf('let a;', 'text/x-unknown'));
    expect(textsOf(element, '.line')).to.deep.equal(['let a;']);
    expect(all(element, '[class^=tok-]')).to.have.length(0);
  });

  it('continues a long line in rows without a number, and loses nothing of it', async () => {
    const line = Array.from({ length: 700 }, (_, index) => `v${index}`).join(' ');
    const element = await show(textOf(`${line}\nend`, 'text/javascript'));
    const numbers = textsOf(element, '.number');
    expect(numbers.filter(Boolean)).to.deep.equal(['1', '2']);
    expect(numbers.length).to.be.above(3);
    const text = all(element, '.line').map((row) => row.textContent);
    expect(text.join('')).to.equal(`${line}end`);
  });

  it('draws only the lines in sight', async () => {
    const element = await show(textOf('a\n'.repeat(100_000), 'text/javascript'));
    await eventually(() => inside(element, '.scroller').scrollHeight > 1_000_000);
    expect(all(element, '.row').length).to.be.below(150);
    inside(element, '.scroller').scrollTop = 1e9;
    await eventually(() => textsOf(element, '.number').includes('100,000'));
  });

  it('keeps its place when it shows other contents', async () => {
    const element = await show(textOf('a\n'.repeat(1_000), 'text/javascript'));
    const scroller = inside(element, '.scroller');
    await eventually(() => scroller.scrollHeight > 10_000);
    scroller.scrollTop = 5_000;
    element.contents = textOf('b\n'.repeat(1_000), 'text/javascript');
    await eventually(() => textsOf(element, '.line').includes('b'));
    expect(scroller.isConnected).to.equal(true);
    expect(scroller.scrollTop).to.equal(5_000);
  });

  it('says that it shows only the first part', async () => {
    const whole = await show(textOf('a', 'text/javascript'));
    expect(all(whole, '[part=partial]')).to.have.length(0);
    const part = await show(textOf('a', 'text/javascript'), true);
    expect(inside(part, '[part=partial]').textContent).to.contain('first part');
    const cut = await show(textOf('a line\n'.repeat(200_000), 'text/javascript'));
    expect(inside(cut, '[part=partial]').textContent).to.contain('first part');
    inside(cut, '.more').click();
    await eventually(() => all(cut, '[part=partial]').length === 0);
    inside(cut, '.scroller').scrollTop = 1e9;
    await eventually(() => textsOf(cut, '.number').includes('200,000'));
  });

  it('reads bytes as UTF-8, or as their byte order mark says, whatever they are', async () => {
    const utf8 = await show(bytesOf([new Uint8Array([0x61, 0xff, 0xc3, 0xa9])], 'text/javascript'));
    expect(textsOf(utf8, '.line')).to.deep.equal(['a\uFFFDé']);
    const utf16 = await show(bytesOf([new Uint8Array([0xff, 0xfe, 0x42, 0x30])], 'text/css'));
    expect(textsOf(utf16, '.line')).to.deep.equal(['あ']);
  });

  it('says why it cannot read contents', async () => {
    const element = await show({ uri: 'a:b', mimeType: 'text/javascript', blob: 'no base64!' });
    expect(inside(element, '[role=alert]').textContent.trim()).to.not.equal('');
    element.contents = textOf('fine', 'text/javascript');
    await shows(element, 'fine');
  });

  for (const [name, [mimeType, text]] of Object.entries(HOSTILE)) {
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

  it('leaves alone what it does not know, and what is too long', async () => {
    expect(await highlight('a', 'klingon')).to.equal(undefined);
    expect(await highlight('a', '__proto__')).to.equal(undefined);
    expect(await highlight('a'.repeat(200_000), 'js')).to.equal(undefined);
  });
});
