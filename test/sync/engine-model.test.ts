import { expect } from '@open-wc/testing';
import { randomNumbers } from '../support/random.js';
import { MemoryServer } from '../support/sync/memory-remote.js';
import { casesOf } from '../support/test-size.js';
import { Device } from './device-under-test.js';
import { endingAfter } from './ending-after.js';

const signal = new AbortController().signal;
const STEPS = 60;
/** The most time between two steps, in milliseconds. */
const MAX_STEP_MS = 4 * 86_400_000;
const PATHS = ['a.txt', 'b.txt', 'c/d.txt'];

describe('three devices that do things at random', () => {
  const cases = [
    ...casesOf([1, 2, 3], 1).map((seed) => ({ seed, server: 'that keeps its writes' })),
    ...casesOf([4, 5, 6], 0).map((seed) => ({ seed, server: 'that goes back again and again' })),
  ];
  for (const { seed, server: kind } of cases) {
    const goesBack = kind !== 'that keeps its writes';
    it(`come to the same with a server ${kind}, and lose no line that nobody has deleted: seed ${seed}`, async () => {
      const random = randomNumbers(seed);
      const pick = <Value>(values: readonly Value[]): Value =>
        values[Math.floor(random() * values.length)]!;
      const server = new MemoryServer();
      const devices: Device[] = [];
      let lines = 0;
      /** The lines of each note, and of those that were deleted somewhere. */
      const written = new Map<string, Set<string>>();
      const deleted = new Set<string>();
      const deletedLines = new Set<string>();
      const contents = new Set<string>();

      const edit = async ({ store }: Device): Promise<void> => {
        const { notes } = await store.notes.list();
        const note = notes.length > 0 && random() < 0.8 ? pick(notes) : undefined;
        lines += 1;
        const line = `line ${lines}`;
        if (!note) {
          const { id } = await store.notes.create({ title: line, text: `${line}\n` });
          written.set(id, new Set([line]));
          return;
        }
        const { text } = await store.notes.get(note.id);
        const all = text.split('\n');
        all.splice(Math.floor(random() * all.length), 0, line);
        await store.notes.update(note.id, { text: all.join('\n') });
        written.set(note.id, (written.get(note.id) ?? new Set()).add(line));
      };
      const acts: ((device: Device) => Promise<void>)[] = [
        edit,
        edit,
        edit,
        async ({ store }) => {
          const { notes } = await store.notes.list();
          if (notes.length < 3) return;
          const { id } = pick(notes);
          deleted.add(id);
          // It may be a copy, with lines of another one.
          for (const line of (await store.notes.get(id)).text.split('\n')) deletedLines.add(line);
          await store.notes.delete(id);
        },
        async ({ store }) => {
          lines += 1;
          // Also what was there before: its piece may be about to be deleted.
          const content =
            contents.size > 0 && random() < 0.4 ? pick([...contents]) : `file ${lines}`;
          contents.add(content);
          await store.files.write(pick(PATHS), new Blob([content]));
        },
        async ({ store }) => {
          const { files } = await store.files.list();
          if (files.length === 0) return;
          await store.files
            .move(pick(files).path, pick(PATHS), { overwrite: true })
            .catch(() => undefined);
        },
        async ({ store }) => {
          const { files } = await store.files.list();
          if (files.length > 0) await store.files.delete(pick(files).path);
        },
      ];

      try {
        for (const title of ['a', 'b', 'c']) {
          const device = new Device(title);
          devices.push(device);
          await device.open(server.connect());
        }
        for (let step = 0; step < STEPS; step += 1) {
          const device = pick(devices);
          // Some pieces that nobody needs have their thirty days.
          for (const one of devices) one.now += Math.floor(random() * MAX_STEP_MS);
          for (let count = 1 + random() * 3; count > 0; count -= 1) await pick(acts)(device);
          if (random() < 0.2) server.lostAnswers = 1;
          if (random() < 0.5) {
            const controller = new AbortController();
            await device.begin(
              endingAfter(server.connect(), 1 + Math.floor(random() * 20), controller),
            );
            await device.round(controller.signal).catch(() => undefined);
          }
          await device.begin(server.connect());
          if (random() < 0.5) await device.round().catch(() => undefined);
          if (!goesBack) continue;
          if (random() < 0.3) server.backUp();
          else if (random() < 0.1) server.rollBack();
        }
        server.lostAnswers = 0;
        for (let turn = 0; turn < (goesBack ? 8 : 4); turn += 1)
          for (const one of devices) {
            const { engine } = one;
            // Longer than the pause after which a file is tried again.
            one.now += 3_600_000;
            if (goesBack) engine.compareNext();
            // It may only be behind, for two rounds.
            const failure = await engine.round(signal).catch((error: unknown) => error);
            if (!goesBack) expect(failure).not.to.be.an('error');
          }
        const [a, b, c] = devices as [Device, Device, Device];
        const texts = await a.texts();
        expect(await b.texts()).to.deep.equal(texts);
        expect(await c.texts()).to.deep.equal(texts);
        const files = await a.files();
        expect(await b.files()).to.deep.equal(files);
        expect(await c.files()).to.deep.equal(files);
        for (const content of Object.values(files)) expect(contents).to.include(content);
        const everything = Object.values(texts).join('\n').split('\n');
        for (const [id, own] of written)
          if (!deleted.has(id))
            expect(everything).to.include.members(
              [...own].filter((line) => !deletedLines.has(line)),
            );
        // Nothing is left to send, and nobody sends again.
        for (const device of devices) expect(await device.sync.countUnsynced()).to.equal(0);
        const { last } = server.contents;
        for (const device of devices) await device.round();
        expect(server.contents.last).to.equal(last);
      } finally {
        for (const device of devices) await device.close();
      }
    });
  }
});
