// Makes the pictures of the README from the built demo: docs/demo.jpg, and small for the docs, which is the page with a note
// open, and docs/demo-moment.webp, in which an assistant is let in, asked, agreed to, and its access
// ended. Run it after a change of how the demo looks:
// `npm run build && node scripts/pictures/make-demo-pictures.mjs`. It needs `img2webp`, `cwebp` and `fc-list`, of
// Debian’s packages `webp` and `fontconfig`, and one of the fonts below, such as that of `fonts-inter`.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { card, chat, consent } from '../../test/e2e/assistant-page.mjs';
import { launchFlags, requireChromium } from '../browsers/chromium.mjs';
import { inRoot } from '../project/project.mjs';
import { serveFolder } from '../serving/static-server.mjs';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('playwright-core').Locator} Locator */

/** The size of the page: small enough that its text in the README is as large as the text around it. */
const SIZE = { width: 1120, height: 800 };

/** The pixel ratio of a good screen. */
const PIXEL_RATIO = 2;

/** Fonts like those of the systems of today; the first installed one is used. */
const FONTS = ['Inter', 'Noto Sans', 'Open Sans', 'Roboto'];

/**
 * The times for which the pointer is shown on a button before it is pressed, a question is shown, and an
 * answer is shown. The assistant quotes a note within the first five seconds, because few people watch
 * longer.
 */
const POINTING_MS = 600;
const SHOWN_MS = 1_200;
const READING_MS = 3_600;

/** The quality of the pictures in the animation, from 0 to 100: text stays sharp. */
const QUALITY = '60';

/** Takes the pictures of an animation. */
class Film {
  #page;
  #folder = mkdtempSync(join(tmpdir(), 'inpage-mcp-film-'));
  /** The arguments of img2webp for each picture. @type {string[]} */
  #frames = [];

  /** @param {Page} page */
  constructor(page) {
    this.#page = page;
  }

  /** @param {number} durationMs */
  async show(durationMs) {
    const file = join(this.#folder, `${this.#frames.length}.png`);
    writeFileSync(file, await this.#page.screenshot({ animations: 'disabled', caret: 'hide' }));
    this.#frames.push('-d', `${durationMs}`, file);
  }

  /** Shows a pointer on a button, and presses it. @param {Locator} button */
  async press(button) {
    await button.scrollIntoViewIfNeeded();
    const box = await button.boundingBox();
    if (!box) throw new Error('The button is not in sight.');
    const point = { x: box.x + box.width * 0.6, y: box.y + box.height * 0.6 };
    await this.#page.evaluate(drawPointer, point);
    await this.show(POINTING_MS);
    await this.#page.evaluate(() => document.querySelector('#pointer')?.remove());
    await button.click();
  }

  /** @param {string} file */
  develop(file) {
    const options = ['-loop', '0', '-lossy', '-q', QUALITY, '-m', '6'];
    execFileSync('img2webp', [...options, ...this.#frames, '-o', file], { stdio: 'inherit' });
    rmSync(this.#folder, { recursive: true });
  }
}

/** The first of the fonts that is installed on this computer. */
function findFont() {
  const installed = execFileSync('fc-list', [':', 'family'], { encoding: 'utf8' }).split(/[\n,]/);
  const font = FONTS.find((one) => installed.includes(one));
  if (!font)
    throw new Error(`None of ${FONTS.join(', ')} is installed: try “apt install fonts-inter”.`);
  return font;
}

/** Runs in the page and in each of its frames, before their scripts. @param {string} font */
function setFont(font) {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`:root, body, body > * { --mcp-font: '${font}', sans-serif !important }`);
  document.adoptedStyleSheets.push(sheet);
}

/** Draws the pointer, also above an open dialog. Runs in the page. @param {{ x: number, y: number }} point */
function drawPointer({ x, y }) {
  const pointer = document.createElement('div');
  pointer.id = 'pointer';
  pointer.popover = 'manual';
  Object.assign(pointer.style, {
    position: 'fixed',
    inset: `${y - 3}px auto auto ${x - 3}px`,
    inlineSize: '26px',
    blockSize: '30px',
    padding: '0',
    border: '0',
    overflow: 'hidden',
    background: 'none',
  });
  const namespace = 'http://www.w3.org/2000/svg';
  const drawing = document.createElementNS(namespace, 'svg');
  const arrow = document.createElementNS(namespace, 'path');
  arrow.setAttribute('d', 'M3 3v21l6-5 4 8 4-2-4-8h8z');
  Object.assign(arrow.style, { fill: '#111', stroke: '#fff', strokeWidth: '2' });
  drawing.append(arrow);
  pointer.append(drawing);
  document.body.append(pointer);
  pointer.showPopover();
}

/**
 * Waits until the question accepts a yes, which it does only after a moment.
 * @param {Page} page
 * @param {string} answer
 */
async function answerTo(page, answer) {
  await page.locator('mcp-consent button:not([aria-disabled=true])', { hasText: answer }).waitFor();
  return consent(page).getByRole('button', { name: answer, exact: true });
}

/** @param {Page} page @param {Film} film */
async function playTheMoment(page, film) {
  await film.show(SHOWN_MS);
  await film.press(card(page).getByRole('button', { name: 'Let an assistant in' }));
  const letIn = await answerTo(page, 'Let it in');
  await film.show(SHOWN_MS);
  await film.press(letIn);
  await chat(page).getByText('It can see 3').waitFor();
  await film.press(chat(page).getByRole('button', { name: 'What is on the shopping list?' }));
  await chat(page).getByRole('figure').getByText('oat milk').waitFor();
  await film.show(READING_MS);
  await film.press(chat(page).getByRole('button', { name: 'Add bananas' }));
  const yes = await answerTo(page, 'Add it');
  await film.show(READING_MS);
  await film.press(yes);
  await chat(page).getByText('Added to “Shopping list”.').waitFor();
  await page.locator('mcp-resource-view').getByText('bananas').first().waitFor();
  await film.show(READING_MS);
  await film.press(card(page).getByRole('button', { name: 'End access' }));
  await chat(page).getByText('It can see nothing.').waitFor();
  await film.show(READING_MS);
}

const server = await serveFolder(inRoot('demo/dist'));
const browser = await chromium.launch({
  executablePath: await requireChromium(),
  args: launchFlags,
});
const page = await browser.newPage({
  viewport: SIZE,
  deviceScaleFactor: PIXEL_RATIO,
  colorScheme: 'light',
  locale: 'en-US',
});
await page.addInitScript(setFont, findFont());
await page.goto(server.url);
await page.locator('.pill.connected').waitFor();
await page.locator('mcp-resource-list').getByText('Shopping list').waitFor();
await page.getByRole('option', { name: 'Welcome' }).click();
await page.locator('mcp-resource-view').getByText('This note lives in').waitFor();
const file = inRoot('docs/demo.jpg');
await page.screenshot({ path: file, type: 'jpeg', quality: 82, animations: 'disabled' });
// These are for the home page of the docs, which phones load, too.
const small = [
  '-quiet',
  '-resize',
  '1120',
  '800',
  '-q',
  '80',
  file,
  '-o',
  inRoot('docs/demo-small.webp'),
];
execFileSync('cwebp', small, { stdio: 'inherit' });
await page.getByRole('option', { name: 'Shopping list' }).click();
await page.locator('mcp-resource-view').getByText('oat milk').waitFor();
const film = new Film(page);
await playTheMoment(page, film);
film.develop(inRoot('docs/demo-moment.webp'));
await browser.close();
await server.close();
