// Reports every failure with its file, full title, message and stack.
import { relative } from 'node:path';
import { root } from '../project/project.mjs';
import { indent, print } from './report.mjs';
import { isUncaught, uncaughtText } from './uncaught-errors.mjs';

/**
 * @typedef {import('@web/test-runner').TestSession} TestSession
 * @typedef {import('@web/test-runner').TestSuiteResult} TestSuiteResult
 * @typedef {import('@web/test-runner').TestResultError} TestError
 * @typedef {{ title: string, passed: boolean, skipped: boolean, duration?: number,
 *   error?: TestError }} Test
 */

/** The duration in ms above which a test is named, because all tests together have a budget. */
const SLOW_MS = 4_000;

/** Passes the results of @web/test-runner's sessions to the report of a run. */
export class SessionReporter {
  #report;

  /** @param {import('./report.mjs').Report} report */
  constructor(report) {
    this.#report = report;
  }

  /** @param {import('@web/test-runner').ReportTestResultsArgs} args */
  reportTestFileResults({ sessionsForTestFile, testFile }) {
    for (const session of sessionsForTestFile)
      this.#reportSession(relative(root, testFile), session);
  }

  /**
   * @param {string} file
   * @param {TestSession} session
   */
  #reportSession(file, session) {
    const tests = session.testResults ? testsOf(session.testResults, []) : [];
    const failures = [...tests.flatMap(failureOfTest), ...failuresOfFile(session, tests)];
    const skipped = tests.filter((test) => test.skipped);
    const passed = tests.filter((test) => test.passed && !test.skipped).length;
    const seconds = tests.reduce((sum, { duration = 0 }) => sum + duration / 1000, 0);
    this.#report.add({ file, passed, skipped: skipped.length, failures, seconds });
    for (const { title } of skipped) print(`  - skipped: ${title}`);
    for (const { title, duration = 0 } of tests)
      if (duration > SLOW_MS) print(`  - ${(duration / 1000).toFixed(1)} s: ${title}`);
    if (failures.length > 0) printLogs(session);
  }
}

/**
 * @param {TestSuiteResult} suite
 * @param {string[]} titles the titles of the suites around it
 * @returns {Test[]}
 */
function testsOf({ name, tests, suites }, titles) {
  const path = name ? [...titles, name] : titles;
  const own = tests.map((test) => ({ ...test, title: [...path, test.name].join(' › ') }));
  return [...own, ...suites.flatMap((suite) => testsOf(suite, path))];
}

/** @param {Test} test */
function failureOfTest({ title, passed, skipped, error }) {
  return passed || skipped ? [] : [{ title, text: errorText(error) }];
}

/**
 * The failures outside the tests; together at most one failure for a file.
 * @param {TestSession} session
 * @param {Test[]} tests
 */
function failuresOfFile({ errors, logs, passed, request404s }, tests) {
  const found = [...errors.map(errorText), ...logs.filter(isUncaught).map(uncaughtText)];
  const missing = request404s.map((url) => `Not found: ${url}`);
  const text = [...found, ...missing].join('\n');
  if (found.length > 0) return [{ title: 'The file failed outside its tests.', text }];
  if (tests.length === 0) return [{ title: 'The file holds no tests.', text }];
  // The runner knows of a failure that is not one of the above.
  return passed || tests.some((test) => !test.passed) ? [] : [{ title: 'The file failed.', text }];
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
 * Prints the log of the page, which is needed only after a failure.
 * @param {TestSession} session
 */
function printLogs({ logs }) {
  const others = logs.filter((log) => !isUncaught(log));
  for (const args of others) print(indent(`console: ${args.map(logText).join(' ')}`));
}

/** @param {unknown} value */
const logText = (value) => (typeof value === 'string' ? value : JSON.stringify(value));
