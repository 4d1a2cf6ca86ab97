// examples/ideas, built from the packed packages: each page, as its user sees it.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { chromium } from 'playwright-core';
import { launchFlags } from '../../scripts/browsers/chromium.mjs';
import { serveFolder } from '../../scripts/serving/static-server.mjs';
import { build, inApp } from './folder.mjs';

/** Longer than any step takes on a busy machine, so that only what never happens runs into it. */
const TIMEOUT_MS = 60_000;

void describe('the ideas', () => {
  /** @type {import('playwright-core').Browser} */
  let browser;
  /** @type {{ url: string, close: () => Promise<void> }} */
  let served;

  before(async () => {
    const example = inApp('examples/ideas');
    await build(['typescript/bin/tsc', '--noEmit'], example);
    await build(['vite/bin/vite.js', 'build'], example);
    served = await serveFolder(inApp('examples/ideas/dist'));
    const executablePath = process.env['CHROME_PATH'] ?? '';
    browser = await chromium.launch({ executablePath, args: launchFlags });
  });

  after(async () => {
    await browser?.close();
    await served?.close();
  });

  /**
   * Opens a page in a profile of its own, and checks in the end that nothing was wrong on it.
   * @param {string} name
   * @param {(page: import('playwright-core').Page) => Promise<void>} work
   */
  async function withPage(name, work) {
    const context = await browser.newContext();
    context.setDefaultTimeout(TIMEOUT_MS);
    const page = await context.newPage();
    /** @type {string[]} */
    const problems = [];
    page.on('pageerror', (error) => problems.push(String(error)));
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
    await page.goto(`${served.url}${name}.html`);
    await work(page);
    await context.close();
    assert.deepEqual(problems, []);
  }

  void it('are all on the first page', () =>
    withPage('index', async (page) => {
      const names = ['provide', 'frame', 'question', 'desktop', 'backup'];
      const links = await page
        .locator('a')
        .evaluateAll((all) => all.map((a) => a.getAttribute('href')));
      assert.deepEqual(
        links,
        names.map((name) => `${name}.html`),
      );
    }));

  void it('provide: shows each selection to those who subscribe', () =>
    withPage('provide', async (page) => {
      for (const word of ['bananas', 'honey']) {
        await page.locator('textarea').evaluate((area, text) => {
          const at = area.value.indexOf(text);
          area.focus();
          area.setSelectionRange(at, at + text.length);
        }, word);
        await page.locator('mcp-resource-view').getByText(word, { exact: true }).waitFor();
      }
    }));

  void it('frame: adds to a note once the user of the page agrees, and not before', () =>
    withPage('frame', async (page) => {
      const assistant = page.frameLocator('iframe');
      await assistant.getByRole('listitem').getByText('Shopping').waitFor();
      const view = page.locator('mcp-resource-view');
      for (const [answer, said] of [
        ['Don’t', 'The user said no.'],
        ['Add it', 'Added.'],
      ]) {
        assert.equal(await view.getByText('bananas').count(), 0);
        await assistant.getByRole('button', { name: 'Add bananas' }).click();
        await page.locator('mcp-consent').getByRole('button', { name: answer }).click();
        await assistant.getByText(said ?? '').waitFor();
      }
      await view.getByText('bananas').waitFor();
    }));

  void it('question: asks in the middle of a call', () =>
    withPage('question', async (page) => {
      await page.locator('mcp-tool-form').getByRole('button', { name: 'Call the tool' }).click();
      const consent = page.locator('mcp-consent');
      await consent.getByText('When shall the table for 2 be ready?').waitFor();
      await consent.getByRole('combobox').selectOption('20:00');
      await consent.getByRole('button', { name: 'Send', exact: true }).click();
      await page.getByText('A table for 2 is booked for 20:00.').waitFor();
    }));

  void it('backup: brings a note to another browser', () =>
    withPage('backup', async (page) => {
      await page.getByRole('button', { name: 'Write a note' }).click();
      await page.locator('mcp-resource-list').getByText('A note').waitFor();
      const downloading = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Export', exact: true }).click();
      const path = await (await downloading).path();
      await withPage('backup', async (other) => {
        await other.locator('mcp-resource-list').getByText('About this page').waitFor();
        await other.locator('mcp-storage input[type=file]').setInputFiles(path);
        await other.locator('mcp-resource-list').getByText('A note').waitFor();
      });
    }));

  void it('desktop: waits for its user before it looks for a program', () =>
    withPage('desktop', async (page) => {
      await page.getByRole('button', { name: 'Connect', disabled: false }).waitFor();
      assert.equal(await page.locator('output').textContent(), '');
    }));
});
