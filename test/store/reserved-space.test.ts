import { expect } from '@esm-bundle/chai';
import { countRecords, readRecords } from '../support/database.js';
import { eventually } from '../support/within.js';
import { codeOf, useStore } from './store-under-test.js';

describe('the room that is kept for deletions', () => {
  const test = useStore();

  // No event reports it.
  const whenThere = () => eventually(async () => (await countRecords(test.name))['ballast'] === 1);

  it('is taken some time after the start, once, and nothing is reported of it', async () => {
    await test.openTab();
    await whenThere();
    const [stored, ...others] = await readRecords(test.name, 'ballast');
    // Bytes where no Blob can be stored.
    expect(new Blob([stored as Blob | ArrayBuffer]).size).to.equal(1024 * 1024);
    expect(others).to.deep.equal([]);
    expect(test.changes).to.deep.equal([]);
    expect(test.store.changes.head?.sequence).to.equal(0);
  });

  it('stays when everything is deleted and there is room', async () => {
    await whenThere();
    const { id } = await test.store.notes.create({ title: 'a', text: 'b' });
    await test.store.notes.delete(id);
    await test.store.clear();
    expect(await countRecords(test.name)).to.include({ ballast: 1, notes: 0 });
  });

  // As Chromium reports a full disk; the first write after that may fail, too.
  for (const [failures, outcome] of [
    [1, 'is tried once more'],
    [2, 'fails in the end'],
  ] as const) {
    it(`is not all: a deletion that the disk has refused ${failures} × ${outcome}`, async () => {
      const { id } = await test.store.notes.create({ title: 'a', text: 'b' });
      const { prototype } = IDBObjectStore;
      const original = prototype.delete;
      let left: number = failures;
      prototype.delete = function refuse(this: IDBObjectStore, key: IDBValidKey | IDBKeyRange) {
        if (this.name !== 'notes' || left === 0) return original.call(this, key);
        left -= 1;
        throw new DOMException('An unknown error', 'UnknownError');
      };
      try {
        const deleting = test.store.notes.delete(id);
        if (failures === 1) expect(await deleting).to.include({ title: 'a' });
        else expect(await codeOf(deleting)).to.equal('quota-exceeded');
      } finally {
        prototype.delete = original;
      }
      expect(left).to.equal(0);
      expect(await test.store.notes.count()).to.equal(failures - 1);
    });
  }

  for (const [where, estimate] of [
    ['refuses to say', () => Promise.reject(new TypeError('refused'))],
    ['does not say', () => Promise.resolve({})],
  ] as const) {
    it(`is taken where the browser ${where} how much room there is`, async () => {
      // Held: in WebKit (2.50) an object of the browser that nobody holds loses what was defined on it.
      const { storage } = navigator;
      Object.defineProperty(storage, 'estimate', { value: estimate, configurable: true });
      try {
        await whenThere();
      } finally {
        Reflect.deleteProperty(storage, 'estimate');
      }
    });
  }
});
