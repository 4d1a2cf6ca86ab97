// The results of a run of test files, for each runner: the printed lines, and the second try of a file that
// has failed. `.ci/run` reads the results of a command from the file that REPORT names.
import { appendFileSync } from 'node:fs';

/**
 * @typedef {object} Failure
 * @property {string} title
 * @property {string} text the error
 * @property {boolean} [isFinal] whether a second try must not hide it
 */

/**
 * @typedef {object} FileResult
 * @property {string} file relative to the repository
 * @property {number} passed how many tests
 * @property {number} skipped
 * @property {Failure[]} failures
 * @property {number} seconds
 */

/** @typedef {{ passed: number, failures: (Failure & { file: string })[], flaky: { file: string, title: string }[] }} Results */

/** The maximum number of files that can have failed by bad luck in one run. */
export const MAX_FLAKY = 3;

/**
 * The maximum number of lines of an error at the end of a run; the whole error is printed where it happened.
 */
const MAX_ERROR_LINES = 14;

export class Report {
  /** @type {Map<string, FileResult>} */
  #files = new Map();
  /** @type {Results['flaky']} */
  #flaky = [];

  get passed() {
    return [...this.#files.values()].reduce((sum, { passed }) => sum + passed, 0);
  }

  get failed() {
    return this.#failures().length;
  }

  /**
   * Prints the result of a file, which replaces its earlier results.
   * @param {FileResult} result
   */
  add(result) {
    const { file, passed, failures, seconds } = result;
    this.#files.set(file, result);
    print(`${failures.length > 0 ? '✗' : '✓'} ${file} (${passed} passed, ${seconds.toFixed(1)} s)`);
    for (const { title, text } of failures)
      print(`\n  ✗ ${file}\n${indent(`${title}\n${text}`)}\n`);
  }

  /**
   * Runs the files once more that have failed, one after the other, when nothing else runs. If a file then
   * passes, the load of the machine made it fail: it is reported as flaky, and does not fail the run.
   * @param {(file: string) => Promise<FileResult | undefined>} runAlone
   */
  async trySecondTime(runAlone) {
    const failed = [...this.#files.values()].filter(({ failures }) => failures.length > 0);
    const isFinal = failed.some(({ failures }) => failures.some((failure) => failure.isFinal));
    if (failed.length === 0 || failed.length > MAX_FLAKY || isFinal) return;
    print(`\nOnce more, alone: ${failed.map(({ file }) => file).join(', ')}`);
    for (const { file, failures } of failed) {
      const second = await runAlone(file);
      if (!second) continue;
      this.add(second);
      if (second.failures.length > 0) continue;
      for (const { title } of failures) this.#flaky.push({ file, title });
    }
  }

  /** Prints the totals as the last line, and leaves the results for `.ci/run`. */
  end() {
    const skipped = [...this.#files.values()].reduce((sum, result) => sum + result.skipped, 0);
    if (skipped > 0) print(`\n${skipped} skipped`);
    print(`\n${endOf({ passed: this.passed, failures: this.#failures(), flaky: this.#flaky })}`);
  }

  #failures() {
    return [...this.#files.values()].flatMap(({ file, failures }) =>
      failures.map((failure) => ({ file, ...failure })),
    );
  }
}

/**
 * The last lines of a run, which are also left for `.ci/run`.
 * @param {Results} results
 */
function endOf(results) {
  const { REPORT } = process.env;
  if (REPORT) appendFileSync(REPORT, `${JSON.stringify(results)}\n`);
  const { passed, failures, flaky } = results;
  return [...flakyLines(flaky), `${passed} passed, ${failures.length} failed`].join('\n');
}

/** @param {Results['flaky']} flaky @param {string} [step] */
export const flakyLines = (flaky, step = '') =>
  flaky.map(({ file, title }) => `Flaky, passes alone: ${step}${file} › ${title}`);

/** @param {Results['failures'][number]} failure */
export const failureLines = ({ file, title, text }) =>
  [`✗ ${file}`, title, ...text.split('\n').slice(0, MAX_ERROR_LINES)].join('\n    ');

/**
 * Prints a line, but not through console, which the terminal of @web/test-runner buffers and decorates with
 * control characters.
 * @param {string} text
 */
export const print = (text) => process.stdout.write(`${text}\n`);

/** @param {string} text */
export const indent = (text) => text.replaceAll(/^(?=.)/gm, '    ');
