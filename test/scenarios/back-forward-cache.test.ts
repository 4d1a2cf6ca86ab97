import { expect } from '@open-wc/testing';
import { startRuntime, type Runtime } from '@inpage-mcp/runtime';
import { deleteDatabase, freshDatabaseName } from '../support/database.js';
import { secondOrigin } from '../support/second-origin.js';
import { Tab } from './browser.js';
import { soon } from '../support/within.js';

const path = '/test/fixtures/scenario-frame.html';

describe('a page that goes into the back/forward cache and comes back', () => {
  let databaseName: string;
  let runtime: Runtime;
  let tab: Tab;
  let shown: number;

  beforeEach(async () => {
    databaseName = freshDatabaseName();
    runtime = await startRuntime({ databaseName });
    tab = await Tab.open();
    shown = 0;
    await tab.call('start', { databaseName });
  });

  afterEach(async () => {
    await tab.close();
    await runtime.close();
    await deleteDatabase(databaseName);
  });

  const leaveAndReturn = async (meanwhile: () => Promise<unknown>): Promise<void> => {
    await tab.leave();
    await meanwhile();
    await tab.back();
    shown += 1;
    const again = tab.call('until', 'shown again', shown);
    await soon('the page came out of the cache, and was not loaded again', again);
  };

  const expectNoAlarm = async (): Promise<void> => {
    const events = await tab.call<string[]>('events');
    const expected = ['list changed', 'freeze', 'resume', 'shown again'];
    expect(events.filter((event) => !expected.includes(event))).to.deep.equal([]);
  };

  it('goes on as it was, and sees what other tabs have written meanwhile', async () => {
    const id = await tab.call<string>('create', 'before');
    await leaveAndReturn(async () => {
      await runtime.notes.update(id, { text: 'by another' });
      await runtime.notes.create({ title: 'new', text: '' });
    });
    expect(await tab.call('read', id)).to.equal('by another');
    expect(await tab.call('titles')).to.have.members(['before', 'new']);
    await tab.call('update', id, 'after');
    expect(await runtime.notes.get(id)).to.include({ text: 'after' });
    await expectNoAlarm();
  });

  for (const origin of [secondOrigin, location.origin]) {
    it(`keeps the frames that it serves (${origin})`, async () => {
      const frame = await tab.call<number>('serveFrame', { url: origin + path });
      const id = await tab.call<string>('create', 'a');
      const uri = `note:///${id}`;
      await tab.call('frame', frame, 'watch', { uri });
      const locks = await tab.call<number>('frame', frame, 'ownLocks', {});
      // Only where both are of one origin is there a lock between them.
      expect(locks).to.equal(origin === secondOrigin ? 0 : 1);
      for (let round = 1; round <= 3; round += 1) {
        await leaveAndReturn(() => runtime.notes.update(id, { text: `round ${round}` }));
        expect(await tab.call('frame', frame, 'read', { uri })).to.equal(`round ${round}`);
      }
      await tab.call('update', id, 'told');
      await tab.call('frame', frame, 'heard', { count: 1 });
      expect(await tab.call('frame', frame, 'states', {})).to.deep.equal([]);
      expect(await tab.call('frame', frame, 'ownLocks', {})).to.equal(locks);
      await expectNoAlarm();
    });
  }
});
