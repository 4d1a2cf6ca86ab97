// A bridge process of packages/bridge with HTTP, and a page that is paired with it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inRoot } from '../project/project.mjs';
import { freePort } from '../serving/free-port.mjs';

/**
 * Starts a separate bridge.
 * @param {string} pageUrl the page that may be paired
 */
export async function startBridge(pageUrl) {
  const folder = mkdtempSync(join(tmpdir(), 'inpage-mcp-bridge-'));
  const port = await freePort();
  const program = inRoot('packages/bridge/dist/main.js');
  // The suite does not support tokens.
  const options = ['--http', '--open-http', '--http-port', '0', '--port', `${port}`];
  const child = spawn(process.execPath, [program, ...options, '--page', pageUrl], {
    env: { ...process.env, INPAGE_MCP_STATE: folder },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const exited = once(child, 'exit');
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    said += text;
  });
  while (!/Serving MCP at .*\n/.test(said)) {
    if (child.exitCode !== null) throw new Error(`The bridge has ended: ${said}`);
    await Promise.race([once(child.stderr, 'data'), exited]);
  }
  return {
    /** The address of its endpoint. */
    url: /http:\S+/.exec(said)?.[0] ?? '',
    /** Opens the page, and pairs it. @param {import('playwright-core').Browser} browser */
    async connect(browser) {
      const page = await browser.newPage();
      page.on('pageerror', (error) => console.error(error));
      await page.goto(`${pageUrl}?port=${port}`);
      await page.waitForFunction(() => 'desktop' in globalThis);
      await page.evaluate(() => /** @type {any} */ (globalThis).desktop.connect());
    },
    async close() {
      child.kill('SIGKILL');
      await exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
