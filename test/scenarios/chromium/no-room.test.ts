import { expect } from '@esm-bundle/chai';
import { freshDatabaseName } from '../../support/database.js';
import { eventually } from '../../support/within.js';
import { ownOrigin, Tab } from '../browser.js';

const MIB = 1024 * 1024;

describe('an app without any room left', () => {
  let tab: Tab;
  let databaseName: string;

  beforeEach(async () => {
    databaseName = freshDatabaseName();
    tab = await Tab.open(ownOrigin());
    // First: Chromium remembers for a while how much room there is.
    await tab.limitRoom(6 * MIB);
    await tab.call('start', { databaseName });
    const counts = () => tab.call<{ ballast: number }>('countRecords', { databaseName });
    await eventually(async () => (await counts()).ballast > 0);
    expect(await tab.call('fill')).to.equal('quota-exceeded');
  });

  afterEach(() => tab.close());

  it('deletes files, and then writes again', async () => {
    await tab.call('deleteFile', { path: 'file 0' });
    await tab.call('create', 'another');
    await tab.call('deleteFile', { path: 'file 1' });
    await tab.call('deleteFile', { path: 'file 2' });
    const again = () => tab.call<string>('writeFile', { path: 'another', mib: 1 });
    // The browser deletes the bytes of what was deleted some time after.
    await eventually(async () => (await again()) === 'written');
  });

  it('deletes notes, although that frees no room at once', async () => {
    const titles = await tab.call<string[]>('titles');
    await tab.call('deleteNotes', { count: 3 });
    expect(await tab.call('titles')).to.deep.equal(titles.slice(3));
    await tab.call('create', 'another');
  });

  it('deletes everything, and it is no loss', async () => {
    await tab.call('clear');
    expect(await tab.call('titles')).to.deep.equal([]);
    await tab.call('create', 'another');
    expect(await tab.call('events')).not.to.include('storage-lost');
  });
});
