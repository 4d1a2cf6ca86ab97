import { expect } from '@esm-bundle/chai';
import { freshDatabaseName } from '../support/database.js';
import { secondOrigin } from '../support/second-origin.js';
import { openOrigin, Tab, type ClosableOrigin } from './browser.js';
import { soon, within } from '../support/within.js';

describe('a page whose server is not reachable any more', () => {
  let origin: ClosableOrigin;
  let tab: Tab;
  let id: string;
  let frame: number;

  const open = async (cacheControl: string): Promise<void> => {
    origin = await openOrigin(cacheControl);
    tab = await Tab.open(origin.origin);
    await tab.call('start', { databaseName: freshDatabaseName() });
    id = await tab.call<string>('create', 'online');
    const url = `${secondOrigin}/test/fixtures/scenario-frame.html`;
    frame = await tab.call<number>('serveFrame', { url });
    await origin.close();
  };
  const readByFrame = (): Promise<unknown> =>
    tab.call('frame', frame, 'read', { uri: `note:///${id}` });

  afterEach(async () => {
    await tab.close();
  });

  it('works as before, and so does a new worker whose script is in the cache', async () => {
    await open('public, max-age=3600');
    await tab.call('update', id, 'offline');
    expect(await readByFrame()).to.equal('offline');
    expect(await tab.call('read', id)).to.equal('offline');
    await tab.call('killWorker');
    await soon('another worker runs', tab.call('until', 'restart'));
    expect(await tab.call('read', id)).to.equal('offline');
    expect(await readByFrame()).to.equal('offline');
    await tab.call('create', 'by the new worker');
    expect(await tab.call('titles')).to.deep.equal(['by the new worker', 'online']);
  });

  it('works until its worker dies, where the script of that cannot be had again', async () => {
    await open('no-cache');
    await tab.call('update', id, 'offline');
    expect(await readByFrame()).to.equal('offline');
    await tab.call('killWorker');
    const failed = tab.call('until', 'failed: worker-failed');
    await within(15_000, 'the runtime gives up', failed);
    expect(await tab.call('creationError')).to.equal('RuntimeError worker-failed');
    const closed = tab.call('until', 'client closed');
    await soon('the client is closed', closed);
  });
});
