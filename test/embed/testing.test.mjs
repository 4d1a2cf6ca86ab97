// The guide "Test your app", followed to the letter: each of its files runs in the runner that it is for,
// with the packed packages.
import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { before, describe, it } from 'node:test';
import { inRoot } from '../../scripts/project/project.mjs';
import { run } from '../../scripts/project/run.mjs';
import { inApp, installed } from './folder.mjs';

/** The blocks below a heading of the guide. @param {string} guide @param {string} heading */
function blocksBelow(guide, heading) {
  const [, section = ''] = guide.split(`\n## ${heading}\n`);
  const [text = ''] = section.split('\n## ');
  return [...text.matchAll(/^```js\n(.*?)^```$/gms)].map(([, code = '']) => code);
}

/** Jest has no such function: calls another until it no longer throws. */
const APPEARS = `
async function appears(check, tries = 200) {
  try {
    check();
  } catch (error) {
    if (tries === 0) throw error;
    // timed: as the guide waits.
    await new Promise((resolve) => setTimeout(resolve, 50));
    await appears(check, tries - 1);
  }
}
`;

void describe('the guide about tests', () => {
  const folder = inApp('testing');
  /** @type {string} */
  let guide;

  before(async () => {
    guide = await readFile(inRoot('docs/guides/testing.md'), 'utf8');
    await mkdir(folder, { recursive: true });
    await writeFile(`${folder}/package.json`, JSON.stringify({ type: 'module', private: true }));
  });

  /** @param {string} file @param {string | undefined} code */
  async function write(file, code) {
    assert.ok(code, `The guide has no ${file}.`);
    await writeFile(`${folder}/${file}`, code);
  }

  /** @param {string[]} args */
  async function passes(...args) {
    // Else the runner of Node would not run files.
    const env = { ...process.env, NODE_TEST_CONTEXT: undefined };
    const { code, output } = await run(process.execPath, args, { cwd: folder, capture: true, env });
    assert.equal(code, 0, output);
    assert.match(output, /1 pass|pass 1\b/);
  }

  void it('works in the runner of Node', async () => {
    const [test] = blocksBelow(guide, "Node's own runner");
    await write('shopping.node.mjs', test);
    await passes('--test', 'shopping.node.mjs');
  });

  void it('ends by itself, and says what needs a page', async () => {
    await write(
      'page.mjs',
      `import 'fake-indexeddb/auto';
      import { startTestRuntime } from '@inpage-mcp/runtime/testing';
      const { setTimeout: begin, clearTimeout: end } = globalThis;
      // Those of a second or more, which would keep the process.
      const timers = new Set();
      globalThis.setTimeout = (run, ms, ...args) => {
        const timer = begin(run, ms, ...args);
        if (ms >= 1_000) timers.add(timer);
        return timer;
      };
      globalThis.clearTimeout = (timer) => {
        timers.delete(timer);
        end(timer);
      };
      const runtime = await startTestRuntime();
      const client = await runtime.connect();
      await client.listResources();
      const codes = [];
      await runtime.notes.create({ title: 'a', text: 'b' });
      await runtime.storage.persist();
      for (const name of ['serveFrames', 'serveDesktop', 'mountFolder', 'folders'])
        await runtime[name]({ allowedOrigins: [] }).catch(({ code }) => codes.push(code));
      const read = () => 'x';
      await runtime.provide({ uri: 'app:///kept', name: 'kept', read });
      await (await runtime.provide({ uri: 'app:///gone', name: 'gone', read })).remove();
      await runtime.close();
      console.log(codes.join(), [...timers].filter((timer) => timer.hasRef()).length);`,
    );
    const options = { cwd: folder, capture: true };
    const { code, output } = await run(process.execPath, ['page.mjs'], options);
    assert.equal(code, 0, output);
    assert.match(output, /^(unavailable,?){4} 0$/m);
  });

  for (const environment of ['jsdom', 'happy-dom'])
    void it(`works in Vitest with ${environment}`, async () => {
      const [test] = blocksBelow(guide, 'Vitest');
      await write('shopping.test.js', test);
      const args = ['run', '--environment', environment, 'shopping.test.js'];
      await passes(installed('vitest/vitest.mjs'), ...args);
    });

  void describe('in Jest', () => {
    /** @param {string} file @param {string} environment */
    async function passesInJest(file, environment) {
      const config = JSON.stringify({ testEnvironment: environment, transform: {} });
      const jest = [installed('jest/bin/jest.js'), '--config', config, '--runInBand'];
      await passes('--experimental-vm-modules', ...jest, '--forceExit', file);
    }

    void it('works in the environment of Node', async () => {
      const [test] = blocksBelow(guide, 'Jest');
      await write('shopping-jest.test.js', test);
      await passesInJest('shopping-jest.test.js', 'node');
    });

    void it('renders elements in jsdom, with what the guide adds to it', async () => {
      const [, environment] = blocksBelow(guide, 'Jest');
      await write('jest-environment.mjs', environment);
      const [ofVitest = ''] = blocksBelow(guide, 'Vitest');
      const test = ofVitest
        .replace(/^import \{[^}]*\} from 'vitest';$/m, '')
        .replace(/vi\.waitFor\(([^,]+), [^)]*\)/, 'appears($1)');
      await write('elements-jest.test.js', `${test}\n${APPEARS}`);
      await passesInJest('elements-jest.test.js', './jest-environment.mjs');
    });
  });
});
