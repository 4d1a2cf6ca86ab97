// `.ci/run`: the gate that a change must pass, from a clean machine, in 15 minutes on two cores.
// `npm run verify` is the long run, with everything that the gate omits (CONTRIBUTING.md says where each
// promise is tested). One command runs after the other, because each uses all cores, and its failed tests run
// once more when nothing else runs (report.mjs). In the long run, nothing has a second try. The last line has
// the totals, as that of `npm test`.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureHeadlessShell, requireChromium } from './browsers/chromium.mjs';
import { ensureFirefox } from './browsers/firefox.mjs';
import { ensureNatsServer } from './browsers/nats-server.mjs';
import { ensureWebKit } from './browsers/webkit.mjs';
import { root } from './project/project.mjs';
import { runNpm } from './project/run.mjs';
import { setUp } from './setup.mjs';
import { failureLines, flakyLines, MAX_FLAKY } from './test-runner/report.mjs';

/**
 * @typedef {import('./test-runner/report.mjs').Results} Results
 * @typedef {Results & { step: string, minutes: number }} StepResults
 */

/** The first step, which runs alone: all others use its output, and none can pass without it. */
const BUILD = 'run build';

const gate = [
  'run check -- --chosen',
  'run size',
  'test',
  'run test:e2e -- --chosen',
  'run test:bridge -- --chosen',
  'test -- --browser webkit --chosen',
  'test -- --browser firefox --chosen',
  // The messages are the same each time, so that the result of the gate does not depend on luck.
  'run fuzz -- --seed 1 --count 25000',
  'run conformance',
  'run test:faults -- --chosen',
];

/** The seed of the day: other messages and faults each day, which can be reproduced later. */
const seed = Math.floor(Date.now() / 86_400_000);

const longRun = [
  'run check',
  'run size',
  'run test:all',
  'run test:e2e',
  // Both browsers are in one step: each step of these builds the demo again, while another would serve it.
  'run test:e2e -- --browser webkit --browser firefox',
  'run test:bridge',
  'run test:embed',
  // The release of the last commit, in a clone that builds for itself: a download without its history has no
  // commit.
  ...(isClone() ? ['run release -- --dry-run'] : []),
  'test -- --browser webkit --chosen',
  'test -- --browser firefox --chosen',
  `run fuzz -- --seed ${seed}`,
  'run conformance',
  `run test:faults -- --seed ${seed}`,
  // The faults that are most common for data, and did most harm there.
  `run test:faults -- --scenario reload --backend webkit --seed ${seed}`,
];

const isLong = process.argv.includes('--verify');
const steps = isLong ? longRun : gate;

/**
 * Matches the steps that need a window of a browser, or another browser; all others use the shell, which is a
 * third less work.
 */
const IN_WINDOW = /--browser|bridge|embed/;

/** The timeout of a command that hangs, in ms. On two cores, none takes a fifth of it. */
const STEP_TIMEOUT = 60 * 60_000;

/** The maximum number of failures that are shown at the end; all are named. */
const MAX_SHOWN_FAILURES = 6;

/** The maximum number of last lines that are shown for a failed command without test files. */
const MAX_LAST_LINES = 14;

/** Whether git knows this folder. */
function isClone() {
  return spawnSync('git', ['rev-parse', 'HEAD'], { cwd: root }).status === 0;
}

/**
 * @param {string} step
 * @param {NodeJS.ProcessEnv} [environment]
 * @returns {Promise<StepResults>}
 */
async function runStep(step, environment) {
  console.log(`\n== npm ${step}`);
  const start = performance.now();
  const folder = mkdtempSync(join(tmpdir(), 'inpage-mcp-step-'));
  const env = { ...process.env, ...environment, REPORT: join(folder, 'report') };
  const { code, output } = await runNpm(step.split(' '), {
    capture: 'too',
    timeout: STEP_TIMEOUT,
    env,
  });
  const results = resultsOf(env.REPORT, code, output);
  rmSync(folder, { recursive: true });
  return { step, minutes: (performance.now() - start) / 60_000, ...results };
}

/**
 * The results that a command has reported. A command that counts no tests is a test itself.
 * @param {string} path of its reports
 * @param {number} code
 * @param {string} output
 * @returns {Results}
 */
function resultsOf(path, code, output) {
  /** @type {Results} */
  const results = { passed: 0, failures: [], flaky: [] };
  for (const line of readIfThere(path).split('\n').filter(Boolean)) {
    /** @type {Results} */
    const { passed, failures, flaky } = JSON.parse(line);
    results.passed += passed;
    results.failures.push(...failures);
    results.flaky.push(...flaky);
  }
  const last = output.trimEnd().split('\n').slice(-MAX_LAST_LINES);
  if (code !== 0 && results.failures.length === 0)
    results.failures.push({ file: '', title: 'It failed, and ended with:', text: last.join('\n') });
  if (code === 0 && results.passed === 0)
    results.passed = Number(/^(\d+) passed, 0 failed$/.exec(last.at(-1) ?? '')?.[1] ?? 1);
  return results;
}

/** @param {string} path */
function readIfThere(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/**
 * Prints the failures, the flaky tests, and the time of each step.
 * @param {StepResults[]} all
 * @param {number} minutes
 * @returns {boolean} whether the run has passed
 */
function conclude(all, minutes) {
  const failures = all.flatMap(({ step, failures: ofStep }) =>
    ofStep.map((failure) => ({ ...failure, file: `npm ${step} › ${failure.file}` })),
  );
  const flakyFiles = new Set(all.flatMap(({ flaky }) => flaky.map(({ file }) => file)));
  const flaky = all.flatMap((step) => flakyLines(step.flaky, `npm ${step.step} › `));
  if (flakyFiles.size > MAX_FLAKY) {
    const title = `${flakyFiles.size} files failed at first, which is no bad luck:`;
    failures.push({ file: 'the machine, or the change', title, text: flaky.join('\n') });
  }
  console.log('\n');
  for (const failure of failures.slice(0, MAX_SHOWN_FAILURES))
    console.log(`${failureLines(failure)}\n`);
  for (const { step, minutes: ofStep, failures: ofFailed } of all)
    console.log(
      `${ofStep.toFixed(1).padStart(5)} min  npm ${step}${ofFailed.length > 0 ? '  FAILED' : ''}`,
    );
  console.log(`${minutes.toFixed(1).padStart(5)} min  all of it\n`);
  for (const { file, title } of failures) console.log(`Failed: ${file} › ${title}`);
  for (const line of flaky) console.log(line);
  const passed = all.reduce((sum, { passed: ofStep }) => sum + ofStep, 0);
  console.log(`\n${passed} passed, ${failures.length} failed`);
  return failures.length === 0;
}

// The list is for a host that runs each step on a separate machine: these steps build what they need
// themselves.
if (process.argv.includes('--list')) {
  console.log(JSON.stringify(steps));
  process.exit();
}

const start = performance.now();
// This runs once for all steps, and before any step needs it.
await setUp();
await requireChromium();
const headlessShell = await ensureHeadlessShell();
await ensureFirefox();
await ensureWebKit();
// If the server can be installed, its tests must not be skipped.
if (isLong && (await ensureNatsServer())) process.env['INPAGE_MCP_REQUIRE_NATS'] = 'true';
const results = [await runStep(BUILD)];
const isBuilt = results[0]?.failures.length === 0;
for (const step of isBuilt ? steps : []) {
  const inShell = headlessShell && !IN_WINDOW.test(step) && { HEADLESS_SHELL: headlessShell };
  results.push(await runStep(step, { INPAGE_MCP_IS_BUILT: 'true', ...inShell }));
}
const hasPassed = conclude(results, (performance.now() - start) / 60_000);
// A step that was killed may have left programs whose output is still open.
process.exit(hasPassed ? 0 : 1);
