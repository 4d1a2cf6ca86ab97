// The example servers of the MCP Apps extension, over HTTP, in a page that follows docs/guides/show-apps.md:
// each shows its data in `<mcp-app>`.
import { spawn } from 'node:child_process';
import { cp, writeFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { build } from 'esbuild';
import { serveFolder } from '../../scripts/serving/static-server.mjs';
import { freePort } from '../../scripts/serving/free-port.mjs';
import { inApp, installed } from './folder.mjs';
import { launchChromium } from './opened-page.mjs';

/** Longer than an app takes on a busy machine. */
const TIMEOUT_MS = 60_000;

/** What the app of each shows only once it has the result of its tool. @type {Record<string, RegExp>} */
const servers = {
  'basic-vanillajs': /\d{4}-\d\d-\d\dT\d\d:\d\d/,
  'basic-react': /\d{4}-\d\d-\d\dT\d\d:\d\d/,
  'budget-allocator': /Marketing/,
  'system-monitor': /\d G(i)?B/,
};

/** @param {string} name */
async function start(name) {
  const port = await freePort();
  const script = installed(`@modelcontextprotocol/server-${name}/dist/index.js`);
  const child = spawn(process.execPath, [script], { env: { ...process.env, PORT: `${port}` } });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text) => (output += String(text)));
  while (!output.includes('listening')) {
    if (child.exitCode !== null) throw new Error(output);
    // timed: between two looks; the process ends, if nothing else does.
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return { url: `http://localhost:${port}/mcp`, stop: () => child.kill() };
}

void describe('the app of an official example server', () => {
  /** @type {import('puppeteer-core').Browser} */
  let browser;
  /** @type {Awaited<ReturnType<typeof serveFolder>>} */
  let served;

  before(async () => {
    const [entryPoints, outdir] = [[inApp('official-apps.js')], inApp('dist-official')];
    await build({ entryPoints, outdir, bundle: true, splitting: true, format: 'esm' });
    await cp(
      installed('@inpage-mcp/client/dist/app-host/mcp-app-frame.htm'),
      inApp('dist-official/mcp-app-frame.htm'),
    );
    await writeFile(
      inApp('dist-official/index.html'),
      '<!doctype html><title>Apps</title><script type="module" src="official-apps.js"></script>',
    );
    served = await serveFolder(inApp('dist-official'));
    browser = await launchChromium();
  });

  after(async () => {
    await browser.close();
    await served.close();
  });

  for (const [name, shown] of Object.entries(servers))
    void it(`shows its data: ${name}`, async () => {
      const server = await start(name);
      const page = await browser.newPage();
      try {
        await page.goto(`${served.url}?server=${encodeURIComponent(server.url)}`);
        await waitForText(page, shown);
      } finally {
        await page.close();
        server.stop();
      }
    });
});

/**
 * Waits until a frame in the page shows a text, that of the app is inside that of the sandbox, and says yes to
 * each question: of these tools, none says that it only reads.
 * @param {import('puppeteer-core').Page} page
 * @param {RegExp} text
 */
async function waitForText(page, text) {
  /** @type {string[]} */
  let seen = [];
  for (const end = Date.now() + TIMEOUT_MS; Date.now() < end;) {
    await page.evaluate(() => {
      const yes = document.querySelector('mcp-app')?.shadowRoot?.querySelector('.question .yes');
      if (yes?.getAttribute('aria-disabled') === 'false') /** @type {HTMLElement} */ (yes).click();
    });
    const frames = page
      .frames()
      .map((frame) => frame.evaluate(() => document.body?.innerText ?? ''));
    seen = await Promise.all(frames.map((one) => one.catch(String)));
    if (seen.some((one) => text.test(one))) return;
    // timed: between two looks.
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`The app shows ${JSON.stringify(seen)}.`);
}
