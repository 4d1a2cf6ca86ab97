import { expect } from '@esm-bundle/chai';
import { acceptSep1005Frames, type AcceptFramesOptions } from '@inpage-mcp/transport';
import {
  startRuntime,
  type Runtime,
  type ServedFrame,
  type ServeFramesOptions,
} from '@inpage-mcp/runtime';
import { freshDatabaseName } from '../support/database.js';
import { failureOf } from '../support/failure.js';
import { MODERN_META } from '../support/raw-client.js';
import { secondOrigin } from '../support/second-origin.js';
import { openGuest, removeFrames, type Guest } from '../transport/guest-frame.js';
import { MortalWorkers } from './mortal-workers.js';
import { nextEvent } from './next-event.js';
import { WorkerProbe } from './worker-probe.js';

const parentOrigin = location.origin;
const GUEST = { read: 'all', write: 'deny', tools: 'none' };

/** The next error that our code reports to the page. The test runner does not receive it. */
async function nextReportedError(): Promise<unknown> {
  const { onerror } = window;
  return await new Promise((resolve) => {
    window.onerror = (...[, , , , error]) => {
      window.onerror = onerror;
      resolve(error);
      return true;
    };
  });
}

/** What a guest is answered. */
async function ask(guest: Guest, connection: number, method: string): Promise<unknown> {
  const message = { jsonrpc: '2.0', id: 1, method, params: { _meta: MODERN_META } };
  const messages = await guest.do<{ id?: number }[]>('ask', { connection, message });
  return messages.find(({ id }) => id === 1);
}

describe('frames that are served', () => {
  let databaseName: string;
  let workers: MortalWorkers;
  let probe: WorkerProbe;
  let runtime: Runtime;
  let frames: ServedFrame[];
  let stop: () => void;

  beforeEach(async () => {
    databaseName = freshDatabaseName();
    workers = new MortalWorkers();
    probe = new WorkerProbe();
    frames = [];
    runtime = await startRuntime({ databaseName, worker: workers.recorder(probe.name) });
  });

  afterEach(async () => {
    removeFrames();
    probe.close();
    await runtime.close();
    await workers.deleteDatabase(databaseName);
  });

  const serve = async (options: Partial<ServeFramesOptions> = {}): Promise<void> => {
    stop = await runtime.serveFrames({
      allowedOrigins: [secondOrigin],
      onconnect: (frame) => frames.push(frame),
      ...options,
    });
  };
  const connect = async (guest: Guest): Promise<number> =>
    await guest.do<number>('connect', { parentOrigin });

  it('have a connection to the worker, as guests that may read', async () => {
    await serve();
    await runtime.notes.create({ title: 'Shared', text: 'a' });
    const { frame, guest } = await openGuest();
    const connection = await connect(guest);
    expect(await probe.next('servePort')).to.deep.include({
      access: GUEST,
      limits: 'guest',
      holder: secondOrigin,
    });
    const answer = await ask(guest, connection, 'resources/list');
    expect(answer).to.have.nested.property('result.resources[0].title', 'Shared');
    expect(frames).to.have.length(1);
    expect(frames[0]).to.include({ origin: secondOrigin, source: frame.contentWindow });
  });

  it('have the number by which the log of activity knows their connection', async () => {
    const logged = nextEvent(runtime, 'activity');
    await serve();
    const { guest } = await openGuest();
    await ask(guest, await connect(guest), 'resources/list');
    const { entries } = await logged;
    const [{ connection } = {}] = entries.filter(({ method }) => method === 'resources/list');
    expect(connection).to.be.a('number');
    expect(frames[0]).to.include({ connection });
  });

  it('may do what is said, each in its own respect', async () => {
    const { guest } = await openGuest();
    const served = async (access: ServeFramesOptions['access']): Promise<unknown> => {
      await serve({ access: access! });
      await connect(guest);
      stop();
      return (await probe.next('servePort'))['access'];
    };
    expect(await served({ write: 'ask' })).to.deep.equal({ ...GUEST, write: 'ask' });
    expect(await served({ tools: 'all' })).to.deep.equal({ ...GUEST, tools: 'all' });
    expect(await served({ read: ['note:'], prompts: 'none' })).to.deep.equal({
      ...GUEST,
      read: ['note:'],
      prompts: 'none',
    });
    expect(await served({ write: undefined, tools: undefined } as never)).to.deep.equal(GUEST);
    expect(await served((origin) => ({ read: [`${origin}/`] }))).to.deep.equal({
      ...GUEST,
      read: [`${secondOrigin}/`],
    });
  });

  it('are refused where the page does not say what they may do', async () => {
    const { guest } = await openGuest();
    await serve({
      access() {
        throw new Error('I do not know that one.');
      },
    });
    const reported = nextReportedError();
    expect(await failureOf(connect(guest))).to.include({ code: 'refused' });
    expect(await reported).to.have.property('message', 'I do not know that one.');
    expect(frames).to.deep.equal([]);
  });

  const unreadable: [what: string, access: unknown][] = [
    ['a promise', Promise.resolve({ read: [] })],
    ['nothing', undefined],
    ['null', null],
    ['a word', 'all'],
    ['a list', []],
    ['what cannot be sent', { read: () => true }],
  ];
  for (const [what, access] of unreadable) {
    it(`are refused, for good, where what they may do is ${what}`, async () => {
      await serve({ access: () => access as never });
      const { guest } = await openGuest();
      const reported = nextReportedError();
      expect(await failureOf(connect(guest))).to.include({ code: 'refused' });
      expect(await reported).to.include({ code: 'invalid-argument' });
      expect(frames).to.deep.equal([]);
      stop();
      await serve();
      await ask(guest, await connect(guest), 'resources/list');
      const failure = await failureOf(frames[0]!.setAccess(access as never));
      expect(failure).to.include({ code: 'invalid-argument' });
      if (access === undefined) return;
      expect(await failureOf(serve({ access: access as never }))).to.include({
        code: 'invalid-argument',
      });
    });
  }

  it('wait for a place where they have all that they may, and then have it', async () => {
    let asked = 0;
    let check = (): void => undefined;
    const count = ({ data }: MessageEvent): void => {
      if (data['inpage-mcp']) asked += 1;
      check();
    };
    window.addEventListener('message', count);
    await serve({ maxConnectionsPerFrame: 1 });
    const { guest } = await openGuest(`${secondOrigin}/test/fixtures/scenario-frame.html`);
    await guest.do('openRaw', { parentOrigin });
    const connecting = connect(guest);
    await new Promise<void>((resolve) => {
      check = () => asked > 1 && resolve();
      check();
    });
    window.removeEventListener('message', count);
    await guest.do('post', { all: [null] });
    await connecting;
    expect(await guest.do('list')).to.be.an('array');
  });

  it('can be given another access, by either name, as frames and no more', async () => {
    await serve();
    const { guest } = await openGuest();
    await ask(guest, await connect(guest), 'resources/list');
    await frames[0]!.setAccess({ read: ['note:'] });
    const access = { ...GUEST, read: ['note:'] };
    expect(await probe.next('setAccess')).to.deep.include({ connection: 1, access });
    await runtime.setAccess(frames[0]!, { read: 'all' });
    expect(await probe.next('setAccess')).to.deep.include({ connection: 1, access: GUEST });
  });

  it('keep what they have where another access does not mention it', async () => {
    const read = ['note:'];
    await serve({ access: { read, write: 'ask', tools: 'all' } });
    // What was said is what counts, and not what becomes of it.
    read.push('file:');
    const { guest } = await openGuest();
    await ask(guest, await connect(guest), 'resources/list');
    const first = (await probe.next('servePort'))['access'];
    expect(first).to.deep.equal({ read: ['note:'], write: 'ask', tools: 'all' });
    const [frame] = frames;
    const changes = [
      frame!.setAccess({ tools: 'none', read: undefined } as never),
      runtime.setAccess(frame!, { write: 'deny' }),
      frame!.setAccess({ read: 'some' as never }),
      frame!.setAccess({ prompts: 'none' }),
    ];
    const [, , refused] = changes;
    expect(await failureOf(refused!)).to.include({ code: 'invalid-argument' });
    await Promise.all([changes[0], changes[1], changes[3]]);
    const set: unknown[] = [];
    for (const _ of changes) set.push((await probe.next('setAccess'))['access']);
    const narrow = { read: ['note:'], write: 'deny', tools: 'none' };
    expect(set).to.deep.equal([
      { ...narrow, write: 'ask' },
      narrow,
      { ...narrow, read: 'some' },
      { ...narrow, prompts: 'none' },
    ]);
  });

  it('are notified when the page ends their connection, and so is the worker', async () => {
    await serve();
    const { guest } = await openGuest();
    const connection = await connect(guest);
    await ask(guest, connection, 'resources/list');
    frames[0]!.close();
    expect(await probe.next('closeConnection')).to.include({ connection: 1 });
    await guest.do('ended', { connection });
    await frames[0]!.closed;
    await frames[0]!.setAccess({});
  });

  it('free their place when they end their connection themselves', async () => {
    await serve({ maxConnectionsPerFrame: 1 });
    const { guest } = await openGuest();
    const connection = await connect(guest);
    await ask(guest, connection, 'resources/list');
    expect(await failureOf(connect(guest))).to.include({ code: 'busy' });
    await guest.do('close', { connection });
    await frames[0]!.closed;
    await connect(guest);
  });

  it('have as many connections as the limits of guests say', async () => {
    const limited = await startRuntime({
      databaseName: freshDatabaseName(),
      limits: { guest: { connectionsPerFrame: 2 } },
    });
    await limited.serveFrames({ allowedOrigins: [secondOrigin] });
    const { guest } = await openGuest();
    await connect(guest);
    await connect(guest);
    expect(await failureOf(connect(guest))).to.include({ code: 'busy' });
    await limited.close();
  });

  it('free their connection in the worker when they are gone', async () => {
    await serve();
    const { frame, guest } = await openGuest();
    await ask(guest, await connect(guest), 'resources/list');
    frame.remove();
    expect(await probe.next('closeConnection')).to.include({ connection: 1 });
    await frames[0]!.closed;
  });

  it('lose their connection with the worker, and may ask for another at once', async () => {
    await serve();
    const { guest } = await openGuest();
    const connection = await connect(guest);
    await ask(guest, connection, 'resources/list');
    const restarted = nextEvent(runtime, 'restart');
    workers.kill();
    await guest.do('ended', { connection });
    const again = await connect(guest);
    expect(await ask(guest, again, 'resources/list')).to.have.property('result');
    await restarted;
    await frames[0]!.closed;
    expect(frames).to.have.length(2);
    await frames[0]!.setAccess({});
    await frames[1]!.setAccess({});
    expect(await probe.next('setAccess')).to.include({ connection: 1 });
  });

  const ends: [how: string, end: (controller: AbortController) => unknown][] = [
    ['stop() is called', () => stop()],
    ['the signal is aborted', (controller) => controller.abort()],
    ['the runtime is closed', () => runtime.close()],
  ];
  for (const [how, end] of ends) {
    it(`are not served any more when ${how}`, async () => {
      const controller = new AbortController();
      await serve({ signal: controller.signal });
      const { guest } = await openGuest();
      const connection = await connect(guest);
      await ask(guest, connection, 'resources/list');
      await end(controller);
      await guest.do('ended', { connection });
      await frames[0]!.closed;
      stop();
      const late = guest.do('connect', { parentOrigin, timeoutMs: 200 });
      expect(await failureOf(late)).to.include({ code: 'timeout' });
    });
  }

  it('have no connection where the page fails to take them', async () => {
    await serve({
      onconnect() {
        throw new Error('Not today.');
      },
    });
    const reported = nextReportedError();
    const { guest } = await openGuest();
    const connection = await connect(guest);
    expect(await reported).to.have.property('message', 'Not today.');
    await guest.do('ended', { connection });
    expect(await probe.next('closeConnection')).to.include({ connection: 1 });
  });

  it('have no connection where what they may do cannot be meant', async () => {
    await serve({ access: { read: 'some' as never } });
    const reported = nextReportedError();
    const { guest } = await openGuest();
    await guest.do('ended', { connection: await connect(guest) });
    expect(await reported).to.include({ code: 'invalid-argument' });
    expect(frames).to.deep.equal([]);
  });

  it('are strangers when their origin is not named', async () => {
    const violated = new Promise((resolve) => {
      void serve({ allowedOrigins: ['https://example.com'], onOriginViolation: resolve });
    });
    const { guest } = await openGuest();
    const asked = guest.do('connect', { parentOrigin, timeoutMs: 200 });
    expect(await violated).to.include({ origin: secondOrigin });
    expect(await failureOf(asked)).to.include({ code: 'timeout' });
    expect(await failureOf(serve({ allowedOrigins: ['*'] }))).to.be.instanceOf(TypeError);
  });

  it('may ask in the way of others', async () => {
    let given: AcceptFramesOptions | undefined;
    await serve({
      accept(options) {
        given = options;
        return acceptSep1005Frames(options);
      },
    });
    expect(given).to.have.property('allowedOrigins').that.deep.equals([secondOrigin]);
    const { port1, port2 } = new MessageChannel();
    const closed = new Promise<void>(() => undefined);
    const from = { origin: secondOrigin, source: window, frame: window };
    given!.onPort(port2, { ...from, closed, close: () => undefined });
    expect(await probe.next('servePort')).to.deep.include({ access: GUEST, limits: 'guest' });
    port1.close();
  });
});
