import { expect } from '@esm-bundle/chai';
import { describeDisk, uriOf, useDisk } from '../../support/disk.js';
import { useFakeTimers } from '../../support/fake-timers.js';
import { eventually } from '../../support/within.js';

type Report = (records: object[]) => void;

/** The times of the watch; other timers run as ever. */
const QUIET_MS = 200;
const MAX_BUSY_MS = 2_000;

describeDisk('a watched folder of the disk', () => {
  const own = useDisk();
  const timers = useFakeTimers({ only: (ms) => ms === QUIET_MS || ms === MAX_BUSY_MS });
  const global = globalThis as { FileSystemObserver?: unknown };
  const { FileSystemObserver } = global;
  const root = { uri: uriOf(''), listChanged: true, andLonger: true };
  let report: Report;

  beforeEach(async () => {
    // An observer that reports what a test says.
    global.FileSystemObserver = class {
      constructor(onrecords: Report) {
        report = onrecords;
      }
      async observe(): Promise<void> {}
      disconnect(): void {}
    };
    await own.plant('a.txt', 'log');
    await own.mount({ ignore: 'gitignore' });
    await own.listed();
    own.changes.length = 0;
  });

  afterEach(() => {
    if (FileSystemObserver) global.FileSystemObserver = FileSystemObserver;
    else delete global.FileSystemObserver;
  });

  const change = async (path: string, type = 'modified'): Promise<void> => {
    const changedHandle = type === 'disappeared' ? null : await own.fileAt(path);
    const components = { relativePathComponents: path.split('/'), relativePathMovedFrom: null };
    report([{ type, changedHandle, ...components }]);
  };
  const isAnnounced = () => own.changes.some(({ andLonger }) => andLonger);

  it('is announced once it is quiet', async () => {
    await change('sub', 'disappeared');
    timers.pass(QUIET_MS - 1);
    await change('log');
    timers.pass(QUIET_MS - 1);
    expect(timers.running).to.be.above(0);
    timers.pass(1);
    expect(timers.running).to.equal(0);
    await eventually(isAnnounced);
    expect(own.changes).to.deep.include(root);
  });

  it('is announced after two seconds although a log grows all the time', async () => {
    await change('sub', 'disappeared');
    for (let ms = 0; ms < MAX_BUSY_MS; ms += QUIET_MS / 2) {
      await change('log');
      expect(timers.running).to.be.above(0);
      timers.pass(QUIET_MS / 2);
    }
    await eventually(isAnnounced);
    // The next two seconds begin with the next record.
    await change('log');
    expect(timers.running).to.be.above(0);
  });

  for (const type of ['modified', 'appeared', 'disappeared'])
    it(`serves at once what its patterns say when they are ${type}`, async () => {
      if (type !== 'appeared') {
        await own.save('.gitignore', type === 'modified' ? '' : 'a.txt');
        await change('.gitignore');
      }
      const isServed = async () => (await own.read(uriOf('a.txt'))) !== undefined;
      expect(await isServed()).to.equal(type !== 'disappeared');
      if (type === 'disappeared') await own.remove('.gitignore');
      else await own.save('.gitignore', 'a.txt');
      await change('.gitignore', type);
      expect(await isServed()).to.equal(type === 'disappeared');
      expect(timers.running).to.be.above(0);
    });
});
