import { expect } from '@open-wc/testing';
import { fold, type Store } from '@inpage-mcp/store';
import { countRecords } from '../support/database.js';
import { useStore } from './store-under-test.js';

const VOCABULARY = [
  ...['red', 'redder', 'reddest', 'green', 'greens', 'blue', 'Bluebird', 'ÉTÉ', 'été2', 'x', 'xy'],
  ...['東京', '京都', '大学', 'ตลาด', '9', '99', '😀', 'naïve', 'straße', 'STRASSE'],
];

/** Random numbers that are the same in every run. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** What is stored, as a plain search would look at it. */
interface Model {
  notes: Map<string, { title: string; tags: string[]; text: string }>;
  files: Set<string>;
}

/** Our words have spaces between them, so that these need no dictionary. */
const wordsOf = (text: string): string[] => fold(text).split(/[\s/.]+/u);

const holdsAll = (words: readonly string[], query: string): boolean =>
  wordsOf(query).every((wanted) => words.some((word) => word.startsWith(wanted)));

function expectedNotes({ notes }: Model, query: string, tag?: string): string[] {
  return [...notes]
    .filter(([, { title, tags, text }]) => {
      const words = wordsOf([title, ...tags, text].join(' '));
      return holdsAll(words, query) && (tag === undefined || tags.includes(tag));
    })
    .map(([id]) => id)
    .toSorted();
}

const expectedFiles = ({ files }: Model, query: string): string[] =>
  [...files].filter((path) => holdsAll(wordsOf(path), query)).toSorted();

describe('the search index', () => {
  const test = useStore();

  const counts = async (): Promise<{ [store: string]: number }> => await countRecords(test.name);

  async function expectRight(
    store: Store,
    model: Model,
    queries: readonly string[],
  ): Promise<void> {
    for (const query of queries) {
      const tag = query.length % 2 === 0 ? undefined : 'red';
      const notes = await store.notes.search(query, { limit: 100, ...(tag && { tag }) });
      const ids = notes.matches.map(({ note }) => note.id).toSorted();
      expect(ids, query).to.deep.equal(expectedNotes(model, query, tag));
      expect(notes.total).to.equal(ids.length);
      const files = await store.files.search(query, { limit: 100 });
      const paths = files.matches.map(({ path }) => path).toSorted();
      expect(paths, query).to.deep.equal(expectedFiles(model, query));
    }
  }

  for (const seed of [1, 2, 3]) {
    it(`says what a plain search says, whatever it knows already (seed ${seed})`, async () => {
      const random = randomFrom(seed);
      const pick = <Value>(from: readonly Value[]): Value => from[random(from.length)]!;
      const words = (most: number): string =>
        Array.from({ length: random(most) }, () => pick(VOCABULARY)).join(' ');
      const stores = [test.store, await test.openTab()] as const;
      const model: Model = { notes: new Map(), files: new Set() };
      const change = async (): Promise<void> => {
        const { notes, files } = pick(stores);
        const id = pick([...model.notes.keys(), '']);
        const path = pick([...model.files, '']);
        const newPath = `${words(3).replaceAll(' ', '/') || 'x'}/${pick(VOCABULARY)}.${random(5)}`;
        const kind = random(8);
        if (kind === 0 && id) {
          await notes.delete(id);
          model.notes.delete(id);
        } else if (kind === 1 && id) {
          const update = { title: words(3), tags: words(3).split(' ') };
          await notes.update(id, update);
          Object.assign(model.notes.get(id)!, update);
        } else if (kind === 2 && id) {
          model.notes.get(id)!.text = (await notes.append(id, words(4))).text;
        } else if (kind === 3 && path && !model.files.has(newPath)) {
          await files.move(path, newPath);
          model.files.delete(path);
          model.files.add(newPath);
        } else if (kind === 4 && path) {
          await files.delete(path);
          model.files.delete(path);
        } else if (kind === 5) {
          await files.write(newPath, new Blob(['x']));
          model.files.add(newPath);
        } else {
          const note = { title: words(3), tags: words(3).split(' '), text: words(9) };
          model.notes.set((await notes.create(note)).id, note);
        }
      };
      for (let round = 0; round < 12; round += 1) {
        for (let index = 0; index < 8; index += 1) await change();
        const queries = [`${words(3)} ${pick(VOCABULARY)}`.trim(), pick(VOCABULARY), 're', '京'];
        // While one of them indexes, or does not.
        const updating = round % 3 === 0 ? undefined : pick(stores).updateIndex();
        await expectRight(pick(stores), model, queries);
        await updating;
        for (const store of stores) await expectRight(store, model, queries);
      }
      await stores[0].updateIndex();
      expect((await counts())['unindexed']).to.equal(0);
      await expectRight(stores[1], model, VOCABULARY);
    });
  }
});
