// A static host of one test, with a copy of the built demo: it can be stopped, and given another build.
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { servedPolicy } from '../../demo/content-security-policy.mjs';
import { servePolicy } from '../../scripts/serving/policy-server.mjs';
import { inRoot } from '../../scripts/project/project.mjs';
import { testInPrivateWindow } from './browser.mjs';

/** @typedef {import('./browser.mjs').Browser} Browser */

/** @typedef {Awaited<ReturnType<typeof startHost>>} Host */

async function startHost() {
  const folder = await mkdtemp(join(tmpdir(), 'inpage-mcp-host-'));
  const filter = (/** @type {string} */ path) => !path.endsWith('.map');
  await cp(inRoot('demo/dist'), folder, { recursive: true, filter });
  const server = await servePolicy(folder, { policy: servedPolicy });
  let isStopped = false;
  const stop = async () => {
    if (!isStopped) await server.close();
    isStopped = true;
  };
  return {
    url: new URL(server.url),
    reports: server.reports,
    stop,
    /** Deletes a file, as a host does with those of the build before. */
    remove: (/** @type {string} */ path) => rm(join(folder, path)),
    /**
     * Changes a file.
     * @param {string} path
     * @param {(text: string) => string} change
     */
    change: async (path, change) => {
      const text = await readFile(join(folder, path), 'utf8');
      const changed = change(text);
      if (changed === text) throw new Error(`Nothing was changed in ${path}.`);
      await writeFile(join(folder, path), changed);
    },
    end: async () => {
      await stop();
      await rm(folder, { recursive: true });
    },
  };
}

/**
 * A test with a host of its own and a browser with service workers.
 * @param {string} name
 * @param {(browser: Browser, host: Host) => Promise<void>} body
 */
export async function testWithOwnHost(name, body) {
  const host = await startHost();
  // Not before the browser: it still fetches the documentation, which would fail.
  after(host.end);
  testInPrivateWindow(
    name,
    async (browser) => {
      try {
        await body(browser, host);
        if (host.reports.length > 0) throw new Error(JSON.stringify(host.reports));
      } catch (error) {
        console.error(browser.problems);
        throw error;
      }
    },
    { home: host.url, serviceWorkers: 'allow' },
  );
}
