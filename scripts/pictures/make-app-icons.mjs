// Draws the icons of the installed demo from demo/public/icon.svg into demo/public/icons/. Run it after
// changing the drawing: `node scripts/pictures/make-app-icons.mjs`. The same Chromium makes the same bytes;
// others may compress a row differently, so the result is committed.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { launchFlags, requireChromium } from '../browsers/chromium.mjs';
import { inRoot } from '../project/project.mjs';

const SIZES_PX = [192, 512];

/** A system cuts a maskable icon to a shape of its own: only what is in the middle is sure to be seen. */
const SAFE_PART = 0.8;

/** Of the drawing; it fills a maskable icon to its edges. */
const GROUND = '#4338ca';

const drawing = readFileSync(inRoot('demo/public/icon.svg'), 'utf8');
const address = `data:image/svg+xml;base64,${Buffer.from(drawing).toString('base64')}`;

/**
 * @param {import('playwright-core').Page} page
 * @param {number} sizePx
 * @param {{ isMaskable: boolean }} options
 */
async function draw(page, sizePx, { isMaskable }) {
  const side = `${isMaskable ? SAFE_PART * sizePx : sizePx}px`;
  await page.setViewportSize({ width: sizePx, height: sizePx });
  await page.setContent(
    `<body style="margin: 0; height: 100vh; display: grid; place-items: center;
      background: ${isMaskable ? GROUND : 'transparent'}">
      <img src="${address}" style="width: ${side}; height: ${side}" />`,
    { waitUntil: 'load' },
  );
  return await page.screenshot({ omitBackground: true });
}

const browser = await chromium.launch({
  executablePath: await requireChromium(),
  args: launchFlags,
});
const page = await browser.newPage();
mkdirSync(inRoot('demo/public/icons'), { recursive: true });
for (const sizePx of SIZES_PX) {
  for (const kind of ['icon', 'maskable']) {
    const png = await draw(page, sizePx, { isMaskable: kind === 'maskable' });
    writeFileSync(inRoot('demo/public/icons', `${kind}-${sizePx}.png`), png);
    console.log(`${kind}-${sizePx}.png ${png.length} bytes`);
  }
}
await browser.close();
