// `npm test`: sets everything up and runs the tests in headless Chromium. With `-- --browser firefox`
// or `webkit` they run in that one, with `-- --chosen` some of them. With `-- --all` (`npm run test:all`)
// long tests run, too, and with `-- --soak` they have the size that is documented. Other options go on to
// @web/test-runner: `npm test -- --watch`, `npm test -- --files test/store/note-store.test.ts`.
import { parseArgs } from 'node:util';
import { writeLoaders } from './elements/loaders.mjs';
import { setUp } from './setup.mjs';
import { chosenFiles } from './test-runner/chosen-files.mjs';

/** @typedef {{ passed: number, failed: number, skipped: number }} Totals */

const own = /** @type {const} */ ({
  browser: { type: 'string', default: 'chromium' },
  chosen: { type: 'boolean', default: false },
  all: { type: 'boolean', default: false },
  soak: { type: 'boolean', default: false },
});
const { values, tokens } = parseArgs({ options: own, strict: false, tokens: true });
const taken = new Set(
  tokens.flatMap((token) => {
    if (token.kind !== 'option' || !(token.name in own)) return [];
    const isApart = token.value !== undefined && !token.inlineValue;
    return isApart ? [token.index, token.index + 1] : [token.index];
  }),
);
const options = process.argv.slice(2).filter((_, index) => !taken.has(index));
const watching = options.includes('--watch');
if (watching && !process.stdin.isTTY) {
  const { runAgain } = await import('./test-runner/run-again.mjs');
  await runAgain(process.argv.slice(2).filter((option) => option !== '--watch'));
}
const browserName = String(values.browser);
// For the test runner's configuration, and for what it bundles.
process.env['BROWSER'] = browserName;
if (values.chosen) options.push('--files', ...chosenFiles);
// Of several windows of Firefox only one has the focus, which most tests of elements need.
else if (browserName === 'firefox') options.push('--concurrency', '1');
// Only these are bundled.
const chosen = valuesOf('--files');
if (chosen.length > 0) process.env['CHOSEN_FILES'] = chosen.join('\n');
const isWhole = values.all || (chosen.length > 0 && !values.chosen);
process.env['TEST_SIZE'] = values.soak ? 'soak' : isWhole ? 'all' : 'quick';

/**
 * The values of an option that may have several, and may be repeated.
 * @param {string} name
 */
function valuesOf(name) {
  let isInside = false;
  return options.flatMap((option) => {
    if (option.startsWith('--')) isInside = option === name;
    else if (isInside) return [option];
    return option.startsWith(`${name}=`) ? [option.slice(name.length + 1)] : [];
  });
}

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

/** Ends the process with what to do when there is no such browser. */
async function ensureBrowser() {
  const { testedBrowsers } = await import('./test-runner/browsers.mjs');
  try {
    const browser = testedBrowsers[browserName];
    const names = Object.keys(testedBrowsers).join(', ');
    if (!browser) throw new Error(`There is no browser ${browserName}; there are ${names}.`);
    await browser.ensure();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  }
}

/** @type {import('./test-runner/reporter.mjs').TotalsReporter} */
let reporter;
if (!watching) printTotalsAtExit(() => reporter);
await setUp();
writeLoaders();
await ensureBrowser();
const { TotalsReporter } = await import('./test-runner/reporter.mjs');
reporter = new TotalsReporter();
await runTests();
