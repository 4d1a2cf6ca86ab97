import { expect } from '@open-wc/testing';
import type { RendererElement } from '../../../packages/elements/src/show/renderers/renderer.js';
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

const JSON_TYPE = 'application/json';
const showJson = async (text: string, type = JSON_TYPE): Promise<RendererElement> =>
  await show(textOf(text, type));
const showValue = async (value: unknown): Promise<RendererElement> =>
  await showJson(JSON.stringify(value));

/** The rows as they read. */
const rowsOf = (element: Element): string[] =>
  textsOf(element, '[role=treeitem]').map((row) => row.replace(/\s+/g, ' '));
const treeOf = (element: Element): HTMLElement => inside(element, '[role=tree]');
const activeOf = (element: Element): string =>
  inside(element, '[aria-selected=true]').textContent.trim().replace(/\s+/g, ' ');

/** Presses keys in the tree, and waits for what they do. */
async function press(element: RendererElement, ...keys: string[]): Promise<void> {
  for (const key of keys) {
    const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true });
    treeOf(element).dispatchEvent(event);
    expect(event.defaultPrevented, key).to.equal(true);
    await element.updateComplete;
  }
}

const many = (length: number): object[] =>
  Array.from({ length }, (_, id) => ({ id, name: `name ${id}` }));

const HOSTILE: Record<string, [text: string, type?: string]> = {
  '100,000 entries': [JSON.stringify(many(100_000))],
  'a million arrays in arrays': ['['.repeat(1_000_000) + ']'.repeat(1_000_000)],
  'a hundred thousand objects in objects': ['{"a":'.repeat(100_000)],
  'a string of 16 MB': [`"${'a'.repeat(16_000_000)}"`],
  'a number of 16 MB': ['1'.repeat(16_000_000)],
  'eight million entries': [`[${'0,'.repeat(8_000_000)}0]`],
  'strings in two directions': [
    JSON.stringify(Array.from({ length: 200 }, () => 'aא'.repeat(2_000))),
  ],
  'an error at the end': [`[${'0,\n'.repeat(300_000)}x]`],
  'lines of JSON': ['{"a":[1,2,{"b":null}]}\n'.repeat(100_000), 'application/jsonl'],
  'lines that are not JSON': ['{"a":[1,2\n'.repeat(100_000), 'application/jsonl'],
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

  it('describes the rows to assistive tools', async () => {
    const element = await showValue({ a: 1, b: [2] });
    const [root, first, second, inner] = all(element, '[role=treeitem]');
    expect(root!.getAttribute('aria-expanded')).to.equal('true');
    expect(first!.hasAttribute('aria-expanded')).to.equal(false);
    const placeOf = (row: HTMLElement | undefined): (string | null)[] =>
      ['level', 'posinset', 'setsize'].map((name) => row!.getAttribute(`aria-${name}`));
    expect(placeOf(second)).to.deep.equal(['2', '2', '2']);
    expect(placeOf(inner)).to.deep.equal(['3', '1', '1']);
    expect(treeOf(element).getAttribute('aria-activedescendant')).to.equal(root!.id);
  });

  it('keeps all digits, the order of keys, and keys that mean something to JavaScript', async () => {
    const element = await showJson(
      '{"b":1,"10":12345678901234567890,"2":1e999,"__proto__":{"toString":1},"constructor":"${x}","a":-0,"a":0}',
    );
    expect(rowsOf(element)).to.deep.equal([
      '{ 7 }',
      'b 1',
      '10 12345678901234567890',
      '2 1e999',
      '__proto__ { 1 }',
      'toString 1',
      'constructor "${x}"',
      'a -0',
      'a 0',
    ]);
  });

  it('does what the ARIA pattern says of keys', async () => {
    const element = await showValue({ a: { b: 1, c: 2 }, d: [3], e: 4 });
    await press(element, 'ArrowDown');
    expect(activeOf(element)).to.equal('a { 2 }');
    await press(element, 'ArrowRight');
    expect(activeOf(element)).to.equal('b 1');
    await press(element, 'ArrowLeft', 'ArrowLeft');
    expect(activeOf(element)).to.equal('a { 2 }');
    expect(rowsOf(element)).to.not.include('b 1');
    await press(element, 'Enter');
    expect(rowsOf(element)).to.include('b 1');
    await press(element, ' ', 'End');
    expect(activeOf(element)).to.equal('e 4');
    await press(element, 'ArrowUp', 'ArrowUp');
    expect(activeOf(element)).to.equal('d [ 1 ]');
    await press(element, 'Home', 'ArrowLeft');
    expect(rowsOf(element)).to.deep.equal(['{ 3 }']);
    await press(element, 'ArrowRight', 'ArrowRight', '*');
    expect(rowsOf(element)).to.include('b 1');
    const other = new KeyboardEvent('keydown', { key: 'x', cancelable: true });
    treeOf(element).dispatchEvent(other);
    expect(other.defaultPrevented).to.equal(false);
  });

  it('opens and closes with a click, and all at once', async () => {
    const element = await showValue({ a: { b: { c: 1 } } });
    all(element, '[role=treeitem]')[1]!.click();
    await element.updateComplete;
    expect(rowsOf(element)).to.have.length(2);
    const [, , expand, collapse] = all(element, '[part=path] button');
    (expand ?? all(element, '[part=path] button')[0])!.click();
    await element.updateComplete;
    expect(rowsOf(element)).to.have.length(4);
    collapse?.click();
    await element.updateComplete;
    expect(rowsOf(element)).to.have.length(2);
  });

  it('names the path of the active row as a JSON Pointer', async () => {
    const element = await showValue({ 'a/b~c': [{ d: 1 }] });
    await press(element, 'End');
    expect(inside(element, '[part=path] code').textContent).to.equal('/a~1b~0c/0/d');
  });

  it('draws only the rows in sight of 100,000', async () => {
    const element = await showValue(many(100_000));
    await eventually(() => treeOf(element).scrollHeight > 1_000_000);
    expect(all(element, '[role=treeitem]').length).to.be.below(150);
    await press(element, 'End');
    await shows(element, '99,999');
    await eventually(() => activeOf(element) === '99,999 { 2 }');
  });

  it('takes any depth', async () => {
    const element = await showJson('['.repeat(10_000) + ']'.repeat(10_000));
    all(element, '[part=path] button').at(-2)!.click();
    await press(element, 'End');
    const last = await eventually(() => element.shadowRoot!.querySelector('[aria-level="10000"]'));
    expect(last.textContent.trim()).to.match(/\[ 0 \]$/);
  });

  it('keeps open what was open, and its place, when it shows other contents', async () => {
    const element = await showValue({ a: { b: 1 }, c: { d: { e: 2 } }, f: many(200) });
    await press(element, 'ArrowDown', 'ArrowLeft', 'End', 'ArrowRight');
    const scroller = treeOf(element);
    await eventually(() => scroller.scrollHeight > 3_000);
    scroller.scrollTop = 1_000;
    element.contents = textOf(
      JSON.stringify({ new: 0, a: { b: 1 }, c: { d: { e: 3 } }, f: many(200) }),
      JSON_TYPE,
    );
    await eventually(() => all(element, '[role=treeitem]').length > 0 && scroller.scrollTop > 0);
    expect(scroller.scrollTop).to.equal(1_000);
    scroller.scrollTop = 0;
    await eventually(() => rowsOf(element).includes('new 0'));
    expect(rowsOf(element)).to.include('a { 1 }').and.not.include('b 1');
    expect(rowsOf(element)).to.include('e 3');
  });

  it('shows what is not JSON as text, with the place', async () => {
    for (const [text, place] of [
      ['{\n  "a": 1,\n}', 'line 3, column 1'],
      ['', 'line 1, column 1'],
      ['[1 2]', 'line 1, column 4'],
      ['"a\nb"', 'line 1, column 3'],
      ['{"a" 1}', 'line 1, column 6'],
      ['[01]', 'line 1, column 3'],
      ['"\\x"', 'line 1, column 2'],
      ['nul', 'line 1, column 4'],
      ['1 1', 'line 1, column 3'],
      ["{'a': 1}", 'line 1, column 2'],
    ] as const) {
      const element = await showJson(text);
      expect(inside(element, '[role=status]').textContent, text).to.contain(place);
      const code = await eventually(() => element.shadowRoot!.querySelector('mcp-view-code'));
      const [first = ''] = text.split('\n');
      await eventually(() => code.shadowRoot?.textContent.includes(first));
    }
  });

  it('shows the first part of cut JSON as a tree', async () => {
    const element = await show(textOf('{"a":[1,{"b":"cu', JSON_TYPE), true);
    expect(inside(element, '[part=partial]').textContent).to.contain('first part');
    expect(rowsOf(element).slice(0, 3)).to.deep.equal(['{ 1 }', 'a [ 2 ]', '0 1']);
  });

  it('has its buttons above the lines, where they are in sight', async () => {
    const element = await showJson('{"a":1}');
    const [bar, tree] = [inside(element, '[part=path]'), inside(element, '[role=tree]')];
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

  for (const [name, [text, type = JSON_TYPE]] of Object.entries(HOSTILE)) {
    it(`never keeps the main thread longer than 100 ms: ${name}`, async () => {
      expect(await longestTaskOf(textOf(text, type))).to.be.below(100);
    });
  }
});
