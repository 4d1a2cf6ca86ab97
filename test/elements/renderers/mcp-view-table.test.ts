import { expect } from '@open-wc/testing';
import type { RendererElement } from '../../../packages/elements/src/show/renderers/renderer.js';
import { eventually, inside } from '../../support/elements.js';
import {
  all,
  bytesOf,
  longestTaskOf,
  show,
  textOf,
  textsOf,
  update,
} from '../../support/renderers.js';
import { casesOf } from '../../support/test-size.js';

const showTable = async (text: string, type = 'text/csv'): Promise<RendererElement> =>
  await show(textOf(text, type));

/** The cells of all rows that are drawn, without the numbers of the rows. */
const cellsOf = (element: Element): string[][] =>
  all(element, '.row').map((row) =>
    [...row.querySelectorAll('[role=cell]')].map(({ textContent }) => textContent),
  );

const HOSTILE: Record<string, string> = {
  '40,000 rows': Array.from({ length: 40_000 }, (_, row) => `${row},"a ""b""",1.5`).join('\n'),
  'short rows': 'a,\n'.repeat(349_000),
  '10,000 columns': Array.from({ length: 50 }, () => '1,'.repeat(9_999)).join('\n'),
  'half a million columns': '1,'.repeat(524_000),
  'a quote that never ends': `a,b\n"${'x,y\n'.repeat(260_000)}`,
  'nothing but quotes': '"'.repeat(1_048_576),
  'quotes that end nowhere': '"\n'.repeat(524_000),
  'fields in two directions': `${`${'aא'.repeat(60)},`.repeat(50)}\n`.repeat(200),
};

describe('<mcp-view-table>', () => {
  it('shows the names of the columns and the rows', async () => {
    const element = await showTable('id,name\n1,Ada\n2,Grace\n');
    expect(textsOf(element, '[role=columnheader]')).to.deep.equal(['id', 'name']);
    expect(cellsOf(element)).to.deep.equal([
      ['1', 'Ada'],
      ['2', 'Grace'],
    ]);
    const table = inside(element, '[role=table]');
    expect(table.getAttribute('aria-rowcount')).to.equal('3');
    expect(table.getAttribute('aria-colcount')).to.equal('2');
    expect(all(element, '.row')[0]!.getAttribute('aria-rowindex')).to.equal('2');
    await expect(element).to.be.accessible();
    element.style.colorScheme = 'dark';
    await expect(element).to.be.accessible();
  });

  it('reads quotes, line breaks in them, and quotes that are none', async () => {
    const element = await showTable('a,b\r\n"1,2","3 ""4"""\r\n"x\ny",5" pipe\r\n"open,z\r\n');
    expect(cellsOf(element)).to.deep.equal([
      ['1,2', '3 "4"'],
      ['x\ny', '5" pipe'],
      ['open,z', ''],
    ]);
  });

  it('reads tabs', async () => {
    const element = await showTable('a\tb\nx, y\tz', 'text/tab-separated-values');
    expect(cellsOf(element)).to.deep.equal([['x, y', 'z']]);
  });

  const DIALECTS: [what: string, text: string, cells: string[][]][] = [
    ['semicolons, and decimal commas', 'a;b\n1,5;2,5\n', [['1,5', '2,5']]],
    [
      'semicolons and nothing but numbers',
      '1,5;2,5\n3,5;4\n',
      [
        ['1,5', '2,5'],
        ['3,5', '4'],
      ],
    ],
    [
      'bars',
      'a|b\nx, y|z; w\nx, y|z; w',
      [
        ['x, y', 'z; w'],
        ['x, y', 'z; w'],
      ],
    ],
    ['tabs', 'a\tb\nx, y\tz', [['x, y', 'z']]],
    [
      'commas, and semicolons in each row',
      'a,b,c\n1,2,x;y\n1,2,x;y',
      [
        ['1', '2', 'x;y'],
        ['1', '2', 'x;y'],
      ],
    ],
    ['quotes around the separator of others', 'a;b\n"x;y,z";"1,2"\n', [['x;y,z', '1,2']]],
    ['a line that names the separator', 'sep=|\r\na,b|c\r\nx|y\r\n', [['x', 'y']]],
    ['such a line with a BOM and quotes', '\uFEFF"sep=;"\na;b,c\nx;y,z\n', [['x', 'y,z']]],
    [
      'the line ends of a Macintosh',
      'a,b\rx,y\r"1\r2",z\r',
      [
        ['x', 'y'],
        ['1\n2', 'z'],
      ],
    ],
    [
      'a title before the rows',
      'Sales, all\n\na;b\nx;y\n',
      [
        ['a', 'b'],
        ['x', 'y'],
      ],
    ],
  ];
  for (const [what, text, cells] of DIALECTS) {
    it(`finds ${what}`, async () => {
      expect(cellsOf(await showTable(text))).to.deep.equal(cells);
    });
  }

  it('shows rows of any length', async () => {
    const element = await showTable('a,b\nonly\n\nx,y,z\n');
    expect(cellsOf(element)).to.deep.equal([
      ['only', '', ''],
      ['x', 'y', 'z'],
    ]);
    expect(textsOf(element, '[role=columnheader]')).to.deep.equal(['a', 'b', '']);
  });

  it('takes a first row with numbers for a row', async () => {
    const element = await showTable('1,2\n3,4');
    expect(all(element, '[role=columnheader]')).to.have.length(0);
    expect(cellsOf(element)).to.have.length(2);
  });

  it('aligns numbers at their end', async () => {
    const element = await showTable('text,number\na,1.5\nb,-20\nc,"1,000"\nd,12 %');
    const [text, number] = all(element, '.row')[0]!.querySelectorAll('.cell');
    expect(getComputedStyle(text!).textAlign).to.equal('start');
    expect(getComputedStyle(number!).textAlign).to.equal('end');
  });

  it('draws only the rows in sight of 60,000, below a header that stays', async () => {
    const rows = Array.from({ length: 60_000 }, (_, row) => `row ${row},x`).join('\n');
    const element = await showTable(`name,x\n${rows}`);
    const scroller = inside(element, '.scroller');
    await eventually(() => scroller.scrollHeight > 600_000);
    expect(all(element, '.row').length).to.be.below(150);
    scroller.scrollTop = 1e9;
    await eventually(() => cellsOf(element).at(-1)?.[0] === 'row 59999');
    const header = inside(element, '.names').getBoundingClientRect();
    expect(Math.abs(header.top - scroller.getBoundingClientRect().top)).to.be.below(2);
  });

  it('shows 50 columns, and says of more that they are not shown', async () => {
    const names = (count: number): string =>
      Array.from({ length: count }, (_, column) => `c${column}`).join(',');
    const whole = await showTable(`${names(50)}\n${names(50)}\n`);
    expect(whole.shadowRoot!.querySelector('[part=partial]')).to.equal(null);
    const element = await showTable(`${names(51)}\n${names(51)}\n`);
    expect(inside(element, '[part=partial]').textContent).to.contain('first part');
    expect(textsOf(element, '[role=columnheader]').at(-1)).to.equal('c49');
    expect(all(element, '[role=columnheader]')).to.have.length(50);
    await expect(element).to.be.accessible();
  });

  it('keeps its place when it shows other contents', async () => {
    const text = (value: string): string =>
      Array.from({ length: 500 }, () => `${value},`.repeat(40)).join('\n');
    const element = await showTable(text('a'));
    // So that it scrolls sideways in every browser.
    element.style.inlineSize = '300px';
    const scroller = inside(element, '.scroller');
    await eventually(() => scroller.scrollHeight > 5_000);
    scroller.scrollTop = 3_000;
    scroller.scrollLeft = 50;
    await update(element, textOf(text('b'), 'text/csv'));
    expect(cellsOf(element)[0]?.[0]).to.equal('b');
    expect([scroller.scrollTop, scroller.scrollLeft]).to.deep.equal([3_000, 50]);
  });

  it('shows an empty text, and one that is not UTF-8', async () => {
    const empty = await showTable('');
    expect(empty.shadowRoot!.textContent).to.contain('no rows');
    await expect(empty).to.be.accessible();
    const broken = await show(bytesOf(['a,b\n', new Uint8Array([0xff]), ',c'], 'text/csv'));
    expect(cellsOf(broken)).to.deep.equal([['\uFFFD', 'c']]);
  });

  for (const [name, text] of casesOf(Object.entries(HOSTILE), 2)) {
    it(`never keeps the main thread longer than 100 ms: ${name}`, async () => {
      expect(await longestTaskOf(textOf(text, 'text/csv'))).to.be.below(100);
    });
  }
});
