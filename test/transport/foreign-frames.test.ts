import { expect } from '@esm-bundle/chai';
import { acceptMcpBFrames, acceptSep1005Frames } from '@inpage-mcp/transport';
import { secondOrigin } from '../support/second-origin.js';
import { soon } from '../support/within.js';
import { echoOf, FrameEcho, request } from './frame-echo.js';
import {
  frameOf,
  Guest,
  guestUrl,
  innerFrame,
  loaded,
  openGuest,
  removeFrames,
} from './guest-frame.js';
import { useNoHeartbeat } from '../support/heartbeat.js';

const here = location.origin;
const parentOrigin = here;

/** Opens a frame that speaks a protocol of others. */
async function openForeign(
  protocol: string,
  sandbox = false,
): Promise<{ frame: HTMLIFrameElement; guest: Guest }> {
  const frame = frameOf(`${secondOrigin}/test/fixtures/handover-foreign.html?protocol=${protocol}`);
  if (sandbox) frame.sandbox.add('allow-scripts');
  document.body.append(frame);
  await loaded(frame);
  return { frame, guest: new Guest(frame.contentWindow!) };
}

for (const [protocol, acceptForeign] of Object.entries({
  'mcp-b': acceptMcpBFrames,
  'sep-1005': acceptSep1005Frames,
})) {
  describe(`a frame that speaks ${protocol}`, () => {
    useNoHeartbeat();

    let echo: FrameEcho;
    const allowedOrigins = [secondOrigin];
    const accept = (
      options: ConstructorParameters<typeof FrameEcho>[0] = { allowedOrigins },
    ): FrameEcho => (echo = new FrameEcho(options, acceptForeign));

    afterEach(() => {
      echo.acceptor.close();
      removeFrames();
    });

    it('is served on a port as any other', async () => {
      const { acceptor, accepted } = accept();
      const { frame, guest } = await openForeign(protocol);
      await guest.do('start', { parentOrigin });
      const message = request(1, { a: 1 });
      expect(await guest.do('ask', { message })).to.deep.equal(
        echoOf({ id: 1, params: { a: 1 } }, 0),
      );
      expect(await guest.do('ask', { message: request('x') })).to.have.property('id', 'x');
      expect([accepted[0]!.origin, accepted[0]!.source]).to.deep.equal([
        secondOrigin,
        frame.contentWindow,
      ]);
      expect([acceptor.connections, acceptor.violations]).to.deep.equal([1, 0]);
    });

    it('never sees the answers of another frame', async () => {
      accept();
      const guests = [(await openForeign(protocol)).guest, (await openForeign(protocol)).guest];
      await Promise.all(guests.map((guest) => guest.do('start', { parentOrigin })));
      await Promise.all(guests.map((guest) => guest.do('forget')));
      const ids = Array.from({ length: 20 }, (_, id) => id);
      const asked = guests.flatMap((guest, number) =>
        ids.map((id) => guest.do('ask', { message: request(id, { guest: number }) })),
      );
      await Promise.all(asked);
      for (const [number, guest] of guests.entries()) {
        const seen = await guest.do<{ id: number; result: { echo: object } }[]>('seen');
        expect(seen.map(({ id }) => id)).to.deep.equal(ids);
        for (const { result } of seen) expect(result.echo).to.deep.equal({ guest: number });
      }
    });

    it('gets no answer where its origin is not allowed', async () => {
      const { acceptor, accepted } = accept({ allowedOrigins: ['https://elsewhere.example'] });
      const { guest } = await openForeign(protocol);
      void guest.do('start', { parentOrigin });
      expect(await echo.violated(1)).to.deep.equal([{ origin: secondOrigin, count: 1 }]);
      expect(await guest.do('seen')).to.deep.equal([]);
      expect([acceptor.connections, accepted.length]).to.deep.equal([0, 0]);
    });

    it('is not served in a sandbox: no answer could be posted to it alone', async () => {
      const { frame } = await openForeign(protocol, true);
      for (const origins of [[], allowedOrigins]) {
        expect(() => accept({ allowedOrigins: origins, sandboxedFrames: [frame] })).to.throw(
          TypeError,
          'sandboxedFrames',
        );
      }
      accept({ allowedOrigins, sandboxedFrames: [] });
    });

    it('gets a new connection after it was reloaded, and the old one is freed', async () => {
      const { acceptor, accepted } = accept();
      const { frame, guest } = await openForeign(protocol);
      await guest.do('start', { parentOrigin });
      await guest.do('ask', { message: request(1) });
      const reloaded = loaded(frame);
      await guest.do('reload');
      await reloaded;
      const next = new Guest(frame.contentWindow!);
      await next.do('start', { parentOrigin });
      expect(await next.do('ask', { message: request(1) })).to.have.nested.property(
        'result.connection',
        1,
      );
      await accepted[0]!.closed;
      expect(acceptor.connections).to.equal(1);
      expect(await next.do('seen')).not.to.include('mcp-server-stopped');
    });

    it('passes nothing on but messages: the stream cannot be ended or confused', async () => {
      const received: unknown[] = [];
      const acceptor = acceptForeign({
        allowedOrigins,
        onPort(port) {
          port.onmessage = ({ data }) => {
            // The acceptor's own end, after the test.
            if (data === null) return;
            received.push(data);
            port.postMessage('no message');
            port.postMessage(echoOf(data, 0));
          };
        },
      });
      echo = { acceptor } as FrameEcho;
      const { guest } = await openForeign(protocol);
      await guest.do('start', { parentOrigin });
      await guest.do('ask', { message: request(1) });
      const before = await guest.do<unknown[]>('seen');
      const wrap = (payload: unknown): object =>
        protocol === 'mcp-b'
          ? { channel: 'mcp-iframe', type: 'mcp', direction: 'client-to-server', payload }
          : { type: 'MCP_MESSAGE', payload };
      for (const payload of [null, 'text', [], {}, { jsonrpc: '2.0' }, undefined]) {
        await guest.do('post', { message: wrap(payload) });
      }
      for (const message of [null, 'text', [], {}, { type: 'mcp' }, { type: 'MCP_OTHER' }]) {
        await guest.do('post', { message });
      }
      await guest.do('ask', { message: request(2) });
      expect(received).to.deep.equal([request(1), request(2)]);
      expect(await guest.do<unknown[]>('seen')).to.have.length(before.length + 1);
    });

    it('has its connection ended by the server, and gets another when it begins anew', async () => {
      const { acceptor, accepted } = accept();
      const { guest } = await openForeign(protocol);
      await guest.do('start', { parentOrigin });
      await guest.do('ask', { message: request(1) });
      await guest.do('send', { message: { ...request(2), method: 'end' } });
      await accepted[0]!.closed;
      expect(acceptor.connections).to.equal(0);
      await guest.do('forget');
      await guest.do('start', { parentOrigin });
      expect(await guest.do('ask', { message: request(3) })).to.deep.equal(
        echoOf({ id: 3, params: {} }, 1),
      );
    });

    it('ends the server’s port with null when the frame is gone', async () => {
      const ended = new Promise<unknown>((resolve) => {
        const acceptor = acceptForeign({
          allowedOrigins,
          onPort(port) {
            port.onmessage = ({ data }) => {
              if (data === null) resolve(data);
              else port.postMessage(echoOf(data, 0));
            };
          },
        });
        echo = { acceptor } as FrameEcho;
      });
      const { frame, guest } = await openForeign(protocol);
      await guest.do('start', { parentOrigin });
      await guest.do('ask', { message: request(1) });
      frame.remove();
      expect(await soon('the port has ended', ended)).to.equal(null);
      expect(echo.acceptor.connections).to.equal(0);
    });
  });
}

describe('acceptMcpBFrames', () => {
  afterEach(removeFrames);

  it('listens on one channel', async () => {
    const echo = new FrameEcho({ allowedOrigins: [secondOrigin] }, (options) =>
      acceptMcpBFrames({ ...options, channel: 'mcp-default' }),
    );
    const { guest } = await openForeign('mcp-b');
    void guest.do('start', { parentOrigin, channel: 'another' });
    await guest.do('start', { parentOrigin, channel: 'mcp-default' });
    expect(await guest.do('ask', { message: request(1) })).to.have.property('id', 1);
    expect(await guest.do('seen')).to.have.length(2);
    echo.acceptor.close();
  });

  it('says that it stopped where a frame may have no more connections', async () => {
    const options = { allowedOrigins: [secondOrigin], maxConnectionsPerFrame: 1 };
    const echo = new FrameEcho(options, acceptMcpBFrames);
    const { frame, guest } = await openGuest();
    await guest.do('nest', { src: guestUrl() });
    const inner = new Guest(await innerFrame(frame));
    const message = {
      channel: 'mcp-iframe',
      type: 'mcp',
      direction: 'client-to-server',
      payload: request(1),
    };
    await inner.do('post', { where: 'top', targetOrigin: here, message });
    await echo.connection(0);
    await guest.do('post', { where: 'top', targetOrigin: here, message });
    await guest.do('receive', { payload: 'mcp-server-stopped' });
    expect(echo.accepted).to.have.length(1);
    echo.acceptor.close();
  });

  it('notifies a parent that asked too early that the server is ready', async () => {
    const { frame, guest } = await openGuest();
    const ready = new Promise<MessageEvent>((resolve) => {
      const listener = (event: MessageEvent): void => {
        if (event.source === frame.contentWindow) resolve(event);
      };
      window.addEventListener('message', listener, { once: true });
    });
    await guest.do('acceptMcpB', { allowedOrigins: [here] });
    expect((await ready).data).to.deep.equal({
      channel: 'mcp-iframe',
      type: 'mcp',
      direction: 'server-to-client',
      payload: 'mcp-server-ready',
    });
  });

  it('ends with a word when the acceptor closes', async () => {
    const echo = new FrameEcho({ allowedOrigins: [secondOrigin] }, acceptMcpBFrames);
    const { guest } = await openForeign('mcp-b');
    await guest.do('start', { parentOrigin });
    await guest.do('ask', { message: request(1) });
    echo.acceptor.close();
    await guest.do('receive', { payload: 'mcp-server-stopped' });
  });
});

describe('acceptSep1005Frames', () => {
  afterEach(removeFrames);

  it('opens nothing for a session that it has not offered, or twice, or in another version', async () => {
    const echo = new FrameEcho({ allowedOrigins: [secondOrigin] }, acceptSep1005Frames);
    const { guest } = await openForeign('sep-1005');
    await guest.do('post', {
      message: { type: 'MCP_TRANSPORT_HANDSHAKE', protocolVersion: '2.0' },
    });
    const accept = { type: 'MCP_TRANSPORT_ACCEPTED', sessionId: 'guessed' };
    await guest.do('post', { message: accept });
    await guest.do('post', { message: { ...accept, sessionId: undefined } });
    await guest.do('start', { parentOrigin });
    const [reply, ...more] = await guest.do<{ sessionId: string }[]>('seen');
    expect(more).to.deep.equal([]);
    await guest.do('post', { message: { ...accept, sessionId: reply!.sessionId } });
    await guest.do('ask', { message: request(1) });
    expect(echo.accepted).to.have.length(1);
    echo.acceptor.close();
  });
});
