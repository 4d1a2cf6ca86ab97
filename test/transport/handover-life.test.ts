import { expect } from '@esm-bundle/chai';
import { acceptFrames, connectToFrame, holdLiveness, whenGone } from '@inpage-mcp/transport';
import { HEARTBEAT_MS } from '../../packages/transport/src/liveness/heartbeat.js';
import { LOCK_PREFIX } from '../../packages/transport/src/handover/handover-messages.js';
import { secondOrigin } from '../support/second-origin.js';
import { eventually, soon } from '../support/within.js';
import { FrameEcho, request } from './frame-echo.js';
import { type Guest, guestUrl, openGuest, removeFrames } from './guest-frame.js';
import { useNoHeartbeat } from '../support/heartbeat.js';

const here = location.origin;
const fast = 20;
const acceptFast: typeof acceptFrames = (options) => acceptFrames(options, fast);

/** The locks of hand-overs that are held now. */
async function heldLocks(): Promise<string[]> {
  const { held = [] } = await navigator.locks.query();
  return held.map(({ name }) => name!).filter((name) => name.startsWith(LOCK_PREFIX));
}

/** Resolves once somebody waits for the lock. */
async function waitedFor(lock: string): Promise<void> {
  await eventually(async () => {
    const { pending = [] } = await navigator.locks.query();
    return pending.some(({ name }) => name === lock);
  });
}

/** Resolves once nobody holds the lock. */
async function letGoOf(lock: string): Promise<void> {
  await whenGone(lock, new AbortController().signal);
}

describe('the life of a connection between windows', () => {
  useNoHeartbeat();

  let echo: FrameEcho | undefined;
  const accept = (...args: ConstructorParameters<typeof FrameEcho>): FrameEcho =>
    (echo = new FrameEcho(...args));
  const allowedOrigins = [secondOrigin, here];

  /** A connection whose hello was said by hand: nothing is said at its end. */
  async function silentHello(guest: Guest, hello: object = {}): Promise<number> {
    const nonce = crypto.randomUUID();
    const port = await guest.do<number>('hello', { targetOrigin: here, nonce, ...hello });
    await guest.do('watch', { port, type: 'welcome' });
    return port;
  }

  afterEach(() => {
    echo?.acceptor.close();
    echo = undefined;
    removeFrames();
  });

  describe('a frame that is reloaded', () => {
    it('is known by its next hello, had it not said bye', async () => {
      const { accepted, acceptor } = accept({ allowedOrigins });
      const { guest } = await openGuest();
      await silentHello(guest, { document: 'one' });
      await silentHello(guest, { document: 'one' });
      expect(acceptor.connections).to.equal(2);
      await silentHello(guest, { document: 'two' });
      expect(acceptor.connections).to.equal(1);
      await Promise.all([accepted[0]!.closed, accepted[1]!.closed]);
    });

    it('leaves the connections of other frames', async () => {
      const { acceptor } = accept({ allowedOrigins });
      const [one, other] = [await openGuest(), await openGuest()];
      await silentHello(one.guest, { document: 'one' });
      await silentHello(other.guest, { document: 'two' });
      expect(acceptor.connections).to.equal(2);
    });
  });

  describe('a frame that is removed', () => {
    for (const origin of [secondOrigin, here]) {
      it(`is noticed at once, although it says nothing (${origin})`, async () => {
        const { accepted, acceptor } = accept({ allowedOrigins });
        const { frame, guest } = await openGuest(guestUrl(origin));
        await silentHello(guest);
        frame.remove();
        await soon('the connection has ended', accepted[0]!.closed);
        expect(acceptor.connections).to.equal(0);
      });
    }

    it('ends the port of a parent that was served by it, although it says nothing', async () => {
      const { frame, guest } = await openGuest();
      await guest.do('acceptSilently', { heartbeatMs: 60_000 });
      const port = await connectToFrame(frame, { origin: secondOrigin });
      const ended = new Promise((resolve) => {
        port.onmessage = ({ data }) => resolve(data);
      });
      frame.remove();
      await soon('the port has ended', ended);
    });
  });

  it('ends with a bye from a page that is left for good, and not from one that may return', async () => {
    const { acceptor, accepted } = accept({ allowedOrigins });
    const { guest } = await openGuest();
    const connection = await guest.do('connect', { parentOrigin: here });
    await guest.do('transition', { type: 'pagehide', persisted: true });
    await guest.do('transition', { type: 'pageshow', persisted: true });
    expect(await guest.do('ask', { connection, message: request(1) })).to.have.length(1);
    expect(acceptor.connections).to.equal(1);
    await guest.do('transition', { type: 'pagehide', persisted: false });
    await soon('the connection has ended', accepted[0]!.closed);
    expect(await guest.do('messages', { connection })).to.have.length(1);
  });

  it('survives the back/forward cache of the acceptor, and not its end', async () => {
    const { acceptor } = accept({ allowedOrigins });
    const { guest } = await openGuest();
    const connection = await guest.do('connect', { parentOrigin: here });
    window.dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }));
    expect(acceptor.connections).to.equal(1);
    window.dispatchEvent(new PageTransitionEvent('pagehide', { persisted: false }));
    expect(acceptor.connections).to.equal(0);
    await guest.do('ended', { connection });
  });

  describe('the lock of a peer of the same origin', () => {
    const lock = (): string => LOCK_PREFIX + crypto.randomUUID();

    it('ends the connection when it is let go', async () => {
      const { accepted } = accept({ allowedOrigins });
      const { guest } = await openGuest(guestUrl(here));
      const name = lock();
      await guest.do('lock', { name });
      await silentHello(guest, { lock: name });
      // Seen by the acceptor as soon as somebody waits for it.
      await waitedFor(name);
      void guest.do('letGo');
      await soon('the connection has ended', accepted[0]!.closed);
    });

    it('is held by a connection as long as that lasts', async () => {
      const { accepted } = accept({ allowedOrigins });
      const { guest } = await openGuest(guestUrl(here));
      const connection = await guest.do('connect', { parentOrigin: here });
      const [name] = await heldLocks();
      accepted[0]!.close();
      await guest.do('ended', { connection });
      await letGoOf(name!);
    });

    it('is let go by an attempt that fails', async () => {
      const { guest } = await openGuest(guestUrl(here));
      await guest.do('connect', { parentOrigin: here, timeoutMs: 1 }).catch(() => undefined);
      await eventually(async () => (await heldLocks()).length === 0);
    });

    it('means nothing where it cannot be seen, is of another origin, or has another name', async () => {
      const { acceptor } = accept({ allowedOrigins });
      const within = await openGuest(guestUrl(here));
      const without = await openGuest();
      const name = `not-ours:${crypto.randomUUID()}`;
      const letGo = await holdLiveness(name);
      const unseen = lock();
      await silentHello(within.guest, { lock: unseen });
      await silentHello(within.guest, { lock: name });
      await silentHello(without.guest, { lock: name });
      const ours = lock();
      const letGoOfOurs = await holdLiveness(ours);
      await silentHello(without.guest, { lock: ours });
      // Other tests run at the same time, and wait for locks of theirs.
      const { pending = [] } = await navigator.locks.query();
      const names = [name, ours, unseen];
      expect(pending.filter((lock) => names.includes(lock.name!))).to.deep.equal([]);
      letGo();
      letGoOfOurs();
      // One that had waited before would have been served before.
      await Promise.all([letGoOf(name), letGoOf(ours)]);
      expect(acceptor.connections).to.equal(4);
    });

    it('is let go without harm while the page is in the back/forward cache', async () => {
      const { acceptor, accepted } = accept({ allowedOrigins });
      const { guest } = await openGuest(guestUrl(here));
      const connection = await guest.do('connect', { parentOrigin: here });
      const [name] = await heldLocks();
      for (let round = 0; round < 2; round += 1) {
        await guest.do('transition', { type: 'pagehide', persisted: true });
        await letGoOf(name!);
        expect(await guest.do('ask', { connection, message: request(round) })).to.exist;
        await guest.do('transition', { type: 'pageshow', persisted: true });
        await waitedFor(name!);
        expect(acceptor.connections).to.equal(1);
      }
      await guest.do('transition', { type: 'pagehide', persisted: false });
      await accepted[0]!.closed;
      await letGoOf(name!);
    });

    it('is not waited for while the acceptor is in the back/forward cache', async () => {
      const { acceptor, accepted } = accept({ allowedOrigins });
      const { guest } = await openGuest(guestUrl(here));
      const name = lock();
      await guest.do('lock', { name });
      const port = await silentHello(guest, { lock: name });
      window.dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }));
      await guest.do('letGo');
      await letGoOf(name);
      expect(acceptor.connections).to.equal(1);
      await guest.do('lock', { name });
      await guest.do('say', { port, message: { type: 'resumed' } });
      await waitedFor(name);
      await guest.do('letGo');
      await accepted[0]!.closed;
    });
  });

  describe('the heartbeat', () => {
    it('drops a peer after four pings without an answer, and notifies it', async () => {
      const { accepted } = accept({ allowedOrigins }, acceptFast);
      const { guest } = await openGuest();
      const port = await silentHello(guest);
      await accepted[0]!.closed;
      const messages = await guest.do<{ type: string }[]>('watch', { port, type: 'bye' });
      expect(messages.map(({ type }) => type)).to.deep.equal([
        'welcome',
        ...Array<string>(4).fill('ping'),
        'bye',
      ]);
    });

    it('keeps a peer that answers, whatever it says, and answers its pings', async () => {
      const { acceptor } = accept({ allowedOrigins }, (options) => acceptFrames(options, 100));
      const ours = (await openGuest()).guest;
      const connection = await ours.do('connect', { parentOrigin: here });
      const { guest } = await openGuest();
      const port = await silentHello(guest);
      const signs = ['text', { type: 'ping' }, { type: 'pong' }, { type: 'of the future' }];
      for (let count = 1; count <= 8; count += 1) {
        await guest.do('watch', { port, type: 'ping', count });
        await guest.do('say', { port, message: signs[count % signs.length] });
      }
      // The other one is kept by both sides themselves.
      expect(acceptor.connections).to.equal(2);
      expect(await ours.do('ask', { connection, message: request(1) })).to.have.length(1);
      const messages = await guest.do<{ type: string }[]>('watch', {
        port,
        type: 'pong',
        count: 2,
      });
      expect(messages.filter(({ type }) => type === 'pong')).to.have.length(2);
    });

    it('ends the port with null where the acceptor does not answer, as often as that has said', async () => {
      const { frame, guest } = await openGuest();
      await guest.do('acceptSilently', { heartbeatMs: fast });
      const port = await connectToFrame(frame, { origin: secondOrigin });
      const ended = new Promise((resolve) => {
        port.onmessage = ({ data }) => resolve(data);
      });
      expect(await ended).to.equal(null);
    });

    it('notices a death below 15 seconds', () => {
      expect(HEARTBEAT_MS * 5).to.be.below(15_000);
    });
  });
});
