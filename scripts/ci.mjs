// `.ci/run`: what a change must pass, from a clean machine. Two steps run at the same time, because a
// step often waits: for a browser that starts, for a disk, for a clock. What a step prints comes in one
// piece, when the step has ended.
import { spawnSync } from 'node:child_process';
import { ensureHeadlessShell, requireChromium } from './browsers/chromium.mjs';
import { ensureFirefox } from './browsers/firefox.mjs';
import { ensureWebKit } from './browsers/webkit.mjs';
import { root } from './project/project.mjs';
import { runNpm } from './project/run.mjs';
import { setUp } from './setup.mjs';

/** @typedef {{ step: string, minutes: number, passed: boolean, output: string }} Result */

/** Once for all that follow: it takes as long as one of the short ones. */
const BUILD = 'run build';
let isBuilt = false;

/** The same messages each time: what a change must pass does not depend on luck. */
const FUZZ = 'run fuzz -- --seed 1 --count 25000';

/** Whichever lane is free takes the next. The tests are first, as they take as long as most others together. */
const steps = [
  'run test:all',
  BUILD,
  'run size',
  'run test:e2e',
  // Desktop programs at the page, with everything killed in turn.
  'run test:bridge',
  // What a kill, a full disk or a cleared site does to the data.
  'run test:faults',
  'run check',
  'test -- --browser webkit --chosen',
  // Of what may happen to the data, what is most common and did most harm there.
  'run test:faults -- --scenario reload --backend webkit',
  'test -- --browser firefox --chosen',
  FUZZ,
  'run conformance',
  'run test:embed',
  // Of the last commit, in a clone that builds for itself: a download without its history has none.
  ...(isClone() ? ['run release -- --dry-run'] : []),
  // Both in one step: each step of these builds the demo anew, where another would serve it.
  'run test:e2e -- --browser webkit --browser firefox',
];

/** They need the engine of a browser and no window: a third of the work of a tab is that of its window. */
const IN_HEADLESS_SHELL = [
  'run test:all',
  'run test:e2e',
  'run test:faults',
  FUZZ,
  'run conformance',
];

const LANES = 2;

/**
 * In ms: one that hangs must not hang the whole run. On two cores, no step takes a fifth of it; on a
 * machine that others use as well, the tests have taken two thirds of it.
 */
const STEP_TIMEOUT = 60 * 60_000;

/** How many lines of a failed step are shown again in the end, and how many of each failure. */
const MAX_SHOWN_LINES = 120;
const LINES_OF_A_FAILURE = 12;

/** Whether git knows this folder. */
function isClone() {
  return spawnSync('git', ['rev-parse', 'HEAD'], { cwd: root }).status === 0;
}

/**
 * @param {string} step
 * @returns {Promise<Result>}
 */
async function runStep(step) {
  console.log(`── npm ${step} begins`);
  const start = performance.now();
  const env = {
    ...process.env,
    INPAGE_MCP_IS_BUILT: String(isBuilt),
    ...(IN_HEADLESS_SHELL.includes(step) && headlessShell && { HEADLESS_SHELL: headlessShell }),
  };
  const options = { capture: true, timeout: STEP_TIMEOUT, env };
  const { code, output } = await runNpm(step.split(' '), options);
  const minutes = (performance.now() - start) / 60_000;
  isBuilt ||= step === BUILD && code === 0;
  console.log(`\n== npm ${step}\n${output}`);
  return { step, minutes, passed: code === 0, output };
}

/** Runs the next step as long as there is one, also after one has failed. */
async function runLane() {
  const results = [];
  for (let step = steps.shift(); step !== undefined; step = steps.shift())
    results.push(await runStep(step));
  return results;
}

/**
 * What a step says of its failures: of a long output nobody finds them, and not every machine keeps it.
 * @param {string} output
 */
function failuresIn(output) {
  const lines = output.split('\n');
  const shown = new Set();
  for (const [index, line] of lines.entries()) {
    if (!/^\s*(✗|✖|FAILED|Failed|The test page at|.*\bterminating\b)/i.test(line)) continue;
    for (let next = index; next < index + LINES_OF_A_FAILURE; next += 1) shown.add(next);
  }
  const found = lines.filter((_, index) => shown.has(index));
  return (found.length > 0 ? found : lines.slice(-LINES_OF_A_FAILURE)).slice(0, MAX_SHOWN_LINES);
}

/**
 * The titles of what failed, a line each: some machines show only the end of a run.
 * @param {string} output of the test runner, or of Node's
 */
function failedTitles(output) {
  const lines = output.split('\n').map((line) => line.trim());
  const titles = lines.flatMap((line, index) => {
    if (/^✗ \S+$/.test(line)) return [`${line} › ${lines[index + 1]}`];
    return /^✖ .+ \([\d.]+ms\)$/.test(line) ? [line] : [];
  });
  return [...new Set(titles)].slice(0, MAX_SHOWN_LINES);
}

// For a host that runs each step on a machine of its own: these build what they need themselves.
if (process.argv.includes('--list')) {
  console.log(JSON.stringify(steps.filter((step) => step !== BUILD)));
  process.exit();
}

const start = performance.now();
// Once for all, and before any step needs it.
await setUp();
await requireChromium();
const headlessShell = await ensureHeadlessShell();
// The others are needed later. Where one cannot be had its step says what to do.
void ensureFirefox()
  .then(ensureWebKit)
  .catch(() => undefined);
const results = (await Promise.all(Array.from({ length: LANES }, runLane))).flat();
const failed = results.filter(({ passed }) => !passed);
for (const { step, output } of failed)
  console.log(`\n== npm ${step} FAILED\n${failuresIn(output).join('\n')}\n`);
for (const { step, minutes, passed } of results)
  console.log(`${minutes.toFixed(1).padStart(5)} min  npm ${step}${passed ? '' : '  FAILED'}`);
const minutes = (performance.now() - start) / 60_000;
const names = failed.map(({ step }) => `npm ${step}`);
for (const { output } of failed) console.log(failedTitles(output).join('\n'));
console.log(`${minutes.toFixed(1).padStart(5)} min  all of it, in ${LANES} lanes`);
console.log(failed.length > 0 ? `\nFailed: ${names.join(', ')}` : '\nEverything passed.');
// A step that was killed may have left programs whose output is still open.
process.exit(failed.length > 0 ? 1 : 0);
