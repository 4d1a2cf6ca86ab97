import { expect } from '@esm-bundle/chai';
import { acceptFrames, connectToFrame } from '@inpage-mcp/transport';
import { secondOrigin } from '../support/second-origin.js';
import { failureOf } from '../support/failure.js';
import { isChromium } from '../support/engine.js';
import { echoOf, FrameEcho, request } from './frame-echo.js';
import {
  frameOf,
  Guest,
  type GuestError,
  guestUrl,
  innerFrame,
  loaded,
  openGuest,
  removeFrames,
} from './guest-frame.js';

const here = location.origin;
const parentOrigin = here;
const nonce = (): string => crypto.randomUUID();

/** Runs with errors that nobody catches kept from failing the test. */
async function reportedErrors(run: () => Promise<void>): Promise<unknown[]> {
  const errors: unknown[] = [];
  const { onerror } = window;
  window.onerror = (_message, _source, _line, _column, error) => errors.push(error);
  try {
    await run();
  } finally {
    window.onerror = onerror;
  }
  return errors;
}

describe('acceptFrames', () => {
  let echo: FrameEcho | undefined;
  const accept = (...args: ConstructorParameters<typeof FrameEcho>): FrameEcho =>
    (echo = new FrameEcho(...args));

  afterEach(() => {
    echo?.acceptor.close();
    echo = undefined;
    removeFrames();
  });

  it('gives a port to a frame of another origin that asks later', async () => {
    const { acceptor, accepted } = accept({ allowedOrigins: [secondOrigin] });
    const { frame, guest } = await openGuest();
    const connection = await guest.do('connect', { parentOrigin });
    expect(await guest.do('ask', { connection, message: request(1, { a: 1 }) })).to.deep.equal([
      echoOf({ id: 1, params: { a: 1 } }, 0),
    ]);
    expect(accepted[0]!.origin).to.equal(secondOrigin);
    expect(accepted[0]!.source).to.equal(frame.contentWindow);
    expect([acceptor.connections, acceptor.violations]).to.deep.equal([1, 0]);
  });

  it('reads no more of a frame whose messages took too long to read', async function () {
    // In Firefox and WebKit a message has been read when its event comes: nobody knows for how long.
    if (!isChromium) this.skip();
    const { accepted } = accept({ allowedOrigins: [secondOrigin] });
    const [{ guest }, { guest: other }] = [await openGuest(), await openGuest()];
    await guest.do('postKeys', { keys: 400_000, times: 5, targetOrigin: here });
    const failure = await failureOf(guest.do('connect', { parentOrigin, timeoutMs: 300 }));
    expect(failure).to.have.property('code', 'timeout');
    expect(accepted).to.have.length(0);
    await other.do('connect', { parentOrigin });
    expect(accepted).to.have.length(1);
  });

  it('ends a connection whose watch port takes too long to read', async function () {
    if (!isChromium) this.skip();
    const { acceptor, accepted } = accept({ allowedOrigins: [secondOrigin] });
    const [{ guest }, { guest: other }] = [await openGuest(), await openGuest()];
    const port = await guest.do('hello', { targetOrigin: here, nonce: nonce() });
    await guest.do('watch', { port, type: 'welcome' });
    const otherPort = await other.do('hello', { targetOrigin: here, nonce: nonce() });
    await other.do('watch', { port: otherPort, type: 'welcome' });
    expect(accepted).to.have.length(2);
    await guest.do('postKeys', { keys: 400_000, times: 5, port });
    await guest.do('watch', { port, type: 'bye' });
    expect(acceptor.connections).to.equal(1);
    const heard = await other.do<{ type: string }[]>('watched', { port: otherPort });
    expect(heard.map(({ type }) => type)).not.to.include('bye');
  });

  it('gives a port to a frame that has asked before', async () => {
    const { guest } = await openGuest(guestUrl(secondOrigin, `?connect=${here}`));
    accept({ allowedOrigins: [secondOrigin] });
    const connection = await guest.do('connected');
    expect(await guest.do('ask', { connection, message: request('x') })).to.have.length(1);
  });

  it('serves the parent from within a frame, whichever side is first', async () => {
    const { frame, guest } = await openGuest();
    const early = connectToFrame(frame, { origin: secondOrigin });
    await guest.do('accept', { allowedOrigins: [here] });
    for (const port of [await early, await connectToFrame(frame, { origin: secondOrigin })]) {
      const answered = new Promise((resolve) => {
        port.onmessage = ({ data }) => resolve(data);
      });
      port.postMessage(request(7, { b: 2 }));
      expect(await answered).to.deep.equal({ jsonrpc: '2.0', id: 7, result: { echo: { b: 2 } } });
    }
    expect(await guest.do('connections')).to.equal(2);
  });

  it('keeps the answers of two frames apart that use the same ids at the same time', async () => {
    const { accepted } = accept({ allowedOrigins: [secondOrigin] });
    const guests = [(await openGuest()).guest, (await openGuest()).guest];
    const asked = guests.map(async (guest, number) => {
      const connection = await guest.do('connect', { parentOrigin });
      const ids = Array.from({ length: 50 }, (_, id) => id);
      const messages = ids.map((id) => request(id, { guest: number }));
      await Promise.all(messages.map((message) => guest.do('ask', { connection, message })));
      return await guest.do<{ id: number; result: { connection: number; echo: object } }[]>(
        'messages',
        { connection },
      );
    });
    const seen = await Promise.all(asked);
    for (const [number, messages] of seen.entries()) {
      expect(messages.map(({ id }) => id).toSorted((a, b) => a - b)).to.deep.equal([
        ...Array(50).keys(),
      ]);
      for (const { result } of messages) expect(result.echo).to.deep.equal({ guest: number });
      expect(new Set(messages.map(({ result }) => result.connection)).size).to.equal(1);
    }
    expect(accepted).to.have.length(2);
  });

  it('answers a nonce once', async () => {
    const { accepted } = accept({ allowedOrigins: [secondOrigin] });
    const { guest } = await openGuest();
    const same = { targetOrigin: here, nonce: nonce() };
    const first = await guest.do('hello', same);
    const again = await guest.do('hello', same);
    const other = await guest.do('hello', { targetOrigin: here, nonce: nonce() });
    await guest.do('watch', { port: other, type: 'welcome' });
    expect(await guest.do('watched', { port: first })).to.have.length(1);
    expect(await guest.do('watched', { port: again })).to.deep.equal([]);
    expect(accepted).to.have.length(2);
  });

  it('refuses a version that it does not know', async () => {
    const { accepted } = accept({ allowedOrigins: [secondOrigin] });
    const { guest } = await openGuest();
    const port = await guest.do('hello', { targetOrigin: here, nonce: nonce(), version: 2 });
    const [refusal] = await guest.do<{ reason: string }[]>('watch', { port, type: 'refused' });
    expect(refusal!.reason).to.contain('version 1');
    expect(accepted).to.have.length(0);
  });

  it('ignores what an allowed origin says that is no hello', async () => {
    const { acceptor, accepted, violations } = accept({ allowedOrigins: [secondOrigin] });
    const { guest } = await openGuest();
    const hello = { 'inpage-mcp': 'connect', version: 1, nonce: nonce(), document: 'one' };
    const strangers: [message: unknown, ports: number][] = [
      [hello, 0],
      [hello, 1],
      [hello, 3],
      [null, 2],
      ['text', 2],
      [[hello], 2],
      [{ ...hello, 'inpage-mcp': 'other' }, 2],
      [{ ...hello, version: '1' }, 2],
      [{ ...hello, nonce: 'x'.repeat(15) }, 2],
      [{ ...hello, nonce: 'x'.repeat(129) }, 2],
      [{ ...hello, document: '' }, 2],
      [{ ...hello, document: 7 }, 2],
      [{ ...hello, lock: 7 }, 2],
    ];
    for (const [message, ports] of strangers) {
      await guest.do('post', { where: 'parent', message, ports, targetOrigin: here });
    }
    for (const length of [16, 128]) {
      const port = await guest.do('hello', { targetOrigin: here, nonce: 'y'.repeat(length) });
      await guest.do('watch', { port, type: 'welcome' });
    }
    expect(accepted).to.have.length(2);
    expect([acceptor.violations, violations.length]).to.deep.equal([0, 0]);
  });

  it('gives a frame 32 connections and has one more wait, until one is closed', async () => {
    const { acceptor } = accept({ allowedOrigins: [secondOrigin] });
    const { guest } = await openGuest();
    for (let count = 0; count < 32; count += 1) await guest.do('connect', { parentOrigin });
    const failure = await failureOf(guest.do('connect', { parentOrigin }));
    expect((failure as GuestError).code).to.equal('busy');
    expect(acceptor.connections).to.equal(32);
    const other = await openGuest();
    await other.guest.do('connect', { parentOrigin });
    await guest.do('close', { connection: 3 });
    await guest.do('ended', { connection: 3 });
    await guest.do('connect', { parentOrigin });
  });

  it('counts a frame together with the frames in it', async () => {
    const { accepted } = accept({ allowedOrigins: [secondOrigin], maxConnectionsPerFrame: 1 });
    const { frame, guest } = await openGuest();
    await guest.do('nest', { src: guestUrl() });
    const innerWindow = await innerFrame(frame);
    const inner = new Guest(innerWindow);
    const hello = { where: 'top', targetOrigin: here };
    const port = await inner.do('hello', { ...hello, nonce: nonce() });
    await inner.do('watch', { port, type: 'welcome' });
    expect(accepted[0]!.source).to.equal(innerWindow);
    const outer = await guest.do('hello', { ...hello, nonce: nonce() });
    await guest.do('watch', { port: outer, type: 'busy' });
  });

  it('has a frame wait that opens connections too fast, however fast it ends them', async () => {
    const { accepted, acceptor } = accept({ allowedOrigins: [secondOrigin] });
    const { guest } = await openGuest();
    const { guest: other } = await openGuest();
    const start = performance.now();
    const answers = await guest.do<string[]>('hellos', { count: 500, targetOrigin: here });
    const mayOpen = 64 + ((performance.now() - start) / 1_000) * 8;
    expect(answers.slice(0, 64)).to.deep.equal(Array<string>(64).fill('welcome'));
    expect(accepted.length).to.be.within(64, mayOpen);
    expect(answers.filter((type) => type === 'busy')).to.have.length(500 - accepted.length);
    expect(acceptor.connections).to.be.at.most(1);
    await other.do('connect', { parentOrigin });
  });

  it('has the frame come again later where onPort throws, reports it, and serves the next', async () => {
    const broken = new Error('broken');
    const { guest } = await openGuest();
    let isBroken = true;
    const { acceptor } = accept(
      { allowedOrigins: [secondOrigin], maxConnectionsPerFrame: 1 },
      (options) => {
        const { onPort } = options;
        return acceptFrames({
          ...options,
          onPort(port, connection) {
            if (isBroken) throw broken;
            onPort(port, connection);
          },
        });
      },
    );
    const errors = await reportedErrors(async () => {
      const failure = await failureOf(guest.do('connect', { parentOrigin }));
      expect((failure as GuestError).code).to.equal('busy');
    });
    expect(errors).to.deep.equal([broken]);
    expect(acceptor.connections).to.equal(0);
    isBroken = false;
    await guest.do('connect', { parentOrigin });
  });

  it('refuses for good where onPort closes the connection at once', async () => {
    const { guest } = await openGuest();
    const { acceptor } = accept({ allowedOrigins: [secondOrigin] }, (options) =>
      acceptFrames({ ...options, onPort: (_port, connection) => connection.close() }),
    );
    const failure = await failureOf(guest.do('connect', { parentOrigin }));
    expect((failure as GuestError).code).to.equal('refused');
    expect(acceptor.connections).to.equal(0);
  });

  it('lets the first of two acceptors answer whose origins allow it', async () => {
    const first = new FrameEcho({ allowedOrigins: ['https://elsewhere.example'] });
    const second = new FrameEcho({ allowedOrigins: [secondOrigin] });
    const third = new FrameEcho({ allowedOrigins: [secondOrigin] });
    const { guest } = await openGuest();
    await guest.do('connect', { parentOrigin });
    const counts = [first, second, third].map(({ accepted }) => accepted.length);
    expect(counts).to.deep.equal([0, 1, 0]);
    for (const { acceptor } of [first, second, third]) acceptor.close();
  });

  it('stops with close() and with its signal, and ends the ports of the frames with null', async () => {
    const { guest } = await openGuest();
    const controller = new AbortController();
    for (const [number, close] of [
      (echo: FrameEcho) => echo.acceptor.close(),
      () => controller.abort(),
    ].entries()) {
      const echo = accept({ allowedOrigins: [secondOrigin], signal: controller.signal });
      await guest.do('connect', { parentOrigin });
      close(echo);
      await guest.do('ended', { connection: number });
      await echo.accepted[0]!.closed;
      expect(echo.acceptor.connections).to.equal(0);
      echo.acceptor.close();
    }
    const failure = await failureOf(guest.do('connect', { parentOrigin, timeoutMs: 300 }));
    expect((failure as GuestError).code).to.equal('timeout');
    accept({ allowedOrigins: [secondOrigin], signal: controller.signal });
    const late = await failureOf(guest.do('connect', { parentOrigin, timeoutMs: 300 }));
    expect((late as GuestError).code).to.equal('timeout');
  });

  it('ends one connection and leaves the others', async () => {
    const { accepted } = accept({ allowedOrigins: [secondOrigin] });
    const { guest } = await openGuest();
    for (let count = 0; count < 2; count += 1) await guest.do('connect', { parentOrigin });
    accepted[0]!.close();
    await accepted[0]!.closed;
    expect(await guest.do('ended', { connection: 0 })).to.deep.equal([null]);
    expect(await guest.do('ask', { connection: 1, message: request(1) })).to.have.length(1);
    accepted[0]!.close();
  });

  for (const origin of [secondOrigin, here]) {
    it(`is asked anew by a frame of ${origin} that append() moves, and not by moveBefore()`, async function () {
      // Safari has none.
      if (!('moveBefore' in Element.prototype)) this.skip();
      const { accepted, acceptor } = accept({ allowedOrigins: [origin] });
      const { frame, guest } = await openGuest(guestUrl(origin, `?connect=${here}`));
      const connection = await guest.do('connected');
      const [left, right] = [document.createElement('div'), document.createElement('div')];
      document.body.append(left, right);
      (left as ParentNode & { moveBefore(node: Node, child: null): void }).moveBefore(frame, null);
      expect(await guest.do('ask', { connection, message: request(1) })).to.have.length(1);
      expect(acceptor.connections).to.equal(1);
      right.append(frame);
      await accepted[0]!.closed;
      await loaded(frame);
      const moved = new Guest(frame.contentWindow!);
      const again = await moved.do('connected');
      expect(await moved.do('ask', { connection: again, message: request(2) })).to.have.length(1);
      expect(acceptor.connections).to.equal(1);
      left.remove();
      right.remove();
    });
  }

  it('listens before a frame is navigated', async () => {
    const { frame } = { frame: frameOf('about:blank') };
    document.body.append(frame);
    const { acceptor } = accept({ allowedOrigins: [secondOrigin] });
    frame.src = guestUrl(secondOrigin, `?connect=${here}`);
    await loaded(frame);
    await new Guest(frame.contentWindow!).do('connected');
    expect(acceptor.connections).to.equal(1);
  });
});
