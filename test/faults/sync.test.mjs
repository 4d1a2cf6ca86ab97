// Devices sync over a real server, while their browsers and the server are killed at any moment.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFirefox } from '../../scripts/browsers/firefox.mjs';
import { findNatsServer } from '../../scripts/browsers/nats-server.mjs';
import { browserFor, CHROMIUM } from '../support/browsers/backends.mjs';
import { couchServer, natsServers } from '../support/sync/sync-servers.mjs';
import { callPage } from './call-page.mjs';
import { Random } from './random.mjs';
import { testFault } from './rounds.mjs';
import { SHARED, SyncedDevice } from './synced-device.mjs';

/** How long the devices write in each round, in milliseconds. */
const ROUND_MS = 3_000;

/** How long the server lives between two kills, and how long it is away, in milliseconds. */
const MAX_SERVER_LIFE_MS = 4_000;
const MAX_SERVER_AWAY_MS = 1_000;

/** How long it may take until all devices have the same, in milliseconds; in the soak a thousand entries. */
const CONVERGED_MS = process.env['FAULTS_SOAK'] === undefined ? 60_000 : 300_000;

/** What each of three devices has in the soak: together about 1,000 notes and 50 files. */
const MANY = { notes: 340, files: 17 };

const MAX_PROBLEMS_SHOWN = 12;

testFault(
  'kill −9 of devices and their server while they sync',
  { ci: 4, soak: 500 },
  async ({ backend, browser, rounds, seed, report }) => {
    const folder = mkdtempSync(join(tmpdir(), 'inpage-mcp-faults-sync-'));
    const { engine, server } = await openServer();
    const place = { engine, port: server.port };
    const browsers = [
      browser,
      browserFor(backend, { home: browser.home, folder }),
      ...others(browser, folder),
    ];
    const isSoak = process.env['FAULTS_SOAK'] !== undefined;
    const amount = isSoak ? MANY : undefined;
    const devices = browsers.map((one, number) => new SyncedDevice(one, number, place, amount));
    const ending = new AbortController();
    /** @type {Promise<number> | undefined} */
    let serverKills;
    try {
      const problems = [];
      let kills = 0;
      await Promise.all(devices.map((device) => device.open()));
      const [first] = devices;
      assert.ok(first);
      await callPage(first.tab, 'callSynced', { type: 'note', title: SHARED, text: 'Shared' });
      if (isSoak) await Promise.all(devices.map((device) => device.fill()));
      serverKills = killAgainAndAgain(server, new Random(seed), ending.signal);
      for (let round = 1; round <= rounds && problems.length === 0; round += 1) {
        const killed = await writeAndKill(devices, seed, round);
        kills += killed.length;
        await Promise.all(killed.map((device) => device.open()));
        const found = await Promise.all(killed.map((device) => device.compareOwn()));
        problems.push(...found.flat());
      }
      ending.abort();
      const killedServers = await serverKills;
      const startedAt = performance.now();
      if (problems.length === 0) problems.push(...(await differences(devices)));
      const sum = (/** @type {(device: SyncedDevice) => number} */ of) =>
        devices.reduce((total, device) => total + of(device), 0);
      report(
        `seed ${seed}, ${engine}: ${sum(({ acknowledged }) => acknowledged)} calls acknowledged, ` +
          `${kills} browsers and ${killedServers} servers killed, ` +
          `${sum(({ keyChanges }) => keyChanges)} changes of keys; the same after ` +
          `${Math.round(performance.now() - startedAt)} ms`,
      );
      assert.deepEqual(problems.slice(0, MAX_PROBLEMS_SHOWN), []);
    } finally {
      ending.abort();
      await serverKills;
      await Promise.all(devices.map((device) => device.kill()));
      await server.remove();
      rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
    }
  },
  { only: CHROMIUM },
);

/**
 * In the soak, where there is Firefox, a device of another kind.
 * @param {import('../support/browsers/killable-browser.mjs').KillableBrowser} browser
 * @param {string} folder
 */
function others({ backend, home }, folder) {
  const path = findFirefox();
  // Of the two tests at the same time, one has it.
  if (process.env['FAULTS_SOAK'] === undefined || backend !== 'leveldb' || !path) return [];
  process.env['FIREFOX_PATH'] = path;
  return [browserFor('firefox', { home, folder: join(folder, 'firefox') })];
}

async function openServer() {
  const [nats] = findNatsServer() === undefined ? [] : await natsServers(1);
  const server = nats ?? (await couchServer());
  await server.start();
  return { engine: /** @type {'nats' | 'pouchdb'} */ (nats ? 'nats' : 'pouchdb'), server };
}

/**
 * Lets all devices write, and kills one of them or all.
 * @param {SyncedDevice[]} devices
 * @param {number} seed
 * @param {number} round
 * @returns {Promise<SyncedDevice[]>} those that were killed
 */
async function writeAndKill(devices, seed, round) {
  const random = new Random(seed, round);
  const victims = devices.filter(() => random.next() < 0.6);
  if (victims.length === 0) victims.push(random.pick(devices));
  const endMs = Date.now() + ROUND_MS;
  const writing = devices.map(async (device, number) => {
    const isVictim = victims.includes(device);
    try {
      await device.write(new Random(seed, round, number), endMs);
    } catch (error) {
      if (!isVictim) throw error;
    }
  });
  const killing = victims.map(async (victim) => {
    // Some are killed while the others still write, and some while they only sync.
    await sleep(random.between(0, ROUND_MS * 1.3));
    await victim.kill();
  });
  await Promise.all([...writing, ...killing]);
  return victims;
}

/**
 * Kills a server, and starts it again, until the signal is aborted.
 * @param {import('../support/sync/sync-servers.mjs').SyncServer} server
 * @param {Random} random
 * @param {AbortSignal} signal
 * @returns {Promise<number>} how often
 */
async function killAgainAndAgain(server, random, signal) {
  let kills = 0;
  for (;;) {
    await sleep(random.between(0, MAX_SERVER_LIFE_MS), undefined, { signal }).catch(
      () => undefined,
    );
    if (signal.aborted) return kills;
    await server.end('SIGKILL');
    kills += 1;
    await sleep(random.between(0, MAX_SERVER_AWAY_MS));
    await server.start();
  }
}

/**
 * Waits until all devices have everything, and looks whether it is what they have written.
 * @param {SyncedDevice[]} devices
 * @returns {Promise<string[]>} what is not
 */
async function differences(devices) {
  const endMs = Date.now() + CONVERGED_MS;
  let problems = ['Nobody has looked.'];
  // Each comparison of all records takes a while: asked for another one at each look, a slow device would
  // never rest.
  let asked = devices;
  while (problems.length > 0 && Date.now() < endMs) {
    await Promise.all(asked.map(({ tab }) => callPage(tab, 'syncNow')));
    // timed: between two looks.
    await sleep(200);
    const statuses = await Promise.all(devices.map(({ tab }) => callPage(tab, 'syncStatus')));
    const busy = statuses.filter(
      ({ state, unsynced, unfetched }) => state !== 'idle' || unsynced + unfetched > 0,
    );
    problems = busy.map((status) => `Not in sync: ${JSON.stringify(status)}`);
    // One that waits for its server need not wait longer.
    asked = devices.filter((_, index) => statuses[index]?.state === 'waiting');
    if (busy.length > 0) continue;
    problems = await compareAll(devices);
    if (problems.length === 0) break;
    // What was refused tells why.
    problems.unshift(JSON.stringify(statuses.map(({ refused }) => refused)));
    asked = devices;
  }
  return problems;
}

/** @param {SyncedDevice[]} devices */
async function compareAll(devices) {
  const all = await Promise.all(devices.map(({ tab }) => callPage(tab, 'readSynced')));
  const [found = []] = all;
  const problems = all.flatMap((other, number) => {
    const keys = differing(other, found);
    return keys.length === 0
      ? []
      : [`Other than on the first device, on ${number}: ${keys.join()}`];
  });
  const isShared = (/** @type {string} */ key) => key.startsWith(`note ${SHARED}`);
  // Also in copies of the note.
  const shared = found.filter(([key]) => isShared(key)).map(([, text]) => text);
  const lost = devices
    .flatMap(({ lines }) => lines)
    .filter((line) => !shared.some((text) => text.includes(line)))
    .map((line) => `The line ${line} is lost.`);
  const expected = devices.flatMap(({ state }) => [...state]).toSorted(byKey);
  const own = found.filter(([key]) => !isShared(key)).toSorted(byKey);
  const wrong = differing(own, expected).map(
    (key) => `${key} is not as its device has written it.`,
  );
  return [...problems, ...lost, ...wrong];
}

/** @param {[string, string]} one @param {[string, string]} other */
const byKey = ([one], [other]) => (one < other ? -1 : 1);

/**
 * The keys that are missing, too much, or differ.
 * @param {[string, string][]} found
 * @param {[string, string][]} expected
 */
function differing(found, expected) {
  const [is, should] = [new Map(found), new Map(expected)];
  const keys = [...found, ...expected].map(([key]) => key);
  const twice = found.filter(([key], index) => found[index + 1]?.[0] === key).map(([key]) => key);
  return [...new Set([...keys.filter((key) => is.get(key) !== should.get(key)), ...twice])];
}
