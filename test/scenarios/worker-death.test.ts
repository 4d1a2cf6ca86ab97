import { expect } from '@esm-bundle/chai';
import type { CallToolResult, McpClient } from '@inpage-mcp/client';
import { startRuntime, type Runtime } from '@inpage-mcp/runtime';
import { freshDatabaseName } from '../support/database.js';
import { failureOf } from '../support/failure.js';
import { RawClient } from '../support/raw-client.js';
import { secondOrigin } from '../support/second-origin.js';
import { MortalWorkers } from '../runtime/mortal-workers.js';
import { nextEvent } from '../runtime/next-event.js';
import { openGuest, removeFrames } from '../transport/guest-frame.js';
import { Tab } from './browser.js';
import { soon } from '../support/within.js';

const parentOrigin = location.origin;

/** Calls that are under way at the same time. */
const CALLS = 20;

/** Deaths in a row; five are allowed, and a slow machine may fail to start a worker in time. */
const ROUNDS = 3;

describe('the worker dies while everybody works with it', () => {
  let databaseName: string;
  let workers: MortalWorkers;
  let runtime: Runtime;
  let client: McpClient;
  let uri: string;

  beforeEach(async () => {
    databaseName = freshDatabaseName();
    workers = new MortalWorkers();
    runtime = await startRuntime({ databaseName, worker: workers.make });
    client = await runtime.connect();
    uri = `note:///${(await runtime.notes.create({ title: 'a', text: 'one' })).id}`;
  });

  afterEach(async () => {
    removeFrames();
    await runtime.close();
    await workers.deleteDatabase(databaseName);
  });

  const kill = async (): Promise<void> => {
    const restarted = nextEvent(runtime, 'restart');
    workers.kill();
    await soon('another worker runs', restarted);
  };
  const titles = async (): Promise<string[]> => {
    const { notes } = await runtime.notes.list({ limit: 1_000 });
    return notes.map(({ title }) => title);
  };
  /** The same call of a tool many times over, with other titles. */
  const createMany = (prefix: string, hasKey: boolean): Promise<CallToolResult>[] =>
    Array.from({ length: CALLS }, (_, number) => {
      const title = `${prefix} ${number}`;
      const key = hasKey ? { idempotencyKey: `key of ${title}` } : {};
      return client.callTool('create_note', { title, text: '', ...key });
    });

  it('reads are repeated, writes with a key are done once, other writes fail', async () => {
    const reads = Array.from({ length: CALLS }, () => client.readResource(uri));
    const keyed = createMany('keyed', true);
    const plain = createMany('plain', false).map(failureOf);
    await kill();
    for (const { contents } of await Promise.all(reads)) {
      expect(contents[0]).to.include({ text: 'one' });
    }
    for (const result of await Promise.all(keyed)) expect(result.isError).not.to.equal(true);
    for (const error of await Promise.all(plain)) {
      expect(error).to.include({ name: 'ClientError', code: 'connection-lost' });
    }
    const all = await titles();
    for (let number = 0; number < CALLS; number += 1) {
      expect(all.filter((title) => title === `keyed ${number}`)).to.have.length(1);
      expect(all.filter((title) => title === `plain ${number}`).length).to.be.at.most(1);
    }
  });

  it('a keyed write that was committed, and never acknowledged, is not done again', async () => {
    // Killed at a later moment each time: before, within and after the transaction.
    for (let round = 0; round < ROUNDS; round += 1) {
      const writes = createMany(`round ${round}`, true);
      if (round > 0) await Promise.race(writes);
      workers.kill();
      for (const result of await Promise.all(writes)) expect(result.isError).not.to.equal(true);
    }
    expect((await titles()).toSorted()).to.deep.equal(
      [...Array(ROUNDS).keys()]
        .flatMap((round) => [...Array(CALLS).keys()].map((number) => `round ${round} ${number}`))
        .concat('a')
        .toSorted(),
    );
  });

  it('nothing that was acknowledged is lost, whenever it dies', async () => {
    const acknowledged: string[] = [];
    const over = new AbortController();
    const writing = (async () => {
      for (let number = 0; !over.signal.aborted; number += 1) {
        const title = `n ${number}`;
        await runtime.notes.create({ title, text: '' }).then(
          () => acknowledged.push(title),
          (error: unknown) => expect(error).to.include({ code: 'worker-restarted' }),
        );
      }
    })();
    for (let times = 0; times < ROUNDS; times += 1) {
      await client.readResource(uri);
      await kill();
    }
    over.abort();
    await writing;
    expect(acknowledged).not.to.be.empty;
    expect(await titles()).to.include.members(acknowledged);
  });

  it('watchers are notified once, raw ports end, frames connect again', async () => {
    let updates = 0;
    let check: () => void = () => undefined;
    await client.watch(uri, () => {
      updates += 1;
      check();
    }).ready;
    const untilUpdates = async (times: number): Promise<void> => {
      await new Promise<void>((resolve) => {
        check = () => updates >= times && resolve();
        check();
      });
    };
    const raw = new RawClient(await runtime.openPort());
    await raw.modern('resources/list');
    await runtime.serveFrames({ allowedOrigins: [secondOrigin] });
    const { guest } = await openGuest(`${secondOrigin}/test/fixtures/scenario-frame.html`);
    await guest.do('connect', { parentOrigin });
    await guest.do('watch', { uri });
    const reading = guest.do('read', { uri });
    await kill();
    expect(await soon('the frame is answered', reading)).to.equal('one');
    await soon(
      'the raw port ends',
      raw.when(() => raw.received.at(-1) === null),
    );
    await soon('the page is notified', untilUpdates(1));
    await soon('the frame is notified', guest.do('updates', { count: 1 }));
    expect(await guest.do('states')).to.deep.equal(['reconnecting', 'open']);
    await runtime.notes.update(uri.slice('note:///'.length), { text: 'two' });
    await soon('the page is notified of a change', untilUpdates(2));
    const frameUpdates = guest.do<string[]>('updates', { count: 2 });
    expect(await soon('the frame is notified of a change', frameUpdates)).to.have.length(2);
    expect(await guest.do('read', { uri })).to.equal('two');
    expect(updates).to.equal(2);
    expect(raw.received.filter((message) => message === null)).to.have.length(1);
  });

  it('another tab notices nothing but the changes', async () => {
    const tab = await Tab.open();
    try {
      await tab.call('start', { databaseName });
      const id = await tab.call<string>('create', 'of the other tab');
      await kill();
      await runtime.notes.update(id, { text: 'after' });
      expect(await tab.call('read', id)).to.equal('after');
      await tab.call('update', id, 'and back');
      expect(await runtime.notes.get(id)).to.include({ text: 'and back' });
      const events = await tab.call<string[]>('events');
      expect(events.filter((event) => event !== 'list changed')).to.deep.equal([]);
    } finally {
      await tab.close();
    }
  });
});
