import { openStore, type NewNote, type Store } from '@inpage-mcp/store';
import { wrap, type Remote as Wrapped } from 'comlink';
import { answerOf } from './databases.js';
import { measure, must, type Candidate, type Results, type Timings } from './measure.js';
import { AUTHORIZATION, remoteOf, urlOf, type BenchRemote } from './sync-remotes.js';
import type { SyncDevice } from './sync.worker.js';

/** The page has no worker but those of syncs. */
export const watchesMemory = true;

/** scripts/bench.mjs starts them. */
export const needsSyncServers = true;

/** One takes some minutes. */
const ROUNDS = 1;
const NOTES = 10_000;
const TEXT = 'Some words that fill a line of a note.\n'.repeat(25);
/** A record of such a note as the server gets it, in bytes. */
const RECORD_BYTES = 1_100;
/** How many bare writes are on their way at once; as many as the engine has. */
const AT_ONCE = 100;
const CHANGES = 20;
const WRITES = 50;

/** How long changes take to the other devices of a user. */
export async function run(ports: { nats?: number; pouchdb: number }): Promise<Results> {
  const pouchdb = { engine: 'pouchdb', port: ports.pouchdb } as const;
  const nats = ports.nats === undefined ? [] : [{ engine: 'nats', port: ports.nats } as const];
  const store = await openStore('sync-from');
  const start = performance.now();
  await store.notes.createAll(manyNotes());
  const created = performance.now() - start;
  const candidates: Candidate[] = [
    () => Promise.resolve({ 'createAll of 10,000, without a server': created }),
    bareBulk(pouchdb),
  ];
  for (const server of [...nats, pouchdb]) candidates.push(twoDevices(store, server));
  for (const server of nats) candidates.push(bareWrites(server));
  const rows = await measure(candidates, { rounds: ROUNDS, warmUpRounds: 0 });
  store.close();
  const compared = [...nats, pouchdb].map(({ engine }): [string, string] => [
    `write during the first push, ${engine}`,
    `write without sync, ${engine}`,
  ]);
  return {
    name: 'sync',
    baseline: 'createAll of 10,000, without a server',
    rows,
    comparisons: compared,
  };
}

type Server = Omit<BenchRemote, 'name'>;

const placeAt = (server: Server): BenchRemote => ({
  ...server,
  name: `notes-${crypto.randomUUID()}`,
});

/** The first push, the first pull, and single changes between two devices. */
function twoDevices(store: Store, server: Server): Candidate {
  const { engine } = server;
  return async () => {
    const place = placeAt(server);
    const without = await medianWrite(store);
    const first = await join('sync-from', place);
    const during = await medianWrite(store);
    await first.idle;
    const push = performance.now() - first.joinedAt;
    const other = await openStore('sync-to');
    const second = await join('sync-to', place);
    await second.idle;
    const pull = performance.now() - second.joinedAt;
    must((await other.notes.count()) === (await store.notes.count()), 'not every note is there');
    const shown = await medianChange(store, other);
    await first.end();
    await second.end();
    other.close();
    await answerOf(indexedDB.deleteDatabase('sync-to'));
    return {
      [`first push of 10,000, ${engine}`]: push,
      [`first pull of 10,000, ${engine}`]: pull,
      [`change until it is shown, ${engine}`]: shown,
      [`write without sync, ${engine}`]: without,
      [`write during the first push, ${engine}`]: during,
    };
  };
}

/** Joins with a worker; `idle` when the device has sent and taken everything. */
async function join(databaseName: string, place: BenchRemote) {
  const worker = new Worker(new URL('./sync.worker.js', import.meta.url), { type: 'module' });
  const device: Wrapped<SyncDevice> = wrap<SyncDevice>(worker);
  await device.open(databaseName, place);
  await device.join();
  const joinedAt = performance.now();
  const end = async (): Promise<void> => {
    await device.leave();
    worker.terminate();
  };
  return { joinedAt, idle: whenIdle(device), end };
}

async function whenIdle(device: Wrapped<SyncDevice>): Promise<void> {
  for (;;) {
    const status = await device.status();
    must(status?.state !== 'waiting', `the server fails: ${status?.reason}`);
    if (status?.state === 'idle' && status.unsynced === 0 && status.syncedAt > 0) return;
    await pause(5);
  }
}

/** The time of a write that changes nothing in number. */
async function medianWrite(store: Store): Promise<number> {
  const { notes } = await store.notes.list({ limit: WRITES });
  const times = [];
  for (const { id } of notes) {
    const start = performance.now();
    await store.notes.update(id, { title: `Written ${start}` });
    times.push(performance.now() - start);
  }
  return medianOf(times);
}

/** From the acknowledgement of a change until the other device's listeners know it. */
async function medianChange(store: Store, other: Store): Promise<number> {
  const { notes } = await store.notes.list({ limit: 1 });
  const id = notes[0]?.id ?? '';
  const times = [];
  for (let change = 0; change < CHANGES; change += 1) {
    const shown = new Promise<void>((resolve) => {
      const stop = other.changes.listen((changes) => {
        if (!changes.some(({ key }) => key === id)) return;
        stop();
        resolve();
      });
    });
    await store.notes.update(id, { text: `${TEXT}${change}` });
    const start = performance.now();
    await shown;
    times.push(performance.now() - start);
    must((await other.notes.get(id)).text === `${TEXT}${change}`, 'another text is shown');
    await pause(100);
  }
  return medianOf(times);
}

/** As many documents of the same size, without an engine, in the largest requests that are sensible. */
function bareBulk(server: Server): Candidate {
  return async () => {
    const url = urlOf(placeAt(server));
    const headers = { authorization: AUTHORIZATION, 'content-type': 'application/json' };
    await fetch(url, { method: 'PUT', headers });
    const bytes = btoa('x'.repeat(RECORD_BYTES));
    const start = performance.now();
    for (let first = 0; first < NOTES; first += 1_000) {
      const docs = Array.from({ length: 1_000 }, (_, i) => ({ _id: `r-${first + i}`, bytes }));
      const body = JSON.stringify({ docs });
      const answer = await fetch(`${url}/_bulk_docs`, { method: 'POST', headers, body });
      must(answer.ok && ((await answer.json()) as unknown[]).length === 1_000, 'it refuses them');
    }
    return { 'bare _bulk_docs of 10,000, pouchdb': performance.now() - start };
  };
}

/** As many messages of the same size by the adapter, without an engine. */
function bareWrites(server: Server): Candidate {
  return async (): Promise<Timings> => {
    const { signal } = new AbortController();
    const remote = remoteOf(placeAt(server));
    await remote.state(signal);
    const bytes = new Uint8Array(RECORD_BYTES);
    const start = performance.now();
    for (let first = 0; first < NOTES; first += AT_ONCE)
      await Promise.all(
        Array.from({ length: AT_ONCE }, (_, i) => remote.put(`n-${first + i}`, bytes, '', signal)),
      );
    return { 'bare puts of 10,000 by the adapter, nats': performance.now() - start };
  };
}

const manyNotes = (): NewNote[] =>
  Array.from({ length: NOTES }, (_, index) => ({ title: `Note ${index}`, text: TEXT }));

const medianOf = (times: number[]): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
