// Several tabs write all kinds of things at the same time, and the whole browser is killed.
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { MixedLoad } from './mixed-load.mjs';
import { medianAndMax, testFault } from './rounds.mjs';

/** So often a profile is killed before there is a fresh one. */
const KILLS_OF_A_PROFILE = 6;

/** Where everything is lost not each entry is of interest. */
const MAX_PROBLEMS_SHOWN = 12;

testFault('kill −9 while all kinds of things are written', { ci: 3, soak: 6 }, async (fault) => {
  const { backend, browser, rounds, seed, report, keepsProfile } = fault;
  const failures = [];
  const loads = [];
  for (let kills = 0; kills < rounds; kills += KILLS_OF_A_PROFILE) {
    const load = new MixedLoad(browser, seed + loads.length, keepsProfile);
    loads.push(load);
    const count = Math.min(KILLS_OF_A_PROFILE, rounds - kills);
    const { round, problems } = await killAgainAndAgain(load, count);
    if (problems.length > 0) {
      const profileSeed = seed + loads.length - 1;
      const options = `--scenario mix --backend ${backend} --seed ${profileSeed} --rounds ${round}`;
      failures.push([...shown(problems), `npm run test:faults -- ${options}`].join('\n'));
      if (keepsProfile) break;
    }
    browser.kill();
    await browser.ended();
    rmSync(browser.profile, { recursive: true, maxRetries: 10, retryDelay: 50 });
  }
  const sum = (/** @type {number[]} */ numbers) => numbers.reduce((total, next) => total + next, 0);
  report(
    `seed ${seed}: ${sum(loads.map(({ acknowledged }) => acknowledged))} calls acknowledged, ` +
      `${sum(loads.map(({ unacknowledged }) => unacknowledged))} transactions ` +
      `committed unacknowledged; wrong in ${failures.length} of ${loads.length} profiles; ` +
      `reopened: ${medianAndMax(loads.flatMap(({ opens }) => opens))}`,
  );
  if (failures.length > 0) assert.fail(failures.join('\n\n'));
});

/**
 * @param {MixedLoad} load
 * @param {number} kills
 * @returns {Promise<{ round: number, problems: string[] }>} what was wrong first, after how many kills
 */
async function killAgainAndAgain(load, kills) {
  let round = 0;
  try {
    await load.start();
    while (round < kills) {
      round += 1;
      const problems = await load.killOnce(round);
      if (problems.length > 0) return { round, problems };
    }
    return { round, problems: await load.finish() };
  } catch (error) {
    return { round, problems: [error instanceof Error ? String(error.stack) : String(error)] };
  }
}

/** @param {string[]} problems */
function shown(problems) {
  const more = problems.length - MAX_PROBLEMS_SHOWN;
  return more > 0 ? [...problems.slice(0, MAX_PROBLEMS_SHOWN), `… and ${more} more`] : problems;
}
