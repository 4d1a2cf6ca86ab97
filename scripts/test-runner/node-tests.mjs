// Runs test files with Node's test runner, each in a separate process, and reports as `npm test` does.
import { relative } from 'node:path';
import { run } from 'node:test';
import { inRoot, root } from '../project/project.mjs';
import { print, Report } from './report.mjs';

/** @typedef {import('./report.mjs').FileResult} FileResult */

/** The timeout of a file, in ms: only for a file that hangs. */
const TIMEOUT_MS = 600_000;

/** The maximum number of lines that are shown of a file that failed outside its tests. */
const MAX_OUTPUT_LINES = 12;

/**
 * @typedef {object} HowToRun
 * @property {number} atATime the number of files that run at the same time
 * @property {boolean} hasSecondTry whether a file that has failed runs once more, alone
 * @property {boolean} [forceExit] whether a file ends with its last test, although something keeps its
 *   process alive
 * @property {number} [timeoutMs] of a file
 * @property {(error: string) => boolean} [isFinal] whether a second try must not hide such an error. Default:
 *   none is
 */

/**
 * @param {readonly string[]} files
 * @param {HowToRun} how
 * @param {(report: Report) => void} [addMore] adds other results of the run, which have no second try
 * @returns {Promise<number>} the exit code
 */
export async function runNodeTests(files, how, addMore) {
  const report = new Report();
  const waiting = [...files];
  const runLane = async () => {
    for (let file = waiting.shift(); file !== undefined; file = waiting.shift())
      report.add(await runFile(file, how));
  };
  await Promise.all(Array.from({ length: how.atATime }, runLane));
  if (how.hasSecondTry) await report.trySecondTime((file) => runFile(file, how));
  addMore?.(report);
  report.end();
  return report.failed > 0 ? 1 : 0;
}

/**
 * @param {string} file
 * @param {HowToRun} how
 * @returns {Promise<FileResult>}
 */
async function runFile(file, { forceExit = false, timeoutMs = TIMEOUT_MS, isFinal = () => false }) {
  const path = inRoot(file);
  const start = performance.now();
  /** @type {string[]} */
  const lines = [];
  /** @type {Set<string>} */
  const running = new Set();
  /** @type {FileResult['failures']} */
  const failures = [];
  let passed = 0;
  let skipped = 0;
  let ofFile = '';
  for await (const { type, data } of run({ files: [path], timeout: timeoutMs, forceExit })) {
    if (type === 'test:stdout' || type === 'test:stderr') lines.push(data.message.trimEnd());
    if (type === 'test:dequeue' && data.name !== path) running.add(data.name);
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    running.delete(data.name);
    const error = type === 'test:fail' ? textOf(data.details.error) : '';
    if (data.name === path) ofFile = error;
    // A suite that is skipped has no tests.
    else if (data.skip !== undefined) skipped += 1;
    // The tests of a suite are counted separately.
    else if (data.details.type === 'suite' && (!error || error.includes('subtest'))) continue;
    else if (type === 'test:pass') passed += 1;
    else failures.push({ title: data.name, text: error, isFinal: isFinal(error) });
    if (data.name === path) continue;
    const mark = data.skip !== undefined ? '-' : error ? '✖' : '✔';
    lines.push(`${mark} ${data.name} (${(data.details.duration_ms / 1000).toFixed(1)} s)`);
  }
  const text = [ofFile, ...lines].join('\n').trim().split('\n').slice(-MAX_OUTPUT_LINES).join('\n');
  if (ofFile && failures.length === 0) {
    const title = running.size > 0 ? [...running].join(', ') : 'The file failed outside its tests.';
    failures.push({ title, text: `${ofFile}\n${text}`, isFinal: isFinal(text) });
  }
  if (passed + skipped + failures.length === 0)
    failures.push({ title: 'The file holds no tests.', text });
  print(`\n${lines.join('\n')}`);
  const seconds = (performance.now() - start) / 1000;
  return { file: relative(root, path), passed, skipped, failures, seconds };
}

/**
 * The text of an error that has come from the process of a file.
 * @param {Error & { cause?: unknown }} error
 */
function textOf({ message, cause }) {
  return cause instanceof Error ? (cause.stack ?? cause.message) : message || String(cause);
}
