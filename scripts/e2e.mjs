// `npm run test:e2e`: builds the demo, serves it below a sub-path as a static host would, and runs
// test/e2e/*.test.mjs against it with Node's test runner. They find the address in E2E_URL and the
// browser in CHROME_PATH. Arguments name the files to run instead. The page and its worker have a
// content security policy, and the run fails when the browser reports that any test violated it.
import { existsSync, readdirSync } from 'node:fs';
import { requiredPolicy } from '../demo/content-security-policy.mjs';
import { buildDemo, buildPackages } from './build.mjs';
import { requireChromium } from './browsers/chromium.mjs';
import { servePolicy } from './policy-server.mjs';
import { inRoot } from './project.mjs';
import { run } from './run.mjs';
import { setUp } from './setup.mjs';

function testFiles() {
  const chosen = process.argv.slice(2);
  if (chosen.length > 0) return chosen;
  const folder = inRoot('test/e2e');
  const names = existsSync(folder) ? readdirSync(folder).toSorted() : [];
  return names.filter((name) => name.endsWith('.test.mjs')).map((name) => `test/e2e/${name}`);
}

/**
 * @param {string} url
 * @param {string} chromePath
 */
async function runTests(url, chromePath) {
  const env = { ...process.env, E2E_URL: url, CHROME_PATH: chromePath };
  // One file at a time: each starts browsers of its own, and times out when they starve each other.
  const options = ['--test', '--test-concurrency=2', '--test-reporter=spec'];
  const { code } = await run(process.execPath, [...options, ...testFiles()], { env });
  return code;
}

await setUp();
const chromePath = await requireChromium();
if (testFiles().length === 0) {
  console.error('test/e2e holds no *.test.mjs.');
  process.exit(1);
}
if (!(await buildPackages())) process.exit(1);
await buildDemo();
const server = await servePolicy(inRoot('demo/dist'), { policy: requiredPolicy });
const code = await runTests(server.url, chromePath);
await server.close();
for (const report of server.reports) console.error('Violated the policy:', report);
process.exit(server.reports.length > 0 ? 1 : code);
