// `npm run test:e2e`: builds the demo, serves it below a sub-path as a static host would, and runs
// test/e2e/*.test.mjs against it with Node's test runner. They find the address in E2E_URL and the
// browser in CHROME_PATH. Arguments name the files to run instead; `-- --chosen` runs those of the gate, where
// a file that fails runs once more, alone. The page and its worker have a
// content security policy, and the run fails when the browser reports that any test violated it.
// With `-- --browser firefox` or `webkit`, or both one after the other, the main story is run there.
import { parseArgs } from 'node:util';
import { servedPolicy } from '../demo/content-security-policy.mjs';
import { buildDemo, buildPackages } from './build.mjs';
import { requireChromium } from './browsers/chromium.mjs';
import { ensureFirefox } from './browsers/firefox.mjs';
import { ensureWebKit } from './browsers/webkit.mjs';
import { basePath, servePolicy } from './serving/policy-server.mjs';
import { inRoot } from './project/project.mjs';
import { setUp } from './setup.mjs';
import { chosenOfDemo, nodeTestsIn } from './test-runner/chosen-files.mjs';
import { runNodeTests } from './test-runner/node-tests.mjs';

/** The variables by which the tests find each browser. */
const browsers = {
  chromium: async () => ({ CHROME_PATH: await requireChromium() }),
  firefox: async () => ({ FIREFOX_PATH: await ensureFirefox() }),
  webkit: async () => {
    await ensureWebKit();
    return {};
  },
};

const { values, positionals } = parseArgs({
  options: {
    browser: { type: 'string', multiple: true, default: ['chromium'] },
    chosen: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});

/** @param {string} name of the browser */
function testFilesFor(name) {
  if (positionals.length > 0) return positionals;
  if (values.chosen && name === 'chromium') return chosenOfDemo;
  return nodeTestsIn(name === 'chromium' ? 'test/e2e' : 'test/e2e/story');
}

/**
 * @param {string} url
 * @param {string} name of the browser
 * @param {NodeJS.ProcessEnv} browser
 */
async function runTests(url, name, browser) {
  Object.assign(process.env, browser, { E2E_URL: url, E2E_BROWSER: name });
  // Not more run at a time, because each file starts its own browser, and they time out if they compete for
  // the processor.
  const how = { atATime: 2, hasSecondTry: values.chosen };
  return await runNodeTests(testFilesFor(name), how, (report) => {
    const violations = server.reports.splice(0).map((violation) => ({
      title: 'was violated',
      text: JSON.stringify(violation),
    }));
    const file = 'the content security policy';
    if (violations.length > 0)
      report.add({ file, passed: 0, skipped: 0, failures: violations, seconds: 0 });
  });
}

/** @param {string} name */
function ensure(name) {
  const found = browsers[/** @type {keyof typeof browsers} */ (name)];
  if (found) return found();
  console.error(`There is no browser ${name}; there are ${Object.keys(browsers).join(', ')}.`);
  process.exit(1);
}

await setUp();
/** @type {[name: string, env: NodeJS.ProcessEnv][]} */
const chosen = [];
for (const name of values.browser) chosen.push([name, await ensure(name)]);
if (!(await buildPackages())) process.exit(1);
process.env['SITE_PATH'] = basePath;
await buildDemo();
const server = await servePolicy(inRoot('demo/dist'), { policy: servedPolicy });
let code = 0;
for (const [name, env] of chosen) code = (await runTests(server.url, name, env)) || code;
await server.close();
process.exit(code);
