// Pages in a real Chromium, whose servers desktop programs reach by a real bridge.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { launchFlags, requireChromium } from '../../../scripts/browsers/chromium.mjs';
import { inRoot } from '../../../scripts/project/project.mjs';
import { bundlePage } from '../../../scripts/serving/browser-page.mjs';
import { serveFolder } from '../../../scripts/serving/static-server.mjs';

/** @typedef {import('playwright-core').BrowserContext} BrowserContext */
/** @typedef {import('playwright-core').Page} Page */

/** The page with its worker, bundled and served. */
export async function servePage() {
  const folder = await bundlePage('Notes', {
    entryPoints: {
      page: inRoot('test/bridge/browser/page.ts'),
      worker: inRoot('packages/runtime/src/worker.ts'),
      // The worker loads it with the first folder.
      disk: inRoot('packages/runtime/src/disk.ts'),
    },
  });
  writeFileSync(join(folder, 'other.html'), '<!doctype html><title>Another page</title>');
  return await serveFolder(folder);
}

/** A browser on a profile of its own, with tabs of the page. */
export class PageBrowser {
  #profile = mkdtempSync(join(tmpdir(), 'inpage-mcp-profile-'));
  /** @type {BrowserContext | undefined} */
  #context;
  #url;

  /**
   * @param {string} url of the page
   * @param {number} port of the bridge
   * @param {string[]} [read] what desktop apps may read. Default: all
   */
  constructor(url, port, read) {
    this.#url = `${url}?port=${port}${read ? `&read=${encodeURIComponent(read.join(' '))}` : ''}`;
  }

  /** Starts, or starts again on what is stored. */
  async start() {
    this.#context = await chromium.launchPersistentContext(this.#profile, {
      executablePath: await requireChromium(),
      args: launchFlags,
    });
  }

  /** A tab whose server has started. */
  async openTab(url = this.#url) {
    if (!this.#context) throw new Error('The browser is not started.');
    const page = await this.#context.newPage();
    await page.goto(url);
    if (url === this.#url) await page.waitForFunction(() => 'desktop' in globalThis);
    return page;
  }

  async close() {
    await this.#context?.close();
    this.#context = undefined;
  }

  /** Ends the browser, and forgets what it has stored. */
  async end() {
    await this.close();
    rmSync(this.#profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  }
}

/**
 * Pairs a page as its user does: the same code is shown there and by the bridge.
 * @param {Page} page
 * @param {() => Promise<string | undefined>} codeOfBridge
 */
export async function pairInBrowser(page, codeOfBridge) {
  const connected = page.evaluate(() => /** @type {any} */ (globalThis).desktop.connect());
  const code = await page.evaluate(() => /** @type {any} */ (globalThis).codeShown());
  const shown = await codeOfBridge();
  if (shown !== code) throw new Error(`The page shows ${code}, and the bridge ${shown}.`);
  await page.evaluate(() => /** @type {any} */ (globalThis).answerPairing(true));
  await connected;
}
