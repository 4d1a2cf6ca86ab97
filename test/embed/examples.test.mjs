// The apps of examples/, with the packed packages: their types, their build, and what they show.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { inRoot } from '../../scripts/project/project.mjs';
import { serveFolder } from '../../scripts/serving/static-server.mjs';
import { startServer } from './development-server.mjs';
import { examples } from './examples.mjs';
import { build, inApp, installed, runInstalled } from './folder.mjs';
import { launchChromium, problemsOf } from './opened-page.mjs';

/** Selects the note in the list; true when the view shows it. */
function isShown() {
  const list = document.querySelector('mcp-resource-list')?.shadowRoot;
  const row = list?.querySelector('[part~=row]');
  const text = document.querySelector('mcp-resource-view')?.shadowRoot?.textContent ?? '';
  if (row instanceof HTMLElement && !text.includes('browser')) row.click();
  return Boolean(list?.textContent?.includes('Hello')) && text.includes('in your browser');
}

/**
 * Checks the types of an example beside a copy of its app that uses the elements wrongly; resolves to
 * the lines with errors.
 * @param {string} folder of the example
 * @param {import('./examples.mjs').TypeCheck} types
 */
async function typeErrors(folder, { check, app, mistakes }) {
  const wrong = `${folder}/${app.replace(basename(app), `mistakes${extname(app)}`)}`;
  let text = await readFile(`${folder}/${app}`, 'utf8');
  for (const [right, mistake] of mistakes) text = text.replace(right, mistake);
  await writeFile(wrong, text);
  const { output } = await runInstalled(check, folder);
  await rm(wrong);
  return output.split('\n').filter((line) => /error/i.test(line) && !/COMPLETED/.test(line));
}

void describe('the examples', () => {
  /** @type {import('puppeteer-core').Browser} */
  let browser;

  before(async () => {
    browser = await launchChromium();
  });

  after(() => browser.close());

  for (const { name, parent = 'examples', types, isSlow, ...built } of examples) {
    const example = inApp(parent, name);
    const isThere = existsSync(parent === 'examples' ? example : installed('astro'));
    const options = { skip: isSlow && !isThere && 'only with --soak' };

    if (types) {
      void it(`${name}: the types allow what it does, and refuse mistakes`, options, async () => {
        const errors = await typeErrors(example, types);
        assert.equal(errors.length, types.mistakes.length, errors.join('\n'));
        for (const error of errors) assert.match(error, /mistakes\./);
      });
    }

    void it(`${name}: shows what it is an example of`, options, async () => {
      await build(built.build, example);
      await assertShown(join(example, built.folder), undefined, built.isShown);
    });
  }

  // Only then do the frameworks warn: Vue, when it takes an element for a component of its own.
  for (const { name, serve, isShown: isThere = isShown } of examples) {
    if (!serve) continue;
    void it(`${name}: shows it in development, without a warning of the framework`, async () => {
      const served = await startServer(serve, inApp('examples', name));
      try {
        assert.deepEqual(await problemsOf(browser, served.url, isThere), []);
      } finally {
        await served.close();
      }
    });
  }

  /**
   * @param {string} folder
   * @param {Record<string, string>} [headers]
   * @param {() => unknown} [isThere]
   */
  async function assertShown(folder, headers, isThere = isShown) {
    const served = await serveFolder(folder, { ...(headers && { headers }) });
    try {
      assert.deepEqual(await problemsOf(browser, served.url, isThere), []);
    } finally {
      await served.close();
    }
  }

  void describe('plain-html', () => {
    const dist = installed('inpage-mcp/dist');
    /** @type {{ url: string, close: () => Promise<void> }} */
    let cdn;

    before(async () => {
      cdn = await serveFolder(dist, { headers: { 'access-control-allow-origin': '*' } });
    });

    after(() => cdn.close());

    void it('has the frame of apps beside the part that looks for it', async () => {
      const names = await readdir(dist);
      const parts = names.filter((name) => name.endsWith('.js'));
      const codes = await Promise.all(parts.map((name) => readFile(`${dist}/${name}`, 'utf8')));
      assert.ok(codes.some((code) => code.includes('/mcp-app-frame.htm",import.meta.url)')));
      assert.ok(names.includes('mcp-app-frame.htm'));
    });

    /** Resolves to a folder with the page, whose script is on another origin. */
    async function pageOfCdn() {
      const folder = inApp('examples/plain-html-cdn');
      const page = await readFile(inApp('examples/plain-html/index.html'), 'utf8');
      await mkdir(folder, { recursive: true });
      await writeFile(`${folder}/index.html`, page.replace('./inpage-mcp/', cdn.url));
      return folder;
    }

    /** @param {string} workerSources */
    const policy = (workerSources) => ({
      'content-security-policy': [
        "default-src 'none'; img-src data:; style-src 'unsafe-inline'",
        `script-src 'unsafe-inline' ${cdn.url}; worker-src ${workerSources}`,
        "require-trusted-types-for 'script'; trusted-types inpage-mcp lit-html",
      ].join('; '),
    });

    void it('shows the note that its user selects, with a copy of the files', async () => {
      await cp(dist, inApp('examples/plain-html/inpage-mcp'), { recursive: true });
      await assertShown(inApp('examples/plain-html'));
    });

    void it('shows it with an import map, by the names of the packages', async () => {
      const folder = inApp('examples/plain-html-map');
      const page = await readFile(inApp('examples/plain-html/index.html'), 'utf8');
      const guide = await readFile(inRoot('docs/guides/embed.md'), 'utf8');
      const [map = ''] = /<script type="importmap">.*?<\/script>/s.exec(guide) ?? [];
      assert.notEqual(map, '');
      await mkdir(folder, { recursive: true });
      await cp(dist, `${folder}/inpage-mcp`, { recursive: true });
      const named = page.replace("'./inpage-mcp/inpage-mcp.js'", "'@inpage-mcp/runtime'");
      await writeFile(`${folder}/index.html`, named.replace('<script type="module">', `${map}$&`));
      await assertShown(folder);
    });

    void it('shows it with the files on another origin, also under a policy', async () => {
      const folder = await pageOfCdn();
      await assertShown(folder);
      await assertShown(folder, policy(`blob: ${cdn.url}`));
    });

    void it('says what to do where the policy allows no worker from a Blob', async () => {
      const served = await serveFolder(await pageOfCdn(), { headers: policy(cdn.url) });
      const isRefused = `document
        .querySelector('mcp-provider')
        .shadowRoot?.querySelector('[role=alert]')
        ?.textContent.includes('worker')`;
      const problems = await problemsOf(browser, served.url, isRefused, true);
      await served.close();
      assert.match(problems.join('\n'), /blob: and that origin in worker-src/);
    });
  });
});
