import { expect } from '@esm-bundle/chai';
import { connectToFrame } from '@inpage-mcp/transport';
import { startRuntime, type Runtime, type ServedFrame } from '@inpage-mcp/runtime';
import { deleteDatabase, freshDatabaseName } from '../../support/database.js';
import { itInAll } from '../../support/it-in-all.js';
import { secondOrigin } from '../../support/second-origin.js';
import { Guest, loaded, openGuest, removeFrames } from '../../transport/guest-frame.js';
import { crash, ownOrigin, stop } from '../browser.js';
import { soon, within } from '../../support/within.js';

const NOTICED_MS = 15_000;
const parentOrigin = location.origin;
// timed: the pace of the reads of another frame.
const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 10));
const frameUrl = (origin: string): string => `${origin}/test/fixtures/scenario-frame.html`;

interface Reads {
  count: number;
  longestMs: number;
}

/** Far from what a served frame waits on the slowest machine, and from until a dead one is noticed. */
const STILL_SERVED_MS = 5_000;

/** Reads now and again until it is asked to stop; resolves with how many reads there were. */
function keepReading(guest: Guest, uri: string): () => Promise<Reads> {
  const over = new AbortController();
  const reading = (async () => {
    const reads: Reads = { count: 0, longestMs: 0 };
    for (; !over.signal.aborted; reads.count += 1) {
      const start = performance.now();
      expect(await guest.do('read', { uri })).to.equal('one');
      reads.longestMs = Math.max(reads.longestMs, performance.now() - start);
      await pause();
    }
    return reads;
  })();
  reading.catch(() => undefined);
  return () => {
    over.abort();
    return reading;
  };
}

/** Expects that the frame was served all the while, however slow the machine is. */
function expectServed({ count, longestMs }: Reads): void {
  expect(count).to.be.above(1);
  expect(longestMs).to.be.below(STILL_SERVED_MS);
}

describe('a frame whose process comes to grief', () => {
  let databaseName: string;
  let runtime: Runtime;
  let uri: string;
  const served: ServedFrame[] = [];
  const origin = ownOrigin();

  before(async () => {
    databaseName = freshDatabaseName();
    runtime = await startRuntime({ databaseName });
    uri = `note:///${(await runtime.notes.create({ title: 'a', text: 'one' })).id}`;
    await runtime.serveFrames({
      allowedOrigins: [origin, secondOrigin],
      // One of them reads all the time.
      limits: 'page',
      onconnect: (frame) => served.push(frame),
    });
  });

  afterEach(() => {
    removeFrames();
    served.length = 0;
  });

  after(async () => {
    await runtime.close();
    await deleteDatabase(databaseName);
  });

  it('crashes: it is freed, as is the page that was served by it, and others go on; it is loaded anew', async () => {
    const { frame, guest } = await openGuest(frameUrl(origin));
    const other = await openGuest(frameUrl(secondOrigin));
    await guest.do('connect', { parentOrigin });
    const [mortal] = served;
    await other.guest.do('connect', { parentOrigin });
    await guest.do('accept', { origin: parentOrigin });
    const port = await connectToFrame(frame, { origin });
    const ended = new Promise((resolve) => {
      port.onmessage = ({ data }) => resolve(data);
    });
    const stopReading = keepReading(other.guest, uri);
    await crash(frameUrl(origin));
    const [, end] = await within(
      NOTICED_MS,
      'both connections of the crashed frame have ended',
      Promise.all([mortal!.closed, ended]),
    );
    expect(end).to.equal(null);
    expectServed(await stopReading());
    expect(await other.guest.do('states')).to.deep.equal([]);

    const isBack = loaded(frame);
    frame.src = frameUrl(origin);
    await isBack;
    const next = new Guest(frame.contentWindow!);
    await next.do('connect', { parentOrigin });
    expect(await next.do('read', { uri })).to.equal('one');
  });

  itInAll(
    'is stopped: it is freed; when it goes on, it connects again and may have missed something',
    async () => {
      const { guest } = await openGuest(frameUrl(origin));
      const other = await openGuest(frameUrl(secondOrigin));
      await guest.do('connect', { parentOrigin });
      await guest.do('watch', { uri });
      await other.guest.do('connect', { parentOrigin });
      const stopReading = keepReading(other.guest, uri);
      const goOn = await stop(frameUrl(origin));
      try {
        await within(NOTICED_MS, 'the connection of the stopped frame', served[0]!.closed);
        expectServed(await stopReading());
        await runtime.notes.update(uri.slice('note:///'.length), { text: 'two' });
      } finally {
        await goOn();
      }
      const updates = guest.do('updates', { count: 1 });
      expect(await soon('the watch of the frame', updates)).to.deep.equal([uri]);
      expect(await guest.do('read', { uri })).to.equal('two');
      expect(await guest.do('states')).to.deep.equal(['reconnecting', 'open']);
      expect(served).to.have.length(3);
    },
  );
});
