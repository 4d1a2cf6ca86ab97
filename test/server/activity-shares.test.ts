import { expect } from '@esm-bundle/chai';
import { MAX_ACTIVITY, type ActivityEntry, type ServedPortOptions } from '@inpage-mcp/server';
// Internal to the package: how the room is shared shows here with fewer entries.
import { FairBuffer } from '../../packages/server/src/activity/fair-buffer.js';
import { deleteDatabase } from '../support/database.js';
import { openLinkedServer, type LinkedServer } from '../support/linked-server.js';
import { RawClient } from '../support/raw-client.js';

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

  it('notifies a listener of what everyone else did, too', async () => {
    const calls: string[] = [];
    linked.server.activity.listen(({ name = '' }, holder) => calls.push(`${holder} ${name}`));
    await open({ heldBy: 'page' }).modern('prompts/get', { name: 'a' });
    const holder = 'https://one.example';
    await open({ holder }).modern('prompts/get', { name: 'b' });
    expect(calls).to.deep.equal(['page a', 'https://one.example b']);
  });
});
