// `npm run conformance`: runs the official conformance suite of the protocol against a server of
// packages/protocol, in a worker of a page (test/conformance) in headless Chromium. `-- --control` runs
// it against a worker that refuses every request, and fails if more passes than can without a server.
import { parseArgs } from 'node:util';
import { launchFlags, requireChromium } from './browsers/chromium.mjs';
import { HttpBridge } from './conformance/http-bridge.mjs';
import { PagePorts } from './conformance/page-ports.mjs';
import { printRun } from './conformance/report.mjs';
import { runSuite } from './conformance/suite-run.mjs';
import { ensureSuites, requiredScenarios, suiteVersion } from './conformance/suites.mjs';
import { inRoot } from './project.mjs';
import { setUp } from './setup.mjs';
import { serveFolder } from './static-server.mjs';

/**
 * @typedef {import('playwright-core').Browser} Browser
 * @typedef {import('./conformance/suite-run.mjs').Scenario} Scenario
 * @typedef {{ suite: string, revision: string, args: string[] }} Run
 */

/** @type {Run[]} */
const RUNS = [
  // This version names no requirements: all that it runs by default is required.
  { suite: 'conformance-0.1', revision: '2025-11-25', args: ['--suite', 'active'] },
  ...['2025-11-25', '2026-07-28'].map((revision) => ({
    suite: 'conformance-0.2',
    revision,
    args: ['--requirements', revision],
  })),
];

/** Scenarios that accept any error as an answer, so that they pass if the server refuses everything. */
const PASS_WITHOUT_SERVER = [
  'dns-rebinding-protection',
  'input-required-result-unsupported-methods',
  'input-required-result-validate-input',
  'server-sse-multiple-streams',
];

const pageFolder = inRoot('node_modules', '.cache', 'conformance', 'page');

const { values } = parseArgs({ options: { control: { type: 'boolean', default: false } } });

/**
 * Runs the scenarios against a page of their own, and prints the results.
 * @param {Browser} browser
 * @param {string} pageUrl
 * @param {Run} run
 * @returns {Promise<Scenario[]>} those that are required
 */
async function runInPage(browser, pageUrl, { suite, revision, args }) {
  const start = performance.now();
  const page = await browser.newPage();
  page.on('pageerror', (error) => console.error(error));
  await page.goto(pageUrl);
  const bridge = new HttpBridge(await PagePorts.of(page));
  const scenarios = await runSuite(suite, args, await bridge.listen());
  await bridge.close();
  await page.close();
  const judged = values.control ? scenarios.map(ofControl) : scenarios;
  const names = suite === 'conformance-0.1' ? undefined : requiredScenarios(suite, revision);
  return printRun(judged, {
    title: `${revision}, suite ${suiteVersion(suite)}`,
    requiredNames: names ?? scenarios.map(({ name }) => name),
    refusals: bridge.refusals,
    seconds: (performance.now() - start) / 1_000,
  });
}

/**
 * What a scenario says of the bridge if the server refuses everything: the scenario must not pass.
 * @param {Scenario} scenario
 * @returns {Scenario}
 */
function ofControl({ name, passed }) {
  if (!passed || PASS_WITHOUT_SERVER.includes(name)) return { name, passed: true, problems: [] };
  return { name, passed: false, problems: ['It passes although the server refuses everything.'] };
}

await setUp();
const executablePath = await requireChromium();
await ensureSuites();
const { buildFixturePage } = await import('./conformance/fixture-page.mjs');
await buildFixturePage(pageFolder, values.control ? 'control-worker.ts' : 'worker.ts');
const { chromium } = await import('playwright-core');
const server = await serveFolder(pageFolder);
const browser = await chromium.launch({ executablePath, args: launchFlags });
/** @type {Scenario[]} */
const required = [];
try {
  for (const run of RUNS) required.push(...(await runInPage(browser, server.url, run)));
} catch (error) {
  console.error(error);
  required.push({ name: 'the run', passed: false, problems: ['It broke off.'] });
} finally {
  await browser.close();
  await server.close();
}
const failed = required.filter(({ passed }) => !passed).length;
console.log(`\n${required.length - failed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
