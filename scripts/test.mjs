// `npm test`: sets everything up and runs the tests in headless Chromium. With `-- --browser firefox` or
// `webkit` they run in that one, with `-- --chosen` some of them. With `-- --all` (`npm run test:all`) long
// tests run, too, and with `-- --soak` they have the size that is documented. Other options are passed on to
// @web/test-runner: `npm test -- --watch`, `npm test -- --files test/store/note-store.test.ts`, which runs
// also the long tests of the file, unless it is `--quick`. A file that fails runs once more, alone, if the
// whole or the chosen tests run.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { writeLoaders } from './elements/loaders.mjs';
import { inRoot } from './project/project.mjs';
import { runNode } from './project/run.mjs';
import { setUp } from './setup.mjs';
import { chosenFiles } from './test-runner/chosen-files.mjs';
import { useMemoryForTemporaryFolders } from './test-runner/memory-folder.mjs';
import { Report } from './test-runner/report.mjs';

const own = /** @type {const} */ ({
  browser: { type: 'string', default: 'chromium' },
  chosen: { type: 'boolean', default: false },
  all: { type: 'boolean', default: false },
  soak: { type: 'boolean', default: false },
  quick: { type: 'boolean', default: false },
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
// These are for the test runner's configuration, and for the files that it bundles.
process.env['BROWSER'] = browserName;
const hasSecondTry = options.length === 0 && !values.all && !values.soak;
if (values.chosen) options.push('--files', ...chosenFiles);
// Of several windows of Firefox, only one has the focus, which most tests of elements need.
else if (browserName === 'firefox') options.push('--concurrency', '1');
// Only these files are bundled.
const chosen = valuesOf('--files');
if (chosen.length > 0) process.env['CHOSEN_FILES'] = chosen.join('\n');
const isWhole = values.all || (chosen.length > 0 && !values.chosen && !values.quick);
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

/** Prints the totals as the very last line, even if the process exits early. */
function reportAtExit() {
  process.once('exit', (code) => {
    // A run that broke down before any test could fail has still failed.
    if (code !== 0 && report.failed === 0)
      report.add({ file: 'npm test', passed: 0, skipped: 0, seconds: 0, failures: [BROKEN] });
    report.end();
  });
}

const BROKEN = { title: 'The run broke down.', text: 'The reason stands above.' };

/** Runs the tests. While watching, the runner's own reporter shows its menus instead of totals. */
async function runTests() {
  const { startTestRunner } = await import('@web/test-runner');
  const { SessionReporter } = await import('./test-runner/session-reporter.mjs');
  const config = watching ? {} : { reporters: [new SessionReporter(report)] };
  const runner = await startTestRunner({ config, argv: options, autoExitProcess: false });
  if (!runner) return;
  process.once('SIGINT', () => runner.stop());
  runner.on('stopped', async () => {
    if (watching) process.exit(0);
    if (hasSecondTry) await report.trySecondTime(runAlone);
    process.exit(report.failed > 0 || report.passed === 0 ? 1 : 0);
  });
}

/** @param {string} file */
async function runAlone(file) {
  const folder = mkdtempSync(join(tmpdir(), 'inpage-mcp-second-try-'));
  const env = { ...process.env, REPORT: join(folder, 'report') };
  const how = ['--browser', browserName, '--quick', '--concurrency', '1'];
  await runNode(inRoot('scripts/test.mjs'), [...how, '--files', file], { env, capture: true });
  const { passed, failures } = JSON.parse(readFileSync(env.REPORT, 'utf8'));
  rmSync(folder, { recursive: true });
  return { file, passed, failures, skipped: 0, seconds: 0 };
}

/** Makes sure that the browser is installed; otherwise ends the process with a text that says what to do. */
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

const report = new Report();
if (!watching) reportAtExit();
await setUp();
writeLoaders();
await ensureBrowser();
// A gibibyte, and other data of the documented size, belongs on a disk.
if (browserName === 'chromium' && !values.soak) useMemoryForTemporaryFolders();
await runTests();
