import { expect } from '@open-wc/testing';
import { randomNumbers } from '../support/random.js';
import { MemoryServer } from '../support/sync/memory-remote.js';
import { casesOf } from '../support/test-size.js';
import { Device } from './device-under-test.js';
import { endingAfter } from './ending-after.js';
import { readingFrom } from './remote-with.js';

const STEPS = 60;
const PATHS = ['1', '2', '3'];

/** A device with what it must have of its own. */
class Writer {
  readonly device: Device;
  readonly texts = new Map<string, string>();
  readonly files = new Map<string, string>();

  constructor(device: Device) {
    this.device = device;
  }
}

describe('three devices whose server loses its last writes', () => {
  for (const seed of casesOf([2, 116, 43, 3, 124])) {
    it(`have what each has written, and nothing that it has deleted: seed ${seed}`, async () => {
      const random = randomNumbers(seed);
      const pick = <Value>(values: readonly Value[]): Value =>
        values[Math.floor(random() * values.length)]!;
      const server = new MemoryServer();
      const writers: Writer[] = [];
      let count = 0;

      const acts: ((writer: Writer) => Promise<void>)[] = [
        async ({ device, texts }) => {
          const text = `${(count += 1)} of ${device.title}`;
          const { id } = await device.store.notes.create({ title: text, text });
          texts.set(id, text);
        },
        async ({ device, texts }) => {
          if (texts.size === 0) return;
          const [id, text] = [pick([...texts.keys()]), `${(count += 1)} of ${device.title}`];
          await device.store.notes.update(id, { text });
          texts.set(id, text);
        },
        async ({ device, texts }) => {
          if (texts.size < 2) return;
          const id = pick([...texts.keys()]);
          await device.store.notes.delete(id);
          texts.delete(id);
        },
        async ({ device, files }) => {
          const path = `${device.title}/${pick(PATHS)}`;
          const text = `${(count += 1)}`;
          await device.store.files.write(path, new Blob([text]));
          files.set(path, text);
        },
        async ({ device, files }) => {
          if (files.size === 0) return;
          const path = pick([...files.keys()]);
          await device.store.files.delete(path);
          files.delete(path);
        },
      ];

      try {
        for (const title of ['a', 'b', 'c'])
          writers.push(new Writer(await new Device(title).open(server.connect())));
        for (let step = 0; step < STEPS; step += 1) {
          const writer = pick(writers);
          const { device } = writer;
          for (let left = 1 + random() * 3; left > 0; left -= 1) await pick(acts)(writer);
          if (random() < 0.2) server.lostAnswers = 1 + Math.floor(random() * 3);
          if (random() < 0.5) {
            const controller = new AbortController();
            const calls = 1 + Math.floor(random() * 20);
            await device.begin(endingAfter(server.connect(), calls, controller));
            await device.round(controller.signal).catch(() => undefined);
            await device.begin(server.connect());
          }
          if (random() < 0.1) {
            await device.begin(readingFrom(server.connect()));
            for (let round = 0; round < 9; round += 1) {
              await pick(acts)(writer);
              await device.round().catch(() => undefined);
            }
            await device.begin(server.connect());
          }
          if (random() < 0.5) await device.round().catch(() => undefined);
          if (random() < 0.3) server.backUp();
          else if (random() < 0.1) server.rollBack();
        }
        server.lostAnswers = 0;
        for (let turn = 0; turn < 6; turn += 1)
          for (const { device } of writers) {
            device.engine.compareNext();
            await device.round().catch(() => undefined);
          }
        const texts = Object.fromEntries(writers.flatMap((writer) => [...writer.texts]));
        const files = Object.fromEntries(writers.flatMap((writer) => [...writer.files]));
        for (const { device } of writers) {
          expect(await device.texts(), device.title).to.deep.equal(texts);
          expect(await device.files(), device.title).to.deep.equal(files);
          expect(await device.sync.countUnsynced()).to.equal(0);
        }
      } finally {
        for (const { device } of writers) await device.close();
      }
    });
  }
});
