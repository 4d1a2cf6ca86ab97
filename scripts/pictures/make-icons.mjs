// Draws the icons of the MCP server into packages/server/src/resources/icons.ts, and those of the installed
// demo, from demo/public/icon.svg, into demo/public/icons/. Run it after changing a shape or the drawing:
// `node scripts/pictures/make-icons.mjs`. The same Chromium makes the same bytes; others may smooth an edge
// or compress a row differently, so the result is committed.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { init } from '@jsquash/oxipng/optimise.js';
import { chromium } from 'playwright-core';
import { format, resolveConfig } from 'prettier';
import { launchFlags, requireChromium } from '../browsers/chromium.mjs';
import { inRoot } from '../project/project.mjs';
import { inNodeModules } from '../project/run.mjs';

/** The size of the drawing in pixels, and of its sides in the units of the shapes. */
const SIZE_PX = 32;
const SIZE_UNITS = 24;

/** The width of a stroke, as in Lucide. */
const STROKE_UNITS = 2;

/** The colour: a mid-tone with a contrast of over 4 : 1 on white and on near-black. */
const COLOUR = [0x63, 0x66, 0xf1];

/** The maximum level of opacity: two bits for a pixel are four opacities: 0, ⅓, ⅔ and 1. */
const MAX_LEVEL = 3;

/** The sizes of the icons of the installed demo, in pixels. */
const APP_SIZES_PX = [192, 512];

/** The part of a maskable icon that is surely visible: a system cuts such an icon to its own shape. */
const SAFE_PART = 0.8;

/** The ground of the drawing of the demo; it fills a maskable icon to its edges. */
const GROUND = '#4338ca';

/**
 * A rounded rectangle, as path data.
 * @param {number} x
 * @param {number} y
 * @param {number} width
 * @param {number} height
 */
function box(x, y, width, height) {
  const [across, down] = [width - 3, height - 3];
  return (
    `M${x + 1.5} ${y}h${across}a1.5 1.5 0 0 1 1.5 1.5v${down}a1.5 1.5 0 0 1-1.5 1.5` +
    `h${-across}a1.5 1.5 0 0 1-1.5-1.5v${-down}a1.5 1.5 0 0 1 1.5-1.5z`
  );
}

/**
 * A circle, as path data.
 * @param {number} x of its centre
 * @param {number} y of its centre
 * @param {number} radius
 */
const circle = (x, y, radius) =>
  `M${x - radius} ${y}a${radius} ${radius} 0 1 0 ${2 * radius} 0a${radius} ${radius} 0 1 0 ${-2 * radius} 0z`;

const sheet =
  'M14.25 2.25H6a1.5 1.5 0 0 0-1.5 1.5v16.5A1.5 1.5 0 0 0 6 21.75h12a1.5 1.5 0 0 0 1.5-1.5V7.5z' +
  'M14.25 2.25V7.5h5.25';

const folder =
  'M3.75 4.5H9l2.25 3h9a1.5 1.5 0 0 1 1.5 1.5v9.75a1.5 1.5 0 0 1-1.5 1.5H3.75a1.5 1.5 0 0 1-1.5-1.5V6' +
  'a1.5 1.5 0 0 1 1.5-1.5z';

/**
 * Strokes in the look of Lucide (ISC licence, lucide.dev). Straight lines lie on multiples of 0.75,
 * which are whole pixels: their edges stay even, and the rows compress well.
 */
const shapes = {
  server: box(3, 2.25, 18, 7.5) + box(3, 14.25, 18, 7.5) + 'M7.125 6h.01M7.125 18h.01',
  note:
    box(5.25, 2.25, 15, 19.5) + 'M3 6.75h4.5M3 12h4.5M3 17.25h4.5M11.25 8.25h4.5M11.25 12.75h4.5',
  file: sheet,
  folder,
  search: circle(10.5, 10.5, 7.5) + 'M21 21l-5.25-5.25',
  create: sheet + 'M12 11.25v6M9 14.25h6',
  edit:
    'M11.25 3.75h-6a1.5 1.5 0 0 0-1.5 1.5v13.5a1.5 1.5 0 0 0 1.5 1.5h13.5a1.5 1.5 0 0 0 1.5-1.5v-6' +
    'M18 2.25L21.75 6l-9 9H9v-3.75z',
  append: 'M3 5.25h18M3 11.25h9.75M3 17.25h6M17.25 13.5V21M13.5 17.25H21',
  delete:
    'M3 6h18M8.25 6V3.75a1.5 1.5 0 0 1 1.5-1.5h4.5a1.5 1.5 0 0 1 1.5 1.5V6' +
    'M5.25 6v14.25a1.5 1.5 0 0 0 1.5 1.5h10.5a1.5 1.5 0 0 0 1.5-1.5V6M9.75 10.5v6.75M14.25 10.5v6.75',
  save:
    'M4.5 3h11.25L21 8.25V19.5a1.5 1.5 0 0 1-1.5 1.5h-15A1.5 1.5 0 0 1 3 19.5v-15A1.5 1.5 0 0 1 4.5 3z' +
    'M7.5 3v4.5h6.75M7.5 21v-7.5h9V21',
  move: folder + 'M7.5 13.5h9M13.5 10.5l3 3-3 3',
  list: 'M3 5.25h.75M3 12h.75M3 18.75h.75M9 5.25h12M9 12h12M9 18.75h12',
  read:
    'M12 6.75A4.5 4.5 0 0 0 8.25 4.5h-6V18h6A4.5 4.5 0 0 1 12 20.25 4.5 4.5 0 0 1 15.75 18h6V4.5h-6' +
    'A4.5 4.5 0 0 0 12 6.75v13.5',
  summarize:
    'M16.5 2.25c.6 3.6 1.65 4.65 5.25 5.25-3.6.6-4.65 1.65-5.25 5.25-.6-3.6-1.65-4.65-5.25-5.25' +
    ' 3.6-.6 4.65-1.65 5.25-5.25zM3 5.25h4.5M3 12h7.5M3 18.75h12',
  answer:
    'M4.5 3h15A1.5 1.5 0 0 1 21 4.5v11.25a1.5 1.5 0 0 1-1.5 1.5h-12L3 21.75V4.5A1.5 1.5 0 0 1 4.5 3z' +
    'M9.75 8.25a2.25 2.25 0 0 1 4.5 0c0 1.5-2.25 1.5-2.25 3M12 13.8h.01',
  compare:
    'M12 2.25v19.5M8.25 21.75h7.5M4.5 5.25h15M4.5 5.25l-3 6.75a3.2 3.2 0 0 0 6 0z' +
    'M19.5 5.25l-3 6.75a3.2 3.2 0 0 0 6 0z',
  describe:
    box(3, 2.25, 18, 11.25) +
    circle(8.25, 6.75, 0.75) +
    'M21 9.75l-2.25-2.25-6 6M3 17.25h18M3 21.75h10.5',
};

/**
 * The opacity of each pixel, row by row, from 0 to 255.
 * @param {import('playwright-core').Page} page
 * @param {string} path
 */
const rasterise = (page, path) =>
  page.evaluate(([pathData, sizePx, sizeUnits, strokeUnits]) => {
    // With this option, the canvas is drawn on the processor, so that the result does not depend on the
    // graphics card.
    const options = { willReadFrequently: true };
    const context = new OffscreenCanvas(sizePx, sizePx).getContext('2d', options);
    if (!context) throw new Error('This Chromium has no 2D canvas.');
    context.scale(sizePx / sizeUnits, sizePx / sizeUnits);
    context.lineWidth = strokeUnits;
    context.lineCap = 'round';
    context.lineJoin = 'round';
    context.stroke(new Path2D(pathData));
    const { data } = context.getImageData(0, 0, sizePx, sizePx);
    return Array.from(data).filter((_, index) => index % 4 === 3);
  }, /** @type {const} */ ([path, SIZE_PX, SIZE_UNITS, STROKE_UNITS]));

// Node cannot load the codec from its own address.
const codec = inNodeModules('@jsquash/oxipng/codec/pkg/squoosh_oxipng_bg.wasm');
const { optimise_raw: compress } = await init(readFileSync(codec));

/**
 * The smallest PNG of one colour in these opacities.
 * @param {number[]} opacities
 */
function encodePng(opacities) {
  const pixels = opacities.flatMap((opacity) => {
    const level = Math.round((opacity / 255) * MAX_LEVEL);
    return [...COLOUR, (level * 255) / MAX_LEVEL];
  });
  return Buffer.from(compress(Uint8ClampedArray.from(pixels), SIZE_PX, SIZE_PX, 6, false, false));
}

/** @param {Record<string, Buffer>} pngs */
function sourceCode(pngs) {
  const entries = Object.entries(pngs).map(
    ([name, png]) => `${name}: png('${png.toString('base64')}'),`,
  );
  return `// Generated by scripts/pictures/make-icons.mjs. Change the shapes there and run it again.
import type { Icon } from '@inpage-mcp/protocol';

const png = (base64: string): Icon[] => [
  { src: \`data:image/png;base64,\${base64}\`, mimeType: 'image/png', sizes: ['${SIZE_PX}x${SIZE_PX}'] },
];

/**
 * Icons by what they stand for, each as the \`icons\` of a server, tool, prompt, resource or template
 * (MCP 2025-11-25, Icon): one square PNG of ${SIZE_PX} × ${SIZE_PX} pixels, a line drawing on a transparent ground in
 * one colour that is legible on light and on dark. PNG, because every client that shows icons must
 * know it; data URIs, because a server inside a page has no address to load them from.
 */
export const ICONS = { ${entries.join('\n')} };
`;
}

/** @param {import('playwright-core').Page} page */
async function drawServerIcons(page) {
  /** @type {Record<string, Buffer>} */
  const pngs = {};
  for (const [name, path] of Object.entries(shapes)) {
    const png = encodePng(await rasterise(page, path));
    console.log(`${name.padEnd(10)} ${png.length} bytes`);
    pngs[name] = png;
  }
  const target = inRoot('packages', 'server', 'src', 'resources', 'icons.ts');
  const options = await resolveConfig(target);
  writeFileSync(target, await format(sourceCode(pngs), { ...options, filepath: target }));
}

/**
 * @param {import('playwright-core').Page} page
 * @param {number} sizePx
 * @param {{ isMaskable: boolean }} options
 */
async function drawAppIcon(page, sizePx, { isMaskable }) {
  const drawing = readFileSync(inRoot('demo/public/icon.svg')).toString('base64');
  const side = `${isMaskable ? SAFE_PART * sizePx : sizePx}px`;
  await page.setViewportSize({ width: sizePx, height: sizePx });
  await page.setContent(
    `<body style="margin: 0; height: 100vh; display: grid; place-items: center;
      background: ${isMaskable ? GROUND : 'transparent'}">
      <img src="data:image/svg+xml;base64,${drawing}" style="width: ${side}; height: ${side}" />`,
    { waitUntil: 'load' },
  );
  return await page.screenshot({ omitBackground: true });
}

/** @param {import('playwright-core').Page} page */
async function drawAppIcons(page) {
  mkdirSync(inRoot('demo/public/icons'), { recursive: true });
  for (const sizePx of APP_SIZES_PX) {
    for (const kind of ['icon', 'maskable']) {
      const png = await drawAppIcon(page, sizePx, { isMaskable: kind === 'maskable' });
      writeFileSync(inRoot('demo/public/icons', `${kind}-${sizePx}.png`), png);
      console.log(`${kind}-${sizePx}.png ${png.length} bytes`);
    }
  }
}

const browser = await chromium.launch({
  executablePath: await requireChromium(),
  args: launchFlags,
});
const page = await browser.newPage();
await drawServerIcons(page);
await drawAppIcons(page);
await browser.close();
