import { expect } from '@esm-bundle/chai';
// Internal: which drawings are made unasked is a matter of many cases.
import { isWithinBudget } from '../../packages/elements/src/show/mcp-resource-view/content/drawing-budget.js';

const svg = (inner: string): string => `<svg xmlns="http://www.w3.org/2000/svg">${inner}</svg>`;

describe('isWithinBudget', () => {
  it('holds for simple shapes', () => {
    const gradient = '<linearGradient id="a"><stop offset="0"/></linearGradient>';
    const quick = [
      svg('<title>A circle</title><g><circle r="9" fill="url(#a)"/></g>'),
      svg(`<defs>${gradient}</defs><path d="M0 0h9" fill="url(#a)"/>`),
      `\uFEFF<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE svg>\n<!-- drawn -->${svg('<rect/>')}`,
      svg('<rect/>'.repeat(999)),
      svg('<text>you &amp; me</text>'),
      svg('<rect style="fill:red;stroke-width:2"/>'),
    ];
    for (const source of quick) expect(isWithinBudget(source), source.slice(0, 200)).to.equal(true);
  });

  it('does not hold for what repeats, blurs or moves shapes, or hides that it does', () => {
    const slow = [
      svg('<use href="#a"/>'),
      svg('<filter id="a"/>'),
      svg('<rect style="FILTER: blur(99px)"/>'),
      svg('<rect style="&#102;ilter: blur(99px)"/>'),
      svg('<rect style="f\\69lter: blur(99px)"/>'),
      svg('<clipPath id="a"><rect/></clipPath>'),
      svg('<rect clip-path="url(#a)"/>'),
      svg('<rect stroke-dasharray="0.01"/>'),
      svg('<pattern id="a"/>'),
      svg('<mask id="a"/>'),
      svg('<animate/>'),
      svg('<style>rect { animation: a 1s infinite }</style>'),
      svg('<foreignObject/>'),
      svg('<image href="data:image/svg+xml,"/>'),
      '<s:svg xmlns:s="http://www.w3.org/2000/svg"><s:use/></s:svg>',
      `<!DOCTYPE svg [<!ENTITY a "<use/>">]>${svg('&a;')}`,
      svg('<![CDATA[<use/>]]>'),
      `<?xml-stylesheet href="a"?>${svg('')}`,
      `<?xml version="1.0" encoding="utf-16"?>${svg('')}`,
      `\uFFFD${svg('')}`,
      svg('<rect/>').replaceAll('', '\0'),
      'no drawing',
      '',
    ];
    for (const source of slow) expect(isWithinBudget(source), source).to.equal(false);
  });

  it('does not hold for what is large', () => {
    expect(isWithinBudget(svg('<rect/>'.repeat(1_000)))).to.equal(false);
    expect(isWithinBudget(svg(`<path d="${'M0 0'.repeat(10_000)}"/>`))).to.equal(false);
    expect(isWithinBudget(svg(`<text>${'aא'.repeat(2_000)}</text>`))).to.equal(false);
  });
});
