// A tab of an earlier version holds the database while the present version opens it.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { callPage } from './call-page.mjs';
import { medianAndMax, testFault } from './rounds.mjs';

const folder = new URL('../fixtures/databases/', import.meta.url);

/** @type {import('../support/database-dump.js').DatabaseDump[]} */
const dumps = readdirSync(folder).map((name) =>
  JSON.parse(readFileSync(new URL(name, folder), 'utf8')),
);

testFault(
  'upgrade with an old tab open',
  { ci: 1, soak: 5 },
  async ({ browser, rounds, report }) => {
    const opens = [];
    await browser.start();
    for (let round = 0; round < rounds; round += 1) {
      for (const dump of dumps) {
        const database = `faults-upgrade-${dump.version}-${round}`;
        const [oldTab, newTab] = [await browser.openTab(), await browser.openTab()];
        await callPage(oldTab, 'holdOldDatabase', database, dump);
        // Would reject as blocked unless the old tab let go.
        opens.push(await callPage(newTab, 'open', database));
        const { notes, files, problems } = await callPage(newTab, 'readEverything', database);
        // Files of earlier versions have no digest.
        assert.deepEqual(
          problems.filter((problem) => !problem.endsWith('digest.')),
          [],
        );
        const count = (/** @type {string} */ store) =>
          dump.stores.find(({ name }) => name === store)?.records.length;
        assert.equal(notes.length, count('notes'));
        assert.equal(files.length, count('files'));
        await oldTab.close();
        await newTab.close();
      }
    }
    browser.assertBackend();
    report(
      `from versions ${dumps.map(({ version }) => version).join(', ')}: ${medianAndMax(opens)}`,
    );
  },
);
