// Reports every failure with its file, full title, message and stack, and keeps the totals.
import { relative } from 'node:path';
import { root } from '../project/project.mjs';
import { isUncaught, uncaughtText } from './uncaught-errors.mjs';

/**
 * @typedef {import('@web/test-runner').TestSession} TestSession
 * @typedef {import('@web/test-runner').TestSuiteResult} TestSuiteResult
 * @typedef {import('@web/test-runner').TestResultError} TestError
 * @typedef {{ title: string, passed: boolean, skipped: boolean, duration?: number,
 *   error?: TestError }} Test
 */

/** A test that takes longer is named, in ms: all of them together have a budget. */
const SLOW_MS = 4_000;

/**
 * A reporter with the totals of what it has seen: tests that passed, and failed tests plus files
 * that failed to load, failed outside their tests, or hold no test at all.
 */
export class TotalsReporter {
  passed = 0;
  failed = 0;
  skipped = 0;

  /** @param {import('@web/test-runner').ReportTestResultsArgs} args */
  reportTestFileResults({ sessionsForTestFile, testFile }) {
    const name = relative(root, testFile);
    for (const session of sessionsForTestFile) this.#reportSession(name, session);
  }

  /**
   * @param {string} file
   * @param {TestSession} session
   */
  #reportSession(file, session) {
    const tests = session.testResults ? testsOf(session.testResults, []) : [];
    const failures = [...tests.flatMap(failureOfTest), ...failuresOfFile(session, tests)];
    const passed = tests.filter((test) => test.passed && !test.skipped);
    const skipped = tests.filter((test) => test.skipped);
    this.passed += passed.length;
    this.failed += failures.length;
    this.skipped += skipped.length;
    const seconds = tests.reduce((sum, { duration = 0 }) => sum + duration / 1000, 0);
    const mark = failures.length > 0 ? '✗' : '✓';
    print(`${mark} ${file} (${passed.length} passed, ${seconds.toFixed(1)} s)`);
    for (const { title } of skipped) print(`  - skipped: ${title}`);
    for (const { title, duration = 0 } of tests)
      if (duration > SLOW_MS) print(`  - ${(duration / 1000).toFixed(1)} s: ${title}`);
    for (const failure of failures) print(`\n  ✗ ${file}\n${indent(failure)}\n`);
    if (failures.length > 0) printLogs(session);
  }
}

/**
 * @param {TestSuiteResult} suite
 * @param {string[]} titles those of the suites around it
 * @returns {Test[]}
 */
function testsOf({ name, tests, suites }, titles) {
  const path = name ? [...titles, name] : titles;
  const own = tests.map((test) => ({ ...test, title: [...path, test.name].join(' › ') }));
  return [...own, ...suites.flatMap((suite) => testsOf(suite, path))];
}

/** @param {Test} test */
function failureOfTest({ title, passed, skipped, error }) {
  return passed || skipped ? [] : [`${title}\n${errorText(error)}`];
}

/**
 * What went wrong outside the tests; together at most one failure for a file.
 * @param {TestSession} session
 * @param {Test[]} tests
 */
function failuresOfFile({ errors, logs, passed, request404s }, tests) {
  const found = [...errors.map(errorText), ...logs.filter(isUncaught).map(uncaughtText)];
  const missing = request404s.map((url) => `Not found: ${url}`);
  if (found.length > 0)
    return [['The file failed outside its tests.', ...found, ...missing].join('\n')];
  if (tests.length === 0) return ['The file holds no tests.'];
  // The runner knows of a failure that is none of the above.
  return passed || tests.some((test) => !test.passed) ? [] : ['The file failed.'];
}

/** @param {TestError | undefined} error */
function errorText(error) {
  if (!error) return 'failed without an error';
  const { name, message, stack = '', expected, actual } = error;
  const heading = name && !message.startsWith(name) ? `${name}: ${message}` : message;
  const difference = expected === undefined ? [] : [`expected: ${expected}`, `actual:   ${actual}`];
  return [heading, ...difference, stack.replace(message, '').trim()].filter(Boolean).join('\n');
}

/**
 * What the page logged: of use only when something failed.
 * @param {TestSession} session
 */
function printLogs({ logs }) {
  const others = logs.filter((log) => !isUncaught(log));
  for (const args of others) print(indent(`console: ${args.map(logText).join(' ')}`));
}

/** @param {unknown} value */
const logText = (value) => (typeof value === 'string' ? value : JSON.stringify(value));

/**
 * Not through console, which the runner's terminal buffers and decorates with control characters.
 * @param {string} text
 */
const print = (text) => process.stdout.write(`${text}\n`);

/** @param {string} text */
const indent = (text) => text.replaceAll(/^(?=.)/gm, '    ');
