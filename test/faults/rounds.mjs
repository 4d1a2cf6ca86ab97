// How often each fault is made to happen, on which backends, and what is said about it in the end.
import { appendFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { chosenFaults } from '../../scripts/test-runner/chosen-files.mjs';
import { browserFor } from '../support/browsers/backends.mjs';
import { requireEnv } from '../support/browsers/killable-browser.mjs';

/**
 * @typedef {import('../support/browsers/killable-browser.mjs').Backend} Backend
 * @typedef {{ scenario: string, backend: Backend, rounds: number, figures: string }} Row
 * @typedef {{ ci: number, soak: number }} Rounds with `--soak`, and without
 * @typedef {object} Fault
 * @property {Backend} backend
 * @property {number} rounds how often to make it happen
 * @property {number} seed of what is drawn by chance
 * @property {import('../support/browsers/killable-browser.mjs').KillableBrowser} browser on a fresh profile, not started
 * @property {(figures: string) => void} report what to say in the table
 * @property {(reason: string) => void} skip
 * @property {boolean} keepsProfile whether the profile is to be kept if it fails
 */

/** Nothing takes that long: it ends what hangs. */
const TEST_TIMEOUT_MS = 300_000;
const ROUND_TIMEOUT_MS = 60_000;

/**
 * One test for each backend, at the same time.
 * @param {string} scenario what happens, in a few words
 * @param {number | Rounds} usualRounds on each backend, unless `--rounds` is given
 * @param {(fault: Fault) => Promise<void>} body
 * @param {{ only?: readonly Backend[], isOneRound?: boolean }} [options] where it cannot happen on all, and
 *   whether the body is one round: it is repeated then, each time on a fresh profile
 */
export function testFault(scenario, usualRounds, body, { only, isOneRound = false } = {}) {
  if (!new RegExp(process.env['FAULTS_ONLY'] ?? '').test(scenario)) return;
  const size = process.env['FAULTS_SOAK'] === undefined ? 'ci' : 'soak';
  const usual = typeof usualRounds === 'number' ? usualRounds : usualRounds[size];
  const isGate = process.env['FAULTS_CHOSEN'] !== undefined;
  const ownRounds = isGate ? chosenFaults.rounds[scenario] : usual;
  if (ownRounds === undefined) return;
  const rounds = Number(process.env['FAULTS_ROUNDS'] ?? ownRounds);
  const chosen = /** @type {Backend[]} */ (requireEnv('FAULTS_BACKENDS').split(','));
  const backends = chosen.filter((backend) => only === undefined || only.includes(backend));
  if (backends.length === 0) return;
  const timeout = TEST_TIMEOUT_MS + rounds * ROUND_TIMEOUT_MS;
  void suite(scenario, { concurrency: backends.length }, () => {
    for (const backend of backends) {
      void test(`${scenario}, on ${backend}`, { timeout }, async (context) => {
        const options = { scenario, rounds, body };
        const earlierRounds = isOneRound ? rounds - 1 : 0;
        for (let round = 0; round < earlierRounds; round += 1)
          await runOn(backend, context, { ...options, isReported: false });
        await runOn(backend, context, options);
      });
    }
  });
}

/**
 * @param {Backend} backend
 * @param {import('node:test').TestContext} context
 * @param {{ scenario: string, rounds: number, body: (fault: Fault) => Promise<void>, isReported?: boolean }} options
 */
async function runOn(backend, context, { scenario, rounds, body, isReported = true }) {
  const folder = await mkdtemp(join(tmpdir(), 'inpage-mcp-faults-'));
  const browser = browserFor(backend, { home: new URL(requireEnv('FAULTS_URL')), folder });
  const keepsProfile = process.env['FAULTS_KEEP'] !== undefined;
  const report = (/** @type {string} */ figures) => {
    if (!isReported) return;
    const row = { scenario, backend, rounds, figures };
    appendFileSync(requireEnv('FAULTS_RESULTS'), `${JSON.stringify(row)}\n`);
  };
  const skip = (/** @type {string} */ reason) => {
    report(`SKIPPED: ${reason}`);
    context.skip(reason);
  };
  const seed = Number(requireEnv('FAULTS_SEED'));
  let hasFailed = true;
  // What waits for a page that does not answer ends with the test.
  context.signal.addEventListener('abort', () => browser.kill(), { once: true });
  try {
    await body({ backend, rounds, seed, browser, report, skip, keepsProfile });
    hasFailed = false;
  } finally {
    browser.kill();
    await browser.ended();
    if (hasFailed && keepsProfile) context.diagnostic(`The profile is kept: ${browser.profile}`);
    else await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  }
}

/**
 * The middle and the largest, as a text.
 * @param {number[]} timesMs
 */
export function medianAndMax(timesMs) {
  const sorted = timesMs.toSorted((a, b) => a - b);
  const median = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  return `median ${Math.round(median)} ms, max ${Math.round(sorted.at(-1) ?? Number.NaN)} ms`;
}
