// `npm test`: sets everything up and runs the tests in headless Chromium. Options go on to
// @web/test-runner: `npm test -- --watch`, `npm test -- --files test/store/note-store.test.ts`. With
// `-- --soak` tests that are long because of their size have the size that is documented.
import { requireChromium } from './chromium.mjs';
import { setUp } from './setup.mjs';

/** @typedef {{ passed: number, failed: number, skipped: number }} Totals */

const options = process.argv.slice(2).filter((option) => option !== '--soak');
process.env['SOAK'] = String(process.argv.includes('--soak'));
const watching = options.includes('--watch');

/**
 * Prints the totals as the very last line, however the process ends. Written straight to stdout,
 * because the runner's terminal buffers what goes through console.
 * @param {() => Totals | undefined} totals
 */
function printTotalsAtExit(totals) {
  process.once('exit', (code) => {
    const { passed = 0, failed = 0, skipped = 0 } = totals() ?? {};
    // A run that broke down before any test could fail has still failed.
    const failures = code !== 0 && failed === 0 ? 1 : failed;
    if (skipped > 0) process.stdout.write(`\n${skipped} skipped\n`);
    process.stdout.write(`\n${passed} passed, ${failures} failed\n`);
  });
}

/** While watching, the runner's own reporter shows its menus instead of totals. */
async function runTests() {
  const { startTestRunner } = await import('@web/test-runner');
  const config = watching ? {} : { reporters: [reporter] };
  const runner = await startTestRunner({ config, argv: options, autoExitProcess: false });
  if (!runner) return;
  process.once('SIGINT', () => runner.stop());
  runner.on('stopped', (passed) => {
    process.exit(watching || (passed && reporter.failed === 0) ? 0 : 1);
  });
}

/** @type {import('./test-runner/reporter.mjs').TotalsReporter} */
let reporter;
if (!watching) printTotalsAtExit(() => reporter);
await setUp();
// For the test runner's configuration, which looks for a browser too.
process.env['CHROME_PATH'] = await requireChromium();
const { TotalsReporter } = await import('./test-runner/reporter.mjs');
reporter = new TotalsReporter();
await runTests();
