import { expect } from '@esm-bundle/chai';
import { openStore, type OpeningProgress, type Store, type StoreError } from '@inpage-mcp/store';
import { answerOf, deleteDatabase, freshDatabaseName } from '../support/database.js';
import { dumpDatabase } from '../support/database-dump.js';
import { failureOf } from '../support/failure.js';
import { useFakeTimers } from '../support/fake-timers.js';
import { makeLargeDatabase } from '../support/large-database.js';
import { eventually } from '../support/within.js';

const BLOCKED_MS = 4_000;
const STALLED_MS = 30_000;

/** Of version 1: so many are several batches of its migration. */
const NOTES = 1_000;

/** An open, and the progress that it has reported. */
interface Opening {
  store: Promise<Store>;
  reports: OpeningProgress[];
  /** Resolves once it has reported this. */
  whenReported(state: OpeningProgress['state']): Promise<void>;
}

describe('an open that takes long', () => {
  const timers = useFakeTimers();
  let name: string;

  beforeEach(() => {
    name = freshDatabaseName();
  });

  afterEach(() => deleteDatabase(name));

  const open = (): Opening => {
    const reports: OpeningProgress[] = [];
    const waiting: (() => void)[] = [];
    const store = openStore(name, {
      onprogress: (progress) => {
        reports.push(progress);
        for (const look of waiting) look();
      },
    });
    store.catch(() => undefined);
    const whenReported = async (state: OpeningProgress['state']) =>
      await new Promise<void>((resolve) => {
        const look = () => void (reports.some((one) => one.state === state) && resolve());
        waiting.push(look);
        look();
      });
    return { store, reports, whenReported };
  };
  const failure = async ({ store }: Opening): Promise<StoreError> =>
    (await failureOf(store)) as StoreError;

  it('reports how far an upgrade is', async () => {
    await makeLargeDatabase(name, 1, NOTES);
    const { store, reports } = open();
    (await store).close();
    expect(new Set(reports.map(({ state }) => state))).to.deep.equal(new Set(['upgrading']));
    const done = reports.map((one) => one.done);
    expect(done).to.deep.equal(done.toSorted((a, b) => a - b));
    expect(done.length).to.be.above(3);
    expect(reports[0]).to.include({ done: 0 });
    expect(reports.at(-1)).to.include({ done: NOTES, total: NOTES });
  });

  it('reports nothing of a database that is new, or up to date', async () => {
    const first = open();
    (await first.store).close();
    const second = open();
    (await second.store).close();
    expect([...first.reports, ...second.reports]).to.deep.equal([]);
  });

  it('is not ended by a listener that throws', async () => {
    const { onerror } = window;
    const errors: unknown[] = [];
    window.onerror = (message) => void errors.push(message);
    await makeLargeDatabase(name, 1, 1);
    const onprogress = (): void => {
      throw new Error('of the listener');
    };
    (await openStore(name, { onprogress })).close();
    window.onerror = onerror;
    expect(errors.length).to.be.above(0);
    expect(String(errors[0])).to.contain('of the listener');
  });

  it('reports the upgrade of another tab that it waits for, and is not ended by it', async () => {
    await makeLargeDatabase(name, 1, NOTES);
    const upgrading = open();
    const waiting = open();
    await waiting.whenReported('upgrading');
    (await upgrading.store).close();
    (await waiting.store).close();
    // The last of it may come after the database, when nobody waits for it any more.
    const counts = waiting.reports.map(({ done }) => done);
    expect(counts.at(-1)).to.be.at.least(NOTES / 2);
  });

  it('waits for another tab without blaming it where the browser does not', async () => {
    const other = await holdUpgrade(name);
    const waiting = open();
    timers.pass(STALLED_MS - 1);
    other.letGo();
    (await waiting.store).close();
    expect(waiting.reports.map(({ state }) => state)).not.to.include('blocked');
  });

  it('goes on waiting as long as there is progress in another tab', async () => {
    const other = await holdUpgrade(name);
    const channel = new BroadcastChannel(`inpage-mcp:${name}:upgrade`);
    const waiting = open();
    for (let done = 1; done <= 5; done += 1) {
      timers.pass(STALLED_MS - 1);
      channel.postMessage({ done, total: 5 });
      // Of the right shape or not at all.
      channel.postMessage({ done: 'x', total: -1 });
      await eventually(() => waiting.reports.length === done);
    }
    channel.close();
    other.letGo();
    (await waiting.store).close();
    expect(waiting.reports.slice(0, 5).map(({ done }) => done)).to.deep.equal([1, 2, 3, 4, 5]);
  });

  it('ends after half a minute without a sign, and blames no other tab', async () => {
    const other = await holdUpgrade(name);
    const waiting = open();
    timers.pass(STALLED_MS);
    const { code, message } = await failure(waiting);
    expect(code).to.equal('timeout');
    expect(message)
      .to.contain('did not open the data in time')
      .and.not.match(/\btabs?\b/);
    other.letGo();
    (await open().store).close();
  });

  it('waits behind a deletion that another tab blocks, which no event reports', async () => {
    (await open().store).close();
    const held = await answerOf(indexedDB.open(name));
    const deletion = deleteDatabase(name);
    const waiting = open();
    timers.pass(STALLED_MS);
    expect((await failure(waiting)).code).to.equal('timeout');
    held.close();
    await deletion;
    (await open().store).close();
  });

  it('says that another tab blocks it where the browser says so, and gives that tab a while', async () => {
    await makeLargeDatabase(name, 1, 1);
    const held = await answerOf(indexedDB.open(name));
    const patient = open();
    await patient.whenReported('blocked');
    timers.pass(BLOCKED_MS - 1);
    held.close();
    (await patient.store).close();
    await deleteDatabase(name);

    await makeLargeDatabase(name, 1, 1);
    const stubborn = await answerOf(indexedDB.open(name));
    const waiting = open();
    await waiting.whenReported('blocked');
    timers.pass(BLOCKED_MS);
    expect((await failure(waiting)).code).to.equal('blocked');
    stubborn.close();
    (await open().store).close();
  });

  it('undoes an upgrade that comes to a halt, says so, and comes through the next time', async () => {
    await makeLargeDatabase(name, 1, 10);
    const before = JSON.stringify(await dumpDatabase(name));
    const halted = haltReading();
    const opening = open();
    await halted.happened;
    timers.pass(STALLED_MS);
    const { code, message } = await failure(opening);
    expect(code).to.equal('timeout');
    expect(message).to.contain('upgrade of the data stopped');
    halted.undo();
    expect(JSON.stringify(await dumpDatabase(name)) === before).to.equal(true);
    (await open().store).close();
  });
});

/** Another tab that makes or upgrades the database, and takes its time. */
async function holdUpgrade(name: string): Promise<{ letGo: () => void }> {
  let isHeld = true;
  await new Promise<void>((resolve) => {
    const request = indexedDB.open(name, 1);
    request.onupgradeneeded = () => {
      const store = request.result.createObjectStore('notes', { keyPath: 'id' });
      for (const other of ['note-texts', 'files', 'file-bytes']) {
        request.result.createObjectStore(other);
      }
      const goOn = (): void => {
        if (isHeld) store.count().onsuccess = goOn;
      };
      goOn();
      resolve();
    };
    request.onsuccess = () => request.result.close();
  });
  return { letGo: () => (isHeld = false) };
}

/** From now on reading many records at once is never answered, as on a full disk. */
function haltReading(): { happened: Promise<void>; undo: () => void } {
  const { prototype } = IDBObjectStore;
  const { getAll } = prototype;
  let happen!: () => void;
  const happened = new Promise<void>((resolve) => (happen = resolve));
  prototype.getAll = function halted(this: IDBObjectStore) {
    const request = getAll.call(this);
    // The transaction lives on, and nothing comes of the request.
    const goOn = (): void => {
      try {
        this.count().onsuccess = goOn;
      } catch {
        // It was aborted.
      }
    };
    goOn();
    request.addEventListener('success', (event) => event.stopImmediatePropagation());
    happen();
    return request;
  };
  return { happened, undo: () => (prototype.getAll = getAll) };
}
