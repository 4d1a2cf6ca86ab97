import { expect } from '@esm-bundle/chai';
import { freshDatabaseName } from '../../support/database.js';
import { itInAll } from '../../support/it-in-all.js';
import { secondOrigin } from '../../support/second-origin.js';
import { ownOrigin, stop, Tab } from '../browser.js';
import { soon } from '../../support/within.js';

/** Longer than a heartbeat takes to find a peer dead. */
const STILL_MS = 15_000;

async function pause(timeMs: number): Promise<void> {
  // timed: longer than a real heartbeat.
  await new Promise((resolve) => setTimeout(resolve, timeMs));
}

describe('a page that stands still, while a frame of it runs', () => {
  let tab: Tab;
  let id: string;
  let uri: string;
  let frame: number;

  beforeEach(async () => {
    tab = await Tab.open(ownOrigin());
    await tab.call('start', { databaseName: freshDatabaseName() });
    id = await tab.call<string>('create', 'before');
    uri = `note:///${id}`;
    const url = `${secondOrigin}/test/fixtures/scenario-frame.html`;
    frame = await tab.call<number>('serveFrame', { url });
    await tab.call('frame', frame, 'watch', { uri });
  });

  afterEach(async () => {
    await tab.close();
  });

  const expectAsBefore = async (): Promise<void> => {
    await tab.call('update', id, 'after');
    const updates = tab.call('frame', frame, 'updates', { count: 1 });
    await soon('the frame is notified of a change', updates);
    expect(await tab.call('frame', frame, 'read', { uri })).to.equal('after');
    expect(await tab.call('frame', frame, 'states', {})).to.deep.equal([]);
    const events = await tab.call<string[]>('events');
    expect(events.filter((event) => event !== 'list changed')).to.deep.equal([]);
    expect(await tab.call('read', id)).to.equal('after');
  };

  itInAll('has its process stopped: it is not taken for dead, and goes on', async () => {
    const goOn = await stop(tab.url);
    await pause(STILL_MS);
    await goOn();
    await expectAsBefore();
  });

  itInAll('shows a dialog: its worker serves the frame all the while', async () => {
    await tab.call('frame', frame, 'keepReading', { uri });
    await tab.showDialog();
    await pause(STILL_MS);
    await tab.closeDialog();
    const { reads, longestReadMs } = await tab.call<{ reads: number; longestReadMs: number }>(
      'frame',
      frame,
      'readSoFar',
      {},
    );
    expect(reads).to.be.above(100);
    expect(longestReadMs).to.be.below(5_000);
    await expectAsBefore();
  });
});
