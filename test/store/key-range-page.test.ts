import { expect } from '@esm-bundle/chai';
import { openDB } from 'idb';
// The file is internal to the package: one of its two paths runs only in other browsers.
import { readPage, readPageByCursor } from '../../packages/store/src/records/key-range-page.js';
import {
  migrate,
  SCHEMA_VERSION,
  type StoreSchema,
} from '../../packages/store/src/schema/schema.js';
import { deleteDatabase, freshDatabaseName } from '../support/database.js';

describe('a page of a key range', () => {
  it('is the same natively and by cursor, at every size and in both directions', async () => {
    const name = freshDatabaseName();
    const database = await openDB<StoreSchema>(name, SCHEMA_VERSION, {
      upgrade: (opened, oldVersion, _newVersion, transaction) => {
        void migrate(opened, oldVersion, transaction, () => undefined);
      },
    });
    for (let index = 0; index < 20; index += 1) {
      await database.put('note-texts', `text ${index}`, String.fromCharCode(97 + index));
    }
    const ranges = [null, IDBKeyRange.upperBound('k', true), IDBKeyRange.lowerBound('k', true)];
    const store = () => database.transaction('note-texts').store as never;
    for (const range of ranges) {
      for (const direction of ['next', 'prev'] as const) {
        const all = await readPageByCursor(store(), range, 100, direction);
        expect(all).to.have.length(range === null ? 20 : range.upper === 'k' ? 10 : 9);
        for (const count of [1, 9, 10, 20, 21]) {
          const expected = all.slice(0, count);
          expect(await readPage(store(), range, count, direction)).to.deep.equal(expected);
          expect(await readPageByCursor(store(), range, count, direction)).to.deep.equal(expected);
        }
      }
    }
    database.close();
    await deleteDatabase(name);
  });
});
