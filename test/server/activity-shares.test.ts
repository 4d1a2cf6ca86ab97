import { expect } from '@esm-bundle/chai';
import {
  MAX_ACTIVITY,
  runtimeResources,
  type ActivityEntry,
  type ServedPortOptions,
} from '@inpage-mcp/server';
// Internal to the package: how the room is shared shows here with fewer entries.
import { FairBuffer } from '../../packages/server/src/activity/fair-buffer.js';
import {
  KEPT_DENIALS,
  KeptDenials,
  MAX_DENIED_HOLDERS,
} from '../../packages/server/src/activity/kept-denials.js';
import { deleteDatabase } from '../support/database.js';
import { openLinkedServer, type LinkedServer } from '../support/linked-server.js';
import { RawClient } from '../support/raw-client.js';
import { resultOf } from '../support/revisions.js';

describe('entries of several holders', () => {
  let entries: FairBuffer<string>;

  beforeEach(() => {
    entries = new FairBuffer(4);
  });

  const add = (...all: string[]): void => {
    for (const entry of all) entries.add(entry, entry[0]!);
  };

  it('are kept in their order, as long as there is room', () => {
    add('a1', 'b1', 'a2', 'c1');
    expect(entries.all).to.deep.equal(['a1', 'b1', 'a2', 'c1']);
  });

  it('go, the oldest first, where one holder has too many', () => {
    add('a1', 'a2', 'a3', 'a4', 'a5');
    expect(entries.all).to.deep.equal(['a2', 'a3', 'a4', 'a5']);
  });

  it('stay where another holder has more', () => {
    add('a1', 'b1', 'b2', 'b3', 'b4', 'b5');
    expect(entries.all).to.deep.equal(['a1', 'b3', 'b4', 'b5']);
    add('a2', 'a3', 'a4');
    expect(entries.all).to.deep.equal(['b4', 'b5', 'a3', 'a4']);
  });

  it('make room for as many holders as there are entries', () => {
    add('a1', 'b1', 'c1', 'd1', 'e1');
    expect(entries.all).to.deep.equal(['b1', 'c1', 'd1', 'e1']);
    entries.clear();
    add('a2');
    expect(entries.all).to.deep.equal(['a2']);
  });
});

describe('evicted denials', () => {
  it('are kept of as many holders as the limit, then without those of the first', () => {
    const denials = new KeptDenials<{ omitted?: number }>();
    const numbers = (): number[] => denials.all.map(({ number }) => number);
    for (let number = 1; number <= MAX_DENIED_HOLDERS; number += 1)
      denials.add({ number, entry: {} }, `holder ${number}`);
    denials.add({ number: 100, entry: {} }, 'holder 1');
    expect(numbers()).to.have.length(MAX_DENIED_HOLDERS + 1);
    denials.add({ number: 101, entry: {} }, 'one more');
    expect(numbers()).to.have.length(MAX_DENIED_HOLDERS);
    expect(numbers()).to.include.members([2, 101]);
    expect(numbers()).not.to.include(1).and.not.include(100);
  });
});

describe('the activity log that a guest floods', () => {
  let linked: LinkedServer;

  beforeEach(async () => {
    linked = await openLinkedServer();
  });

  afterEach(async () => {
    await linked.server.close();
    await deleteDatabase(linked.databaseName);
  });

  const open = (options: ServedPortOptions): RawClient => {
    const { port1, port2 } = new MessageChannel();
    linked.server.servePort(port2, options);
    return new RawClient(port1);
  };
  const kept = (name: string): ActivityEntry[] =>
    linked.server.activity.entries.filter((entry) => entry.name === name);

  it('still says what everyone else did', async () => {
    const quiet: { [name: string]: RawClient } = {
      page: open({ heldBy: 'page' }),
      port: open({}),
      frame: open({ heldBy: 'guest', holder: 'https://two.example' }),
    };
    const ask = async (name: string, client: RawClient): Promise<void> => {
      for (let turn = 0; turn < 3; turn += 1) await client.modern('prompts/get', { name });
    };
    for (const [name, client] of Object.entries(quiet)) await ask(name, client);
    // A frame has several connections, and opens more.
    for (let connection = 0; connection < 4; connection += 1) {
      const flooding = open({ heldBy: 'guest', holder: 'https://one.example' });
      const count = MAX_ACTIVITY / 2;
      const calls = Array.from({ length: count }, () => flooding.modern('tools/none'));
      await Promise.all(calls);
    }
    for (const name of Object.keys(quiet)) expect(kept(name), name).to.have.length(3);
    for (const [name, client] of Object.entries(quiet)) await ask(name, client);
    for (const name of Object.keys(quiet)) expect(kept(name), name).to.have.length(6);
    expect(linked.server.activity.entries).to.have.length(MAX_ACTIVITY);
  });

  it('lets one port that was handed out drive out nothing of another', async () => {
    const [one, two] = [open({}), open({})];
    await one.modern('prompts/get', { name: 'one' });
    const calls = Array.from({ length: MAX_ACTIVITY + 1 }, () => two.modern('tools/none'));
    await Promise.all(calls);
    expect(kept('one')).to.have.length(1);
  });

  it('keeps the first and the last denials of the guest, and the number of the others', async () => {
    const holder = 'https://one.example';
    const read = ['note:///', 'inpage:///activity'];
    await linked.server.close();
    await deleteDatabase(linked.databaseName);
    linked = await openLinkedServer(undefined, { providers: [runtimeResources()] });
    const { server } = linked;
    let denials = 0;
    const deny = async (client: RawClient, count: number): Promise<void> => {
      for (let turn = 0; turn < count; turn += 1) {
        denials += 1;
        await client.modern('resources/read', { uri: `file:///secret/${denials}` });
      }
    };
    /** What as many requests of the guest leave in the log. */
    const flood = (): void => {
      const entry = { time: '', connection: 2, method: 'tools/none', durationMs: 0 };
      for (let count = 0; count < MAX_ACTIVITY; count += 1) {
        server.activity.add({ ...entry, outcome: 'refused' }, holder);
      }
    };
    const denied = (): [uri: string | undefined, omitted: number | undefined][] =>
      server.activity.entries
        .filter(({ outcome }) => outcome === 'denied')
        .map(({ uri, omitted }) => [uri?.slice('file:///secret/'.length), omitted]);
    const first = open({ holder, access: { read } });
    await deny(first, 1);
    flood();
    expect(denied()).to.deep.equal([['1', undefined]]);
    const second = open({ holder, access: { read } });
    await deny(second, 2 * KEPT_DENIALS - 1);
    flood();
    expect(denied()).to.have.length(2 * KEPT_DENIALS);
    expect(denied().every(([, omitted]) => omitted === undefined)).to.equal(true);
    await deny(second, 1);
    flood();
    await deny(second, 1);
    expect(denied()).to.deep.equal([
      ['12', undefined],
      ...['11', '10', '9', '8', '7'].map((number) => [number, undefined]),
      ['5', 1],
      ...['4', '3', '2', '1'].map((number) => [number, undefined]),
    ]);
    // The guest cannot tell by what remains what was denied to it.
    const uri = 'inpage:///activity';
    const { contents } = resultOf(await second.modern('resources/read', { uri }));
    const own = JSON.parse((contents as { text: string }[])[0]!.text) as {
      entries: ActivityEntry[];
    };
    expect(own.entries.filter(({ method }) => method !== 'tools/none')).to.have.length(1);
    expect(JSON.stringify(own)).not.to.contain('omitted');
    await server.store.clear();
    expect(denied()).to.deep.equal([]);
  });

  it('notifies a listener of what everyone else did, too', async () => {
    const calls: string[] = [];
    linked.server.activity.listen(({ name = '' }, holder) => calls.push(`${holder} ${name}`));
    await open({ heldBy: 'page' }).modern('prompts/get', { name: 'a' });
    const holder = 'https://one.example';
    await open({ holder }).modern('prompts/get', { name: 'b' });
    expect(calls).to.deep.equal(['page a', 'https://one.example b']);
  });
});
