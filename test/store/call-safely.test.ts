import { expect } from '@esm-bundle/chai';
import { openStore, type Store } from '@inpage-mcp/store';
import { reportedErrors } from '../support/reported-errors.js';
import { clearRecords } from '../support/database.js';
import { useStore } from './store-under-test.js';

describe('a listener of the store that throws', () => {
  const test = useStore();
  const broken = new Error('broken');
  const fail = (): never => {
    throw broken;
  };

  it('does not make a write fail that was committed, nor keep others from their call', async () => {
    let heads = 0;
    test.store.changes.listenToHead(fail);
    test.store.changes.listen(fail);
    test.store.changes.listenToHead(() => (heads += 1));
    const errors = await reportedErrors(async () => {
      await test.store.notes.create({ title: 'a', text: '' });
    });
    expect(errors).to.deep.equal([broken, broken]);
    expect(heads).to.equal(1);
    expect(test.changes).to.have.length(1);
    expect((await test.store.notes.list()).notes).to.have.length(1);
  });

  it('does not keep the store from being opened where data was lost', async () => {
    await test.store.notes.create({ title: 'a', text: '' });
    await clearRecords(test.name, 'head');
    let store!: Store;
    const errors = await reportedErrors(async () => {
      store = await openStore(test.name, { onloss: fail });
    });
    expect(errors).to.deep.equal([broken]);
    expect((await store.notes.list()).notes).to.have.length(1);
    store.close();
  });
});
