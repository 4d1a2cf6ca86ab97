// The main story of the built demo, in browsers that are driven by a script in the page alone.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { browserFor } from '../../support/browsers/backends.mjs';
import { requireEnv } from '../../support/browsers/killable-browser.mjs';
import { DemoTab } from './demo-tab.mjs';

/** @typedef {import('../../support/browsers/killable-browser.mjs').Backend} Backend */

const name = /** @type {Backend} */ (requireEnv('E2E_BROWSER'));
const home = new URL(requireEnv('E2E_URL'));

const TITLE = '[aria-label="Title"]';
const TEXT = '[aria-label="Text, in Markdown"]';
const SEARCH = 'input[type="search"]';

/** @param {string} text */
const row = (text) => ({ selector: '[role="option"]', text });

/** @param {string} text */
const button = (text) => ({ selector: 'button', text });

/** @param {string} text */
const view = (text) => ({ selector: 'mcp-resource-view', text });

// A selector reaches into no shadow root.
const saved = { selector: '[part="state"]', text: 'Saved' };
const search = row('Seen elsewhere');

void test(`notes and files are written, found, followed and kept, in ${name}`, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'inpage-mcp-story-'));
  const browser = browserFor(name, { home, folder });
  try {
    await browser.start();
    const first = new DemoTab(await browser.openTab());
    await first.sees(row('Welcome'));

    await first.clicks(button('New note'));
    await first.writes(TITLE, 'A story');
    await first.writes(TEXT, 'Once upon a time');
    await first.sees(saved);
    await first.sees(row('A story'));

    const second = new DemoTab(await browser.openTab());
    await second.clicks(row('A story'));
    await second.sees(view('Once upon a time'));
    await first.writes(TEXT, 'Seen elsewhere, as it is written');
    await second.sees(view('Seen elsewhere, as it is written'));

    await first.adds('words.txt');
    await second.clicks(row('words.txt'));
    await second.sees(view('The words of words.txt.'));
    await second.clicks({ selector: 'button[aria-label="Delete"]' });
    await second.seesNo(row('words.txt'));
    await first.adds('kept.txt');

    await second.writes(SEARCH, 'elsewhere');
    await second.clicks(search);
    await second.sees(view('Seen elsewhere'));

    await browser.close();
    await browser.start();
    const again = new DemoTab(await browser.openTab());
    await again.clicks(row('A story'));
    await again.sees(view('Seen elsewhere, as it is written'));
    await again.clicks(row('kept.txt'));
    await again.sees(view('The words of kept.txt.'));
    await again.seesNo(row('words.txt'));
  } finally {
    browser.kill();
    await browser.ended();
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  }
});
