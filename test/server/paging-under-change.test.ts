import { expect } from '@esm-bundle/chai';
import { putRecords } from '../support/database.js';
import { sizeOf } from '../support/test-size.js';
import { useLinkedClient } from '../support/linked-server.js';

const NOTES = sizeOf({ ci: 1_000, soak: 10_000 });
const CHANGES = NOTES / 10;

/** The numbers 0 to count − 1, in a fixed order that looks like chance. */
function shuffled(count: number): number[] {
  let seed = 7;
  const numbers = Array.from({ length: count }, (_, index) => index);
  return numbers
    .map((number) => {
      seed = (seed * 48_271) % 2_147_483_647;
      return { number, key: seed };
    })
    .toSorted((a, b) => a.key - b.key)
    .map(({ number }) => number);
}

describe(`paging through ${NOTES} notes`, () => {
  const setup = useLinkedClient();

  it('repeats none and skips none that stays, while a tenth of them come and go', async () => {
    const { notes } = setup.linked.server.store;
    // A ULID may consist of digits only; these are older than any that is made now.
    const ids = Array.from(
      { length: NOTES },
      (_, index) => `01HZZZZZZZ${String(index).padStart(16, '0')}`,
    );
    const rest = { tags: [], firstLine: '', size: 0, createdAt: 0, updatedAt: 0, revision: 1 };
    const records = ids.map((id) => ({ id, title: id, ...rest }));
    await putRecords(setup.linked.databaseName, 'notes', records);
    const doomed = shuffled(NOTES)
      .slice(0, CHANGES)
      .map((number) => ids[number]!);
    const progress = { done: false };
    const change = async (): Promise<void> => {
      for (const [index, id] of doomed.entries()) {
        await Promise.all([notes.delete(id), notes.create({ title: `new ${index}`, text: '' })]);
      }
      progress.done = true;
    };
    const changing = change();
    let walks = 0;
    while (!progress.done || walks === 0) {
      const seen: string[] = [];
      for await (const page of setup.client.resources()) {
        seen.push(...page.map(({ uri }) => uri));
        // Lets changes happen between two pages, as they do when the client is elsewhere.
        // timed: the pace of a client.
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      walks += 1;
      const distinct = new Set(seen);
      expect(distinct.size).to.equal(seen.length);
      const gone = new Set(doomed);
      const skipped = ids.filter((id) => !gone.has(id) && !distinct.has(`note:///${id}`));
      expect(skipped).to.deep.equal([]);
    }
    await changing;
  });
});
