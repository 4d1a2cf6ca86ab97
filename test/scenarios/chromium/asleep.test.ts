import { expect } from '@esm-bundle/chai';
import { freshDatabaseName } from '../../support/database.js';
import { itInAll } from '../../support/it-in-all.js';
import { secondOrigin } from '../../support/second-origin.js';
import { ownOrigin, Tab } from '../browser.js';
import { soon } from '../../support/within.js';

/** Longer than a heartbeat takes to find a peer dead. */
const ASLEEP_MS = 16_000;

async function pause(timeMs: number): Promise<void> {
  // timed: longer than a real heartbeat.
  await new Promise((resolve) => setTimeout(resolve, timeMs));
}

/** Ways to put a tab to sleep, and what it has met when it is awake again. */
const ways = [
  {
    name: 'frozen',
    sleep: (tab: Tab) => tab.freeze(),
    wake: (tab: Tab) => tab.thaw(),
    events: ['freeze', 'resume'],
  },
  {
    name: 'in the back/forward cache',
    sleep: (tab: Tab) => tab.leave(),
    wake: (tab: Tab) => tab.back(),
    events: ['freeze', 'resume', 'shown again'],
  },
];

describe('tabs that sleep longer than a death takes to be noticed', () => {
  /** Nobody else holds locks in it, waits for them, or looks at them: the cache depends on that. */
  const here = ownOrigin();
  let databaseName: string;
  let other: Tab;
  const tabs: Tab[] = [];

  before(async () => {
    databaseName = freshDatabaseName();
    other = await Tab.open(here);
    await other.call('restSearchIndex', databaseName);
    await other.call('start', { databaseName });
  });

  after(async () => {
    await Promise.all(tabs.map((tab) => tab.close()));
    await other.close();
  });

  itInAll('have lost nothing and nobody, and receive what others have written', async () => {
    const id = await other.call<string>('create', 'a');
    const uri = `note:///${id}`;
    for (let count = 0; count < ways.length; count += 1) tabs.push(await Tab.open(here));
    for (const tab of tabs) {
      await tab.call('start', { databaseName });
      for (const origin of [secondOrigin, here]) {
        const url = `${origin}/test/fixtures/scenario-frame.html`;
        const frame = await tab.call<number>('serveFrame', { url });
        await tab.call('frame', frame, 'watch', { uri });
      }
    }
    for (const [number, { sleep }] of ways.entries()) await sleep(tabs[number]!);
    await other.call('update', id, 'while asleep');
    await pause(ASLEEP_MS);
    for (const [number, { name, wake, events }] of ways.entries()) {
      const tab = tabs[number]!;
      await wake(tab);
      await tab.call('until', events.at(-1));
      expect(await tab.call('read', id), name).to.equal('while asleep');
      for (const frame of [0, 1]) {
        await soon(
          `a frame of the tab that was ${name} is notified of the change`,
          tab.call('frame', frame, 'updates', { count: 1 }),
        );
        expect(await tab.call('frame', frame, 'read', { uri }), name).to.equal('while asleep');
        expect(await tab.call('frame', frame, 'states', {}), name).to.deep.equal([]);
      }
      const met = await tab.call<string[]>('events');
      expect(
        met.filter((event) => event !== 'list changed'),
        name,
      ).to.deep.equal(events);
    }
  });
});
