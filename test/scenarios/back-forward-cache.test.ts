import { expect } from '@esm-bundle/chai';
import { freshDatabaseName } from '../support/database.js';
import { secondOrigin } from '../support/second-origin.js';
import { Hub } from '../runtime/desktop-hub.js';
import { ask, openSession } from '../runtime/served-desktop.js';
import { ownOrigin, Tab } from './browser.js';
import { soon } from '../support/within.js';
import { isFirefox, isWebKit } from '../support/engine.js';

const path = '/test/fixtures/scenario-frame.html';

/** Nobody else holds locks in it, waits for them, or looks at them: the cache depends on that. */
const here = ownOrigin();

/** Firefox (153) keeps no page that holds a Web Lock, its worker included. */
const keepsPages = !isFirefox;

/** WebKit (2.50) would stop the worker in the middle of a transaction: it ends with the page, and another follows. */
const makesWorkersAnew = isWebKit;

describe('a page that goes into the back/forward cache and comes back', () => {
  before(function () {
    if (!keepsPages) this.skip();
  });

  let other: Tab;
  let tab: Tab;
  let shown: number;

  beforeEach(async () => {
    const databaseName = freshDatabaseName();
    other = await Tab.open(here);
    await other.call('restSearchIndex', databaseName);
    await other.call('start', { databaseName });
    tab = await Tab.open(here);
    shown = 0;
    await tab.call('start', { databaseName });
  });

  afterEach(async () => {
    await tab.close();
    await other.close();
  });

  const leaveAndReturn = async (whileAway: () => Promise<unknown>): Promise<void> => {
    await tab.leave();
    await whileAway();
    expect(await tab.back(), 'why the cache did not keep the page').to.deep.equal([]);
    shown += 1;
    const again = tab.call('until', 'shown again', shown);
    await soon('the page came out of the cache, and was not loaded again', again);
  };

  const expectNoAlarm = async (): Promise<void> => {
    const events = await tab.call<string[]>('events');
    const ofAnotherWorker = ['client reconnecting', 'frame closed', 'restart', 'client open'];
    const expected = ['list changed', 'freeze', 'resume', 'shown again'].concat(
      makesWorkersAnew ? ofAnotherWorker : [],
    );
    expect(events.filter((event) => !expected.includes(event))).to.deep.equal([]);
  };

  it('goes on as it was, and sees what other tabs have written since', async () => {
    const id = await tab.call<string>('create', 'before');
    await leaveAndReturn(async () => {
      await other.call('update', id, 'by another');
      await other.call('create', 'new');
    });
    expect(await tab.call('read', id)).to.equal('by another');
    expect(await tab.call('titles')).to.have.members(['before', 'new']);
    await tab.call('update', id, 'after');
    expect(await other.call('read', id)).to.equal('after');
    await expectNoAlarm();
  });

  it('stays there while another tab serves a frame', async () => {
    await leaveAndReturn(() => other.call('serveFrame', { url: here + path }));
    await expectNoAlarm();
  });

  it('has no connection to a bridge while it is there, and another when it is back', async () => {
    const hub = await Hub.open();
    await tab.call('serveDesktop', { port: hub.port });
    await openSession(hub, 1);
    await leaveAndReturn(async () => {
      await hub.next('closed');
      expect(await hub.connections()).to.equal(1);
    });
    await hub.next('proof');
    await openSession(hub, 2);
    expect(await ask(hub, 2, 'resources/list')).to.have.property('result');
    expect(await hub.connections()).to.equal(2);
    await hub.stop();
  });

  for (const origin of [secondOrigin, here]) {
    const whose = origin === here ? 'its own origin' : 'another origin';
    it(`keeps the frames of ${whose} that it serves`, async () => {
      const frame = await tab.call<number>('serveFrame', { url: origin + path });
      const id = await tab.call<string>('create', 'a');
      const uri = `note:///${id}`;
      await tab.call('frame', frame, 'watch', { uri });
      const locks = await tab.call<number>('frame', frame, 'ownLocks', {});
      // Only where both are of one origin is there a lock between them.
      expect(locks).to.equal(origin === secondOrigin ? 0 : 1);
      for (let round = 1; round <= 3; round += 1) {
        await leaveAndReturn(() => other.call('update', id, `round ${round}`));
        expect(await tab.call('frame', frame, 'read', { uri })).to.equal(`round ${round}`);
      }
      await tab.call('update', id, 'notified');
      await tab.call('frame', frame, 'updates', { count: 1 });
      const rounds = Array.from({ length: makesWorkersAnew ? 3 : 0 });
      const states = rounds.flatMap(() => ['reconnecting', 'open']);
      expect(await tab.call('frame', frame, 'states', {})).to.deep.equal(states);
      expect(await tab.call('frame', frame, 'ownLocks', {})).to.equal(locks);
      await expectNoAlarm();
    });
  }
});

if (!keepsPages)
  describe('a page that is left and comes back where no such page is kept', () => {
    it('is loaded anew, and everything is there', async () => {
      const databaseName = freshDatabaseName();
      const [other, tab] = [await Tab.open(here), await Tab.open(here)];
      await other.call('start', { databaseName });
      await tab.call('start', { databaseName });
      const id = await tab.call<string>('create', 'before');
      await tab.leave();
      await other.call('update', id, 'by another');
      await tab.back();
      // It has not started yet.
      expect(await tab.call('events')).to.deep.equal([]);
      await tab.call('start', { databaseName });
      expect(await tab.call('read', id)).to.equal('by another');
      await tab.call('update', id, 'after');
      expect(await other.call('read', id)).to.equal('after');
      await Promise.all([tab.close(), other.close()]);
    });
  });
