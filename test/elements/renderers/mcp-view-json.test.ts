import { expect } from '@open-wc/testing';
import { sendKeys } from '@web/test-runner-commands';
import {
  Refusal,
  type RendererElement,
} from '../../../packages/elements/src/show/renderers/renderer.js';
import { eventually, frames, inside } from '../../support/elements.js';
import {
  all,
  bytesOf,
  longestTaskOf,
  show,
  showInView,
  shows,
  showVersions,
  textOf,
  update,
} from '../../support/renderers.js';
import { casesOf } from '../../support/test-size.js';

const JSON_TYPE = 'application/json';
const showJson = async (text: string, type = JSON_TYPE): Promise<RendererElement> =>
  await show(textOf(text, type));
const showValue = async (value: unknown): Promise<RendererElement> =>
  await showJson(JSON.stringify(value));

/** The rows as they read. */
const rowsOf = (element: Element): string[] =>
  all(element, '.row')
    .filter((row) => row.checkVisibility())
    .map(({ textContent }) => textContent.trim().replace(/\s+/g, ' '));
const activeOf = (element: Element): string =>
  element.shadowRoot!.activeElement!.textContent.trim().replace(/\s+/g, ' ');

/** Presses keys in the tree, and waits for what they do. */
async function press(element: RendererElement, ...keys: string[]): Promise<void> {
  for (const key of keys) {
    await sendKeys({ press: key });
    await frames(2);
    await element.updateComplete;
  }
}

const many = (length: number): object[] =>
  Array.from({ length }, (_, id) => ({ id, name: `name ${id}` }));

const HOSTILE: Record<string, [text: string, type?: string]> = {
  'the longest tree, of entries': [`[${'0,'.repeat(131_000)}0]`],
  'the longest tree, of exact numbers': [`[${'1e999,'.repeat(21_000)}0]`],
  'the longest tree, of objects': [JSON.stringify(many(8_000))],
  'keys that differ': [`{${Array.from({ length: 20_000 }, (_, at) => `"${at}k":0`).join()}}`],
  'arrays in arrays': ['['.repeat(130_000) + ']'.repeat(130_000)],
  'some arrays in arrays': ['['.repeat(2_000) + ']'.repeat(2_000)],
  'objects in objects': ['{"a":'.repeat(40_000)],
  'a string of 16 MB': [`"${'a'.repeat(16_000_000)}"`],
  'a long number': ['1'.repeat(260_000)],
  'strings in two directions': [
    JSON.stringify(Array.from({ length: 60 }, () => 'aא'.repeat(2_000))),
  ],
  'an error at the end': [`[${'0,\n'.repeat(80_000)}x]`],
  'lines of JSON': ['{"a":[1,2,{"b":null}]}\n'.repeat(11_000), 'application/jsonl'],
  'lines that are not JSON': ['{"a":[1,2\n'.repeat(26_000), 'application/jsonl'],
};

describe('<mcp-view-json>', () => {
  it('shows a tree, with the first levels open', async () => {
    const element = await showValue({ name: 'a', list: [1, true, null], empty: {} });
    expect(rowsOf(element)).to.deep.equal([
      '{ 3 }',
      'name "a"',
      'list [ 3 ]',
      '0 1',
      '1 true',
      '2 null',
      'empty { 0 }',
    ]);
    await expect(element).to.be.accessible();
    element.style.colorScheme = 'dark';
    await expect(element).to.be.accessible();
  });

  it('keeps all digits, and keys that mean something to JavaScript', async () => {
    const element = await showJson(
      '{"b":1.50,"c":12345678901234567890,"d":1e999,"__proto__":{"toString":1},"constructor":"${x}","a":-0}',
    );
    expect(rowsOf(element)).to.deep.equal([
      '{ 6 }',
      'b 1.50',
      'c 12345678901234567890',
      'd 1e999',
      '__proto__ { 1 }',
      'toString 1',
      'constructor "${x}"',
      'a -0',
    ]);
  });

  it('moves with the arrow keys, opens and closes', async () => {
    const element = await showValue({ a: { b: 1, c: 2 }, d: [3], e: 4 });
    all(element, 'summary')[0]!.focus();
    await press(element, 'ArrowDown');
    expect(activeOf(element)).to.equal('a { 2 }');
    await press(element, 'ArrowDown');
    expect(activeOf(element)).to.equal('b 1');
    await press(element, 'ArrowLeft');
    expect(activeOf(element)).to.equal('a { 2 }');
    await press(element, 'ArrowLeft');
    expect(rowsOf(element)).to.not.include('b 1');
    await press(element, 'ArrowDown');
    expect(activeOf(element)).to.equal('d [ 1 ]');
    await press(element, 'ArrowUp', 'ArrowRight');
    expect(rowsOf(element)).to.include('b 1');
    await press(element, 'Enter');
    expect(rowsOf(element)).to.not.include('b 1');
  });

  it('moves the focus to the first new entry with the last “Show more”', async () => {
    const element = await showValue([...Array(150).keys()].map((number) => [number]));
    const more = (): HTMLElement => inside(element, '.more');
    const shown = rowsOf(element).length;
    more().focus();
    await press(element, 'Enter');
    expect(rowsOf(element).length).to.be.above(shown);
    expect(all(element, '.more')).to.have.length(0);
    expect(activeOf(element)).to.equal(rowsOf(element)[shown]);
  });

  it('says that what is nested too deeply cannot be copied', async () => {
    const element = await showJson('['.repeat(100_000) + ']'.repeat(100_000));
    all(element, '[part=path] button')[1]!.click();
    await element.updateComplete;
    expect(inside(element, '[role=status]').textContent).to.equal(
      'It is nested too deeply to be copied.',
    );
  });

  it('opens and closes with a click, and all at once', async () => {
    const element = await showValue({ a: { b: { c: 1 } } });
    all(element, 'summary')[1]!.click();
    await eventually(() => rowsOf(element).length === 2);
    const [collapse, expand] = all(element, '[part=path] button').toReversed();
    expand!.click();
    await eventually(() => rowsOf(element).length === 4);
    collapse!.click();
    await eventually(() => rowsOf(element).length === 2);
  });

  it('points to what is closed, and down to what is open, in both directions of text', async () => {
    const element = await showValue({ open: {}, list: [1] });
    const rotation = (): string => getComputedStyle(inside(element, '.toggle .icon')).rotate;
    const rotations = [];
    for (const dir of ['ltr', 'rtl']) {
      element.dir = dir;
      rotations.push(rotation());
      inside(element, 'summary').click();
      await element.updateComplete;
      rotations.push(rotation());
      inside(element, 'summary').click();
      await element.updateComplete;
    }
    expect(rotations).to.deep.equal(['90deg', 'none', '90deg', '180deg']);
  });

  it('names the path of the active row as a JSON Pointer', async () => {
    const element = await showValue({ 'a/b~c': [{ d: 1 }] });
    all(element, '.row').at(-1)!.focus();
    await element.updateComplete;
    expect(inside(element, '[part=path] code').textContent).to.equal('/a~1b~0c/0/d');
  });

  it('shows 100 entries, and more when asked', async () => {
    const element = await showValue(many(5_000));
    expect(rowsOf(element)).to.have.length(101);
    inside(element, '.more').click();
    await eventually(() => rowsOf(element).length === 201);
  });

  it('keeps open what was open, and its place, when it shows other contents', async () => {
    const element = await showValue({ a: { b: 1 }, c: { d: { e: 2 } }, f: many(200) });
    all(element, 'summary')[1]!.click();
    all(element, 'summary').at(-1)!.click();
    const scroller = inside(element, '.scroller');
    await eventually(() => scroller.scrollHeight > 2_500);
    scroller.scrollTop = 1_000;
    const others = { new: 0, a: { b: 1 }, c: { d: { e: 3 } }, f: many(200) };
    await update(element, textOf(JSON.stringify(others), JSON_TYPE));
    expect(rowsOf(element)).to.include('new 0');
    expect(scroller.scrollTop).to.be.closeTo(1_000, 60);
    expect(rowsOf(element)).to.include('a { 1 }').and.not.include('b 1');
    expect(rowsOf(element)).to.include('e 3');
  });

  it('shows what is not JSON as text, with the place', async () => {
    for (const [text, place] of [
      ['{\n  "a": 1,\n}', 'line 3, column 1'],
      ['{"a" 1}', 'line 1, column 6'],
      ['nul', 'line 1, column 4'],
      [`{\n"a":\n[tru,\n${'1,\n'.repeat(500)}1]}`, 'line 3, column 5'],
      ['[1, "\\"", 01]', 'line 1, column 12'],
      ['["line\nline"]', 'line 1, column 7'],
      ['["\\x"]', 'line 1, column 3'],
      ['{"a": {}, a: 1}', 'line 1, column 11'],
      ['[{"a": [-1.5e3, true]}, false, null]\n]', 'line 2, column 1'],
      ['[1}', 'line 1, column 3'],
    ] as const) {
      const view = await showInView(textOf(text, JSON_TYPE));
      const remark = await eventually(() => all(view, '.remark')[0]);
      expect(remark.textContent, text).to.contain(place);
      await eventually(() => inside(view, '[part=text]').textContent === text);
      await expect(view).to.be.accessible();
    }
  });

  it('says of another text where that stops being JSON, and shows a tree once it is JSON', async () => {
    const { view, change } = await showVersions([textOf('{"a" 1}', JSON_TYPE)]);
    await shows(view, 'line 1, column 6');
    change([textOf('{\n  "a" 1}', JSON_TYPE)]);
    await shows(view, 'line 2, column 7');
    change([textOf('{"a":1}', JSON_TYPE)]);
    await eventually(() => all(view, 'mcp-view-json').length === 1);
    expect(all(view, '.remark')).to.have.length(0);
  });

  it('shows what is too long for a tree, or cut, as text', async () => {
    for (const [text, isCut] of [
      [`[${' '.repeat(262_143)}]`, false],
      [`[${'1e999,'.repeat(22_000)}0]`, false],
      ['{"a":[1,{"b":"cu', true],
    ] as const) {
      const failure = await show(textOf(text, JSON_TYPE), isCut).catch((error: unknown) => error);
      expect(failure).to.be.instanceOf(Refusal);
      expect((failure as Refusal).message).to.contain('shown as text');
      expect((failure as Refusal).isText).to.equal(true);
    }
    const longest = await showJson(`[${' '.repeat(262_142)}]`);
    expect(rowsOf(longest)).to.deep.equal(['[ 0 ]']);
  });

  it('shows every key and every digit that is there', async () => {
    for (const text of ['{"a":1,"a":2}', '[{"x":{"b":1,"c":":","b":1}}]', '{"a":1,"\\u0061":2}']) {
      const view = await showInView(textOf(text, JSON_TYPE));
      const remark = await eventually(() => all(view, '.remark')[0]);
      expect(remark.textContent, text).to.contain('has a key twice');
      await eventually(() => inside(view, '[part=text]').textContent === text);
    }
    const element = await showJson(
      '{"a\\"b":"\\"c\\": 1","d":1.10,"e":[1e2,-0,100,2.50,3.0],"f":"h"}',
    );
    const numbers = rowsOf(element).join('|');
    // Firefox before 135 gives no sources.
    if ('rawJSON' in JSON)
      expect(numbers).to.contain('d 1.10').and.to.contain('0 1e2|1 -0|2 100|3 2.50|4 3.0');
    expect(rowsOf(element)[0]).to.equal('{ 4 }');
    const lines = await showJson('{"a":1,"a":2}\n{"a":1}', 'application/x-ndjson');
    expect(rowsOf(lines)).to.include('0 {"a":1,"a":2}').and.to.include('1 { 1 }');
  });

  it('has its buttons above the lines, where they are in sight', async () => {
    const element = await showJson('{"a":1}');
    const [bar, tree] = [inside(element, '[part=path]'), inside(element, '.scroller')];
    expect(bar.getBoundingClientRect().bottom).to.be.at.most(tree.getBoundingClientRect().top + 1);
  });

  it('shows JSON Lines, and lines that are not JSON as they are', async () => {
    const text = '\uFEFF{"a":1}\r\n\n[2,\n"b" c\n  3  ';
    const element = await showJson(text, 'application/x-ndjson');
    expect(rowsOf(element)).to.deep.equal(['[ 4 ]', '0 { 1 }', 'a 1', '1 [2,', '2 "b" c', '3 3']);
    await expect(element).to.be.accessible();
  });

  it('reads a handle with bytes that are not UTF-8', async () => {
    const element = await show(bytesOf(['["a', new Uint8Array([0xff]), '"]'], JSON_TYPE));
    expect(rowsOf(element)).to.deep.equal(['[ 1 ]', '0 "a\uFFFD"']);
  });

  for (const [name, [text, type = JSON_TYPE]] of casesOf(Object.entries(HOSTILE), 2)) {
    it(`never keeps the main thread longer than 100 ms: ${name}`, async () => {
      expect(await longestTaskOf(textOf(text, type))).to.be.below(100);
    });
  }
});
