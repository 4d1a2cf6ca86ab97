// What `npm run fuzz` prints.

/**
 * @typedef {{ [name: string]: number }} Counts
 * @typedef {{ check: string, text: string, seed: number, from: number, count: number }} Failure
 * @typedef {object} Report what the page has seen: `Report` of test/fuzz/main.ts
 * @property {{ [check: string]: string }} checks
 * @property {Failure[]} failures
 * @property {Counts} kinds
 * @property {Counts} values
 * @property {Counts} codes
 * @property {number} sent
 * @property {number} uncloneable
 * @property {number} durationMs
 * @typedef {{ name: string, problems: string[] }} Check
 * @typedef {{ thread: string, before: number, after: number, closed: number }} Memory in bytes: before
 *   the run, after it, and when its connections have ended
 */

/**
 * @param {Report} report
 * @param {Memory[]} memories
 */
export function printRun({ kinds, values, codes, sent, uncloneable, durationMs }, memories) {
  printCounts('messages', kinds);
  printCounts('hostile values in them', values);
  printCounts('answers, by error code', codes);
  const perSecond = Math.round(sent / (durationMs / 1_000));
  console.log(`\n${sent} messages posted in ${(durationMs / 1_000).toFixed(1)} s: ${perSecond}/s`);
  console.log(`${uncloneable} that cannot be posted`);
  for (const { thread, before, after, closed } of memories) {
    const steps = [before, after, closed].map((bytes) => inMegabytes(bytes)).join(' → ');
    console.log(`memory of the ${thread}: ${steps} (before, after, connections closed)`);
  }
}

/**
 * @param {string} title
 * @param {Counts} counts
 */
function printCounts(title, counts) {
  console.log(`\n${title}`);
  const rows = Object.entries(counts).toSorted(([, a], [, b]) => b - a);
  for (const [name, count] of rows) console.log(`${String(count).padStart(8)}  ${name}`);
}

/** @param {number} bytes */
export const inMegabytes = (bytes) => `${(bytes / 1024 / 1024).toFixed(1)} MB`;

/**
 * @param {Report} report
 * @returns {Check[]}
 */
export function checksOf({ checks, failures }) {
  return Object.entries(checks).map(([check, name]) => ({
    name,
    problems: failures.filter((failure) => failure.check === check).map(described),
  }));
}

/** @param {Failure} failure */
function described({ text, seed, from, count }) {
  return `${text}\n      npm run fuzz -- --seed ${seed} --from ${from} --count ${count}`;
}

/**
 * Prints what failed, and the totals as the last line.
 * @param {Check[]} checks
 * @returns {boolean} whether none failed
 */
export function printChecks(checks) {
  console.log('');
  for (const { name, problems } of checks) {
    console.log(`${problems.length === 0 ? 'ok    ' : 'FAILED'}  ${name}`);
    for (const problem of problems) console.log(`    ${problem}`);
  }
  const failed = checks.filter(({ problems }) => problems.length > 0).length;
  console.log(`\n${checks.length - failed} checks passed, ${failed} failed`);
  return failed === 0;
}
