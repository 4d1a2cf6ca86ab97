import { expect } from '@esm-bundle/chai';
import { startRuntime } from '@inpage-mcp/runtime';
import { deleteDatabase, freshDatabaseName } from '../support/database.js';
import { idOf, makeLargeDatabase } from '../support/large-database.js';
import { casesOf, sizeOf } from '../support/test-size.js';

describe('a large database of an earlier version', () => {
  for (const [version, notes] of casesOf([
    [1, 5_000],
    [2, sizeOf({ ci: 5_000, soak: 50_000 })],
  ] as const)) {
    it(`${version} is opened, listed, counted and searched`, async () => {
      const databaseName = freshDatabaseName();
      await makeLargeDatabase(databaseName, version, notes);
      const runtime = await startRuntime({ databaseName });
      const { notes: listed } = await runtime.notes.list({ limit: 1 });
      const newest = notes - 1;
      expect(listed[0]).to.include({ id: idOf(newest), title: `Note ${newest}` });
      expect(listed[0]?.firstLine).to.equal(version === 1 ? `A text ${newest % 10}` : 'A text');
      expect(await runtime.storage.estimate()).to.include({ notes, files: 0 });
      const { matches } = await runtime.notes.search(`note ${newest - 5}`);
      expect(matches.map(({ note }) => note.id)).to.deep.equal([idOf(newest - 5)]);
      await runtime.close();
      await deleteDatabase(databaseName);
      localStorage.removeItem(`inpage-mcp:${databaseName}`);
    });
  }
});
