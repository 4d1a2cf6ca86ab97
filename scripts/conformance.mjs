// `npm run conformance`: runs the official conformance suite of the protocol against a server in a worker of
// a page (test/conformance) in headless Chromium, by the HTTP of packages/bridge. `-- --control` opens no
// page, and fails if more scenarios pass than the bridge can answer by itself.
import { parseArgs } from 'node:util';
import { launchFlags, requireShellOrChromium } from './browsers/chromium.mjs';
import { buildPackages } from './build.mjs';
import { startBridge } from './conformance/bridge.mjs';
import { runSuite } from './conformance/suite-run.mjs';
import { ensureSuites, requiredScenarios, suiteVersion } from './conformance/suites.mjs';
import { inRoot } from './project/project.mjs';
import { bundlePage } from './serving/browser-page.mjs';
import { setUp } from './setup.mjs';
import { serveFolder } from './serving/static-server.mjs';

/**
 * @typedef {import('playwright-core').Browser} Browser
 * @typedef {import('./conformance/suite-run.mjs').Scenario} Scenario
 * @typedef {{ suite: string, revision: string, args: string[] }} Run
 */

/** @type {Run[]} */
const RUNS = [
  // This version names no requirements, so all scenarios that it runs by default are required.
  { suite: 'conformance-0.1', revision: '2025-11-25', args: ['--suite', 'active'] },
  ...['2025-11-25', '2026-07-28'].map((revision) => ({
    suite: 'conformance-0.2',
    revision,
    args: ['--requirements', revision],
  })),
];

/**
 * The scenarios that the bridge passes without a page: those of HTTP, of features that every server has, and
 * of errors.
 */
const PASS_WITHOUT_PAGE = [
  'caching',
  'dns-rebinding-protection',
  'input-required-result-unsupported-methods',
  'input-required-result-validate-input',
  'logging-set-level',
  'ping',
  'prompts-list',
  'resources-list',
  'resources-subscribe',
  'resources-unsubscribe',
  'sep-2164-resource-not-found',
  'server-initialize',
  'server-sse-multiple-streams',
  'tools-list',
];

const { values } = parseArgs({ options: { control: { type: 'boolean', default: false } } });

/**
 * Runs the scenarios against a separate bridge, with a page unless this is the control.
 * @param {Browser} browser
 * @param {string} pageUrl
 * @param {Run} run
 * @returns {Promise<Scenario[]>} those that are required
 */
async function runByBridge(browser, pageUrl, { suite, revision, args }) {
  const start = performance.now();
  const bridge = await startBridge(pageUrl);
  try {
    if (!values.control) await bridge.connect(browser);
    const scenarios = await runSuite(suite, args, bridge.url);
    const judged = values.control ? scenarios.map(ofControl) : scenarios;
    const names = suite === 'conformance-0.1' ? undefined : requiredScenarios(suite, revision);
    return printRun(judged, {
      title: `${revision}, suite ${suiteVersion(suite)}`,
      requiredNames: names ?? scenarios.map(({ name }) => name),
      seconds: (performance.now() - start) / 1_000,
    });
  } finally {
    await bridge.close();
  }
}

/**
 * The expected result of a scenario without a page: most must not pass.
 * @param {Scenario} scenario
 * @returns {Scenario}
 */
function ofControl({ name, passed }) {
  if (!passed || PASS_WITHOUT_PAGE.includes(name)) return { name, passed: true, problems: [] };
  return { name, passed: false, problems: ['It passes although there is no page.'] };
}

/**
 * Prints the results of a run.
 * @param {Scenario[]} scenarios
 * @param {{ title: string, requiredNames: string[], seconds: number }} facts
 * @returns {Scenario[]} those that are required; one without a result has failed
 */
function printRun(scenarios, { title, requiredNames, seconds }) {
  const missing = { passed: false, problems: ['The suite has no result of it.'] };
  const required = requiredNames.map(
    (name) => scenarios.find((scenario) => scenario.name === name) ?? { name, ...missing },
  );
  const others = scenarios.filter(({ name }) => !requiredNames.includes(name));
  const counts = `${countOf(required)} required, ${countOf(others)} others`;
  console.log(`${title}: ${counts}, in ${seconds.toFixed(1)} s`);
  for (const { name, problems } of failedOf(required)) {
    console.log(`  FAILED  ${name}`);
    for (const problem of problems) console.log(`          ${problem}`);
  }
  const names = failedOf(others).map(({ name }) => name);
  if (names.length > 0) console.log(`  others that did not pass: ${names.join(', ')}`);
  return required;
}

/** @param {Scenario[]} scenarios */
const failedOf = (scenarios) => scenarios.filter(({ passed }) => !passed);

/** @param {Scenario[]} scenarios */
const countOf = (scenarios) =>
  `${scenarios.length - failedOf(scenarios).length}/${scenarios.length}`;

await setUp();
const executablePath = await requireShellOrChromium();
await ensureSuites();
if (!(await buildPackages())) process.exit(1);
const pageFolder = await bundlePage('Conformance', {
  entryPoints: {
    page: inRoot('test/conformance/page.ts'),
    worker: inRoot('test/conformance/worker.ts'),
    // The worker loads it with the first folder.
    disk: inRoot('packages/runtime/src/disk.ts'),
  },
});
const { chromium } = await import('playwright-core');
const server = await serveFolder(pageFolder);
const browser = await chromium.launch({ executablePath, args: launchFlags });
/** @type {Scenario[]} */
const required = [];
try {
  for (const run of RUNS) required.push(...(await runByBridge(browser, server.url, run)));
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
