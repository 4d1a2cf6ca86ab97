import { expect } from '@esm-bundle/chai';
import { connectToFrame, connectToParent, TransportError } from '@inpage-mcp/transport';
import { failureOf } from '../support/failure.js';
import { secondOrigin } from '../support/second-origin.js';
import { soon } from '../support/within.js';
import { FrameEcho, request } from './frame-echo.js';
import { frameOf, Guest, guestUrl, loaded, openGuest, removeFrames } from './guest-frame.js';

const here = location.origin;

/** Resolves with all that comes on a port until it ends. */
async function untilNull(port: MessagePort): Promise<unknown[]> {
  const messages: unknown[] = [];
  await new Promise<void>((resolve) => {
    port.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      messages.push(data);
      if (data === null) resolve();
    });
    port.start();
  });
  return messages;
}

describe('connectToParent and connectToFrame', () => {
  afterEach(removeFrames);

  it('refuse what is no origin, and a time that is none', async () => {
    const frame = document.createElement('iframe');
    const webviews = [
      'tauri://',
      'tauri://localhost/',
      'tauri://me@a',
      'tauri:a',
      'file://a',
      'Tauri://a',
    ];
    const others = [
      '*',
      'null',
      '',
      '/',
      'localhost',
      `${secondOrigin}/`,
      'https://a/b',
      undefined,
    ];
    for (const origin of [...webviews, ...others]) {
      for (const attempt of [
        connectToFrame(frame, { origin: origin as string }),
        connectToParent({ parentOrigin: origin as string }),
      ]) {
        const failure = await failureOf(attempt);
        expect(failure).to.be.instanceOf(TypeError);
        expect((failure as TypeError).message).to.match(/^(parentO|o)rigin: .* is not an origin/);
      }
    }
    for (const timeoutMs of [0, -1, NaN, Infinity, 2 ** 31]) {
      const attempt = connectToFrame(frame, { origin: here, timeoutMs });
      expect(await failureOf(attempt)).to.be.instanceOf(TypeError);
    }
  });

  it('take the origin of a webview, which has a scheme of its own', async () => {
    const frame = document.createElement('iframe');
    for (const origin of [
      'tauri://localhost',
      'capacitor://localhost',
      'vscode-webview://1a-2b',
      'app://a:8',
    ]) {
      const connecting = connectToFrame(frame, { origin, timeoutMs: 60 });
      expect(await failureOf(connecting)).to.be.instanceOf(TransportError);
    }
  });

  it('fail at once where there is no parent', async () => {
    const failure = await failureOf(connectToParent({ parentOrigin: here }));
    expect(failure).to.be.instanceOf(TransportError);
    expect((failure as TransportError).code).to.equal('no-window');
  });

  it('time out where nobody answers: nobody listens, another origin is there, or no document', async () => {
    const { frame } = await openGuest();
    for (const [target, origin] of [
      [frame, secondOrigin],
      [frame, 'https://elsewhere.example'],
      [document.createElement('iframe'), secondOrigin],
    ] as const) {
      const failure = await failureOf(connectToFrame(target, { origin, timeoutMs: 60 }));
      expect(failure).to.be.instanceOf(TransportError);
      expect((failure as TransportError).code).to.equal('timeout');
      expect((failure as TransportError).message)
        .to.contain(origin)
        .and.to.contain('60 ms');
    }
  });

  it('are not served by a document of another origin, although it accepts everybody', async () => {
    const { frame, guest } = await openGuest();
    await guest.do('accept', { allowedOrigins: [here] });
    const wrong = connectToFrame(frame, { origin: here, timeoutMs: 200 });
    expect(((await failureOf(wrong)) as TransportError).code).to.equal('timeout');
    expect(await guest.do('connections')).to.equal(0);
  });

  it('connect to a frame that is not in the document yet', async () => {
    const frame = frameOf(guestUrl());
    const connecting = connectToFrame(frame, { origin: secondOrigin });
    document.body.append(frame);
    await loaded(frame);
    await new Guest(frame.contentWindow!).do('accept', { allowedOrigins: [here] });
    expect(await connecting).to.be.instanceOf(MessagePort);
  });

  it('give up with the signal, before and while they wait', async () => {
    const { frame } = await openGuest();
    const reason = new Error('enough');
    const aborted = { origin: secondOrigin, signal: AbortSignal.abort(reason) };
    expect(await failureOf(connectToFrame(frame, aborted))).to.equal(reason);
    const controller = new AbortController();
    const waiting = connectToFrame(frame, { origin: secondOrigin, signal: controller.signal });
    controller.abort(reason);
    expect(await failureOf(waiting)).to.equal(reason);
  });

  it('take back what they gave up: an answer that comes too late opens nothing for long', async () => {
    const { frame, guest } = await openGuest();
    await guest.do('accept', { allowedOrigins: [here] });
    const controller = new AbortController();
    const { signal } = controller;
    const connecting = connectToFrame(frame, { origin: secondOrigin, signal });
    controller.abort();
    expect(await failureOf(connecting)).to.equal(signal.reason);
    // Notified, and not found dead by the heartbeat.
    await soon('the guest has no connection', guest.do('idle', { after: 1 }));
  });

  it('end the connection with the signal, on both sides', async () => {
    const { frame, guest } = await openGuest();
    await guest.do('accept', { allowedOrigins: [here] });
    const controller = new AbortController();
    const { signal } = controller;
    const port = await connectToFrame(frame, { origin: secondOrigin, signal });
    const ended = untilNull(port);
    controller.abort();
    expect(await ended).to.deep.equal([null]);
    // It learns of it by itself, and in WebKit perhaps after what is asked of it next.
    await soon('the guest has no connection', guest.do('idle', { after: 1 }));
    const other = await connectToFrame(frame, { origin: secondOrigin });
    expect(await guest.do('connections')).to.equal(1);
    other.close();
  });

  it('end the port with null when the frame stops accepting, is reloaded, or is removed', async () => {
    const { frame, guest } = await openGuest();
    const ends: ((guest: Guest) => unknown)[] = [
      (guest) => guest.do('stopAccepting'),
      (guest) => guest.do('reload'),
      () => frame.remove(),
    ];
    let current = guest;
    for (const end of ends) {
      await current.do('accept', { allowedOrigins: [here] });
      const port = await connectToFrame(frame, { origin: secondOrigin });
      const ended = untilNull(port);
      const reloaded = end === ends[1] ? loaded(frame) : undefined;
      void end(current);
      expect(await ended).to.deep.equal([null]);
      await reloaded;
      if (frame.contentWindow) current = new Guest(frame.contentWindow);
    }
  });

  it('end once where the peer ends the stream on the port, and free the connection there', async () => {
    const { frame, guest } = await openGuest();
    await guest.do('accept', { allowedOrigins: [here] });
    const port = await connectToFrame(frame, { origin: secondOrigin });
    const ended = untilNull(port);
    port.postMessage({ ...request(1), method: 'end' });
    const messages = await ended;
    port.addEventListener('message', ({ data }: MessageEvent<unknown>) => messages.push(data));
    await guest.do('idle', { after: 1 });
    expect(messages).to.deep.equal([null]);
  });

  it('give a port that may be transferred on', async () => {
    const { frame, guest } = await openGuest();
    await guest.do('accept', { allowedOrigins: [here] });
    const port = await connectToFrame(frame, { origin: secondOrigin });
    const source = `onmessage = ({ ports: [port] }) => {
      port.onmessage = ({ data }) => postMessage(data);
      port.postMessage({ jsonrpc: '2.0', id: 5, method: 'echo' });
    }`;
    const worker = new Worker(URL.createObjectURL(new Blob([source])));
    const answered = new Promise((resolve) => {
      worker.onmessage = ({ data }) => resolve(data.id);
    });
    worker.postMessage(0, [port]);
    expect(await answered).to.equal(5);
    worker.terminate();
  });

  it('connect within one origin, too', async () => {
    const echo = new FrameEcho({ allowedOrigins: [here] });
    const { guest } = await openGuest(guestUrl(here));
    const connection = await guest.do('connect', { parentOrigin: here });
    expect(await guest.do('ask', { connection, message: request(1) })).to.have.length(1);
    echo.acceptor.close();
    await guest.do('ended', { connection });
  });
});
