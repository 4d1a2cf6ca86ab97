// One run of a suite, and its results.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../project/run.mjs';
import { suiteProgram } from './suites.mjs';

/**
 * @typedef {object} Check what the suite writes of each
 * @property {string} id
 * @property {'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO'} status
 * @property {string} [errorMessage]
 *
 * @typedef {object} Scenario
 * @property {string} name
 * @property {boolean} passed
 * @property {string[]} problems
 */

const hook = new URL('glob-sync-hook.mjs', import.meta.url).href;

/**
 * Runs the scenarios of a suite against a server.
 * @param {string} suite
 * @param {string[]} args which scenarios
 * @param {string} url
 * @returns {Promise<Scenario[]>}
 * @throws where the suite itself fails
 */
export async function runSuite(suite, args, url) {
  const folder = mkdtempSync(join(tmpdir(), 'inpage-mcp-conformance-'));
  try {
    const program = ['--import', hook, suiteProgram(suite), 'server', '--url', url];
    const { output } = await run(process.execPath, [...program, '-o', folder, ...args], {
      capture: true,
    });
    const scenarios = readdirSync(folder).map((name) => scenarioIn(join(folder, name), name));
    const announced = /\((\d+) scenarios\) against/.exec(output)?.[1];
    if (scenarios.length !== Number(announced)) throw new Error(`The suite broke off:\n${output}`);
    return scenarios;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * @param {string} folder
 * @param {string} folderName `server-<scenario>-<time>`
 * @returns {Scenario}
 */
function scenarioIn(folder, folderName) {
  const name = folderName.replace(/^server-/, '').replace(/-\d{4}-\d\d-\d\dT.*$/, '');
  const path = join(folder, 'checks.json');
  if (!existsSync(path)) return { name, passed: false, problems: ['It broke off.'] };
  /** @type {Check[]} */
  const checks = JSON.parse(readFileSync(path, 'utf8'));
  const wrong = checks.filter(({ status }) => status === 'FAILURE' || status === 'WARNING');
  const isTested = checks.some(({ status }) => status === 'SUCCESS');
  const problems = wrong.map(
    ({ id, errorMessage = 'no reason given' }) => `${id}: ${errorMessage}`,
  );
  // A warning of the suite counts as a fault, too: it warns, for example, if changes of a list are not
  // notified.
  return { name, passed: isTested && wrong.length === 0, problems };
}
