import { expect } from '@esm-bundle/chai';
// Internal to the package: it is used by the worker of the runtime, in Chromium.
import { canReserveDisk, DiskReserve } from '../../packages/store/src/database/disk-reserve.js';
import { useLogRotation } from '../support/log-rotation.js';
import { eventually } from '../support/within.js';
import type { Call, DiskLimit } from './disk-reserve.worker.js';

const NAME = 'inpage-mcp-reserve';
const RESERVED_BYTES = 8 * 1024 * 1024;
const OPENING_BYTES = 5 * 1024 * 1024;
const NO_LIMIT: DiskLimit = { written: Infinity, grown: Infinity };

/** Neither a byte more nor another file. */
const FULL_DISK: DiskLimit = { written: RESERVED_BYTES, grown: Infinity };
const NO_ROOM: DiskLimit = { written: OPENING_BYTES - 1, grown: Infinity };
const NO_QUOTA: DiskLimit = { written: 0, grown: 0 };

interface Answer {
  value?: unknown;
  code?: unknown;
  /** How many writes were tried since the limit was set. */
  attempts: number;
}

/** A tab with a reserve of its own. */
class Tab {
  readonly #worker = new Worker(new URL('./disk-reserve.worker.js', import.meta.url), {
    type: 'module',
  });
  #count = 0;

  call(method: Call['method'], args: Pick<Call, 'limit' | 'sizeBytes'> = {}): Promise<Answer> {
    const id = (this.#count += 1);
    return new Promise((resolve) => {
      const listen = ({ data }: MessageEvent<Answer & { id: number }>): void => {
        if (data.id !== id) return;
        this.#worker.removeEventListener('message', listen);
        resolve(data);
      };
      this.#worker.addEventListener('message', listen);
      this.#worker.postMessage({ id, method, ...args });
    });
  }

  /** As a crash: nothing is closed in good order. */
  kill(): void {
    this.#worker.terminate();
  }
}

async function sizeOfFile(): Promise<number> {
  const folder = await navigator.storage.getDirectory();
  return (await (await folder.getFileHandle(NAME)).getFile()).size;
}

const isOfReserve = ({ name }: LockInfo): boolean => name === NAME;

describe('the space that is reserved on the disk', () => {
  useLogRotation();

  it('is not waited for in a window', async () => {
    expect(canReserveDisk()).to.equal(false);
    let isOpened = false;
    const opening = new DiskReserve().openWithRoom((room) => {
      isOpened = room === 'unknown';
      return Promise.resolve('opened');
    });
    expect(isOpened).to.equal(true);
    expect(await opening).to.equal('opened');
  });

  describe('in a worker of Chromium', () => {
    let tabs: Tab[];

    const openTab = (): Tab => {
      const tab = new Tab();
      tabs.push(tab);
      return tab;
    };

    before(function () {
      // `dataLoss` is what the page of the tests has found of Chromium.
      if (!('dataLoss' in globalThis)) this.skip();
    });

    beforeEach(async () => {
      tabs = [];
      await openTab().call('leave', { sizeBytes: 0 });
    });

    afterEach(() => {
      for (const tab of tabs) tab.kill();
    });

    it('is taken by the first write, and kept by each open', async () => {
      const tab = openTab();
      expect((await tab.call('open')).value).to.equal(false);
      expect(await sizeOfFile()).to.equal(0);
      for (let times = 2; times > 0; times--) {
        await tab.call('endOpen');
        expect((await tab.call('reserve')).code).to.equal(undefined);
        expect(await sizeOfFile()).to.equal(RESERVED_BYTES);
        expect((await tab.call('open')).value).to.equal(false);
      }
      expect(await sizeOfFile()).to.equal(RESERVED_BYTES);
    });

    it('is the same for all tabs, which take it at the same time', async () => {
      const [one, other] = [openTab(), openTab()];
      const answers = await Promise.all([one.call('reserve'), other.call('reserve')]);
      expect(answers.map(({ code }) => code)).to.deep.equal([undefined, undefined]);
      expect(await sizeOfFile()).to.equal(RESERVED_BYTES);
    });

    for (const sizeBytes of [1, OPENING_BYTES, RESERVED_BYTES + 1]) {
      it(`is not made of the ${sizeBytes} bytes that a killed worker has left`, async () => {
        const tab = openTab();
        await tab.call('leave', { sizeBytes });
        await tab.call('open');
        expect(await sizeOfFile()).to.equal(0);
        await tab.call('endOpen');
        await tab.call('leave', { sizeBytes });
        await tab.call('reserve');
        expect(await sizeOfFile()).to.equal(RESERVED_BYTES);
      });
    }

    it('is released to open the database on a full disk, while other tabs wait', async () => {
      const [one, other] = [openTab(), openTab()];
      await one.call('reserve');
      await one.call('limit', { limit: FULL_DISK });
      expect((await one.call('open')).value).to.equal(true);
      expect(await sizeOfFile()).to.equal(0);
      let isReserved = false;
      const reserving = other.call('reserve').then(() => (isReserved = true));
      await eventually(async () => (await navigator.locks.query()).pending?.some(isOfReserve));
      expect(isReserved).to.equal(false);
      await one.call('endOpen');
      // The browser goes on tidying up, and needs the space for it.
      await one.call('limit', { limit: FULL_DISK });
      const { held = [], pending = [] } = await navigator.locks.query();
      expect([held, pending].map((locks) => locks.filter(isOfReserve).length)).to.deep.equal([
        1, 1,
      ]);
      expect(isReserved).to.equal(false);
      await one.call('settle');
      await reserving;
      expect(await sizeOfFile()).to.equal(RESERVED_BYTES);
    });

    it('is free for other tabs once the tab is killed that has released it', async () => {
      const [one, other] = [openTab(), openTab()];
      await one.call('reserve');
      await one.call('limit', { limit: FULL_DISK });
      await one.call('open');
      one.kill();
      expect((await other.call('reserve')).code).to.equal(undefined);
      expect(await sizeOfFile()).to.equal(RESERVED_BYTES);
    });

    it('refuses to open the database where even that is too little', async () => {
      const tab = openTab();
      await tab.call('limit', { limit: NO_ROOM });
      expect((await tab.call('open')).code).to.equal('quota-exceeded');
      expect(await sizeOfFile()).to.equal(0);
      // Each later call asks again.
      await tab.call('limit', { limit: NO_LIMIT });
      expect((await tab.call('open')).value).to.equal(false);
    });

    it('refuses writes without it on a full disk, for a while without another attempt', async () => {
      const tab = openTab();
      await tab.call('limit', { limit: { ...FULL_DISK, written: RESERVED_BYTES - 1 } });
      expect((await tab.call('reserve')).code).to.equal('quota-exceeded');
      expect(await sizeOfFile()).to.equal(0);
      await tab.call('limit', { limit: NO_LIMIT });
      expect(await tab.call('reserve')).to.include({ code: 'quota-exceeded', attempts: 0 });
    });

    it('refuses nothing where it is the quota that is used up', async () => {
      const tab = openTab();
      await tab.call('limit', { limit: NO_QUOTA });
      expect((await tab.call('open')).value).to.equal(false);
      expect((await tab.call('reserve')).code).to.equal(undefined);
    });
  });
});
