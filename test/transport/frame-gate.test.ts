import { expect } from '@esm-bundle/chai';
import { acceptFrames, acceptMcpBFrames, acceptSep1005Frames } from '@inpage-mcp/transport';
import { secondOrigin } from '../support/second-origin.js';
import { FrameEcho } from './frame-echo.js';
import {
  frameOf,
  Guest,
  guestUrl,
  innerFrame,
  loaded,
  openGuest,
  removeFrames,
} from './guest-frame.js';

const here = location.origin;
const elsewhere = 'https://elsewhere.example';
const onPort = (): void => {};

/** A message event whose content must not be looked at. */
function untouchable({ source = null, ...init }: MessageEventInit): {
  event: MessageEvent;
  reads: string[];
} {
  const event = new MessageEvent('message', init);
  const reads: string[] = [];
  // Firefox does not take the window of a frame of another origin in `init`.
  Object.defineProperty(event, 'source', { value: source });
  for (const name of ['data', 'ports']) {
    const get = (): unknown[] => {
      reads.push(name);
      return [];
    };
    Object.defineProperty(event, name, { get });
  }
  return { event, reads };
}

describe('the gate before all who accept frames', () => {
  let echo: FrameEcho | undefined;
  const accept = (...args: ConstructorParameters<typeof FrameEcho>): FrameEcho =>
    (echo = new FrameEcho(...args));

  afterEach(() => {
    echo?.acceptor.close();
    echo = undefined;
    removeFrames();
  });

  it('knows the pages of webviews by the origin that the browser gives them', async () => {
    const { frame } = await openGuest();
    const violations: string[] = [];
    const acceptor = acceptFrames({
      allowedOrigins: ['tauri://localhost'],
      onPort,
      onOriginViolation: ({ origin }) => violations.push(origin),
    });
    for (const origin of ['tauri://localhost', 'tauri://other', 'capacitor://localhost']) {
      const { event } = untouchable({ origin, source: frame.contentWindow });
      window.dispatchEvent(event);
    }
    expect(violations).to.deep.equal(['tauri://other', 'capacitor://localhost']);
    acceptor.close();
  });

  for (const [name, accept] of Object.entries({
    acceptFrames,
    acceptMcpBFrames,
    acceptSep1005Frames,
  })) {
    it(`is the same in ${name}: the content of a stranger's message is not read`, async () => {
      const { frame } = await openGuest();
      const { acceptor } = (echo = new FrameEcho({ allowedOrigins: [secondOrigin] }, accept));
      const stranger = untouchable({ origin: elsewhere, source: frame.contentWindow });
      window.dispatchEvent(stranger.event);
      const nobody = untouchable({ origin: secondOrigin });
      window.dispatchEvent(nobody.event);
      const port = untouchable({ origin: secondOrigin, source: new MessageChannel().port1 });
      window.dispatchEvent(port.event);
      expect([stranger.reads, nobody.reads, port.reads]).to.deep.equal([[], [], []]);
      expect(acceptor.violations).to.equal(3);
      const known = untouchable({ origin: secondOrigin, source: frame.contentWindow });
      window.dispatchEvent(known.event);
      expect(known.reads).not.to.deep.equal([]);
      expect(acceptor.violations).to.equal(3);
    });

    it(`is the same in ${name}: options that make no sense are refused`, () => {
      const wrong: [option: object, message: string][] = [
        ...['*', 'null', '', 'example.com', `${elsewhere}/`, `${elsewhere}/path`].map(
          (origin): [object, string] => [{ allowedOrigins: [origin] }, JSON.stringify(origin)],
        ),
        [{ allowedOrigins: ['https://EXAMPLE.com'] }, 'EXAMPLE'],
        [{ allowedOrigins: ['https://example.com:443'] }, ':443'],
        [{ allowedOrigins: ['file://'] }, 'file:'],
        [{ allowedOrigins: ['data:text/html,x'] }, 'data:'],
        [{ allowedOrigins: [elsewhere, '*'] }, '"*"'],
        [{ allowedOrigins: [undefined] }, 'undefined'],
        [{ allowedOrigins: elsewhere }, 'a list'],
        [{ allowedOrigins: undefined }, 'a list'],
        [{ allowedOrigins: [] }, 'sandboxedFrames'],
        [{ allowedOrigins: [], sandboxedFrames: [] }, 'sandboxedFrames'],
        // The adapters take none at all.
        [{ allowedOrigins: [], sandboxedFrames: ['#frame'] }, 'sandboxedFrames '],
        [{ allowedOrigins: [], sandboxedFrames: [document.body] }, 'sandboxedFrames '],
        [{ allowedOrigins: [elsewhere], maxConnectionsPerFrame: 0 }, 'maxConnectionsPerFrame'],
        [{ allowedOrigins: [elsewhere], maxConnectionsPerFrame: 1.5 }, 'maxConnectionsPerFrame'],
        [{ allowedOrigins: [elsewhere], onPort: undefined }, 'onPort'],
      ];
      const elements = 'sandboxedFrames must be a list of iframe elements.';
      const notElements = { allowedOrigins: [], sandboxedFrames: [document.body], onPort };
      expect(() => acceptFrames(notElements as never)).to.throw(TypeError, elements);
      for (const [option, message] of wrong) {
        expect(() => accept({ onPort, ...option } as never)).to.throw(TypeError, message);
      }
      const proper = ['http://localhost:8080', 'http://[::1]:9', 'https://xn--e1afmkfd.example'];
      accept({ allowedOrigins: proper, onPort, maxConnectionsPerFrame: 1 }).close();
    });
  }

  it('leaves a frame of another origin without an answer, and notifies the hook', async () => {
    const { acceptor, accepted } = accept({ allowedOrigins: [elsewhere] });
    const { guest } = await openGuest();
    const hello = { targetOrigin: here, nonce: crypto.randomUUID() };
    const port = await guest.do('hello', hello);
    expect(await echo!.violated(1)).to.deep.equal([{ origin: secondOrigin, count: 1 }]);
    await guest.do('hello', hello);
    expect((await echo!.violated(2))[1]).to.deep.equal({ origin: secondOrigin, count: 2 });
    expect(await guest.do('watched', { port })).to.deep.equal([]);
    expect([acceptor.violations, accepted.length]).to.deep.equal([2, 0]);
  });

  it('counts the first 100 origins apart and all others together', () => {
    const { acceptor, violations } = accept({ allowedOrigins: [elsewhere] });
    const say = (number: number): void => {
      const origin = `https://${number}.example`;
      window.dispatchEvent(new MessageEvent('message', { origin }));
    };
    for (let number = 0; number < 100; number += 1) say(number);
    say(99);
    for (const number of [100, 101, 100]) say(number);
    say(0);
    const last = violations.slice(99).map(({ count }) => count);
    expect(last).to.deep.equal([1, 2, 1, 2, 3, 2]);
    expect(acceptor.violations).to.equal(105);
  });

  it('serves on although the hook throws', async () => {
    const broken = new Error('broken');
    accept({
      allowedOrigins: [secondOrigin],
      onOriginViolation() {
        throw broken;
      },
    });
    const { onerror } = window;
    const errors: unknown[] = [];
    window.onerror = (_message, _source, _line, _column, error) => errors.push(error);
    window.dispatchEvent(new MessageEvent('message', { origin: elsewhere }));
    window.onerror = onerror;
    expect(errors).to.deep.equal([broken]);
    const { guest } = await openGuest();
    await guest.do('connect', { parentOrigin: here });
  });

  it('does not count what this window says to itself', async () => {
    const { acceptor } = accept({ allowedOrigins: [secondOrigin] });
    const said = new Promise((resolve) =>
      window.addEventListener('message', resolve, { once: true }),
    );
    window.postMessage('to myself', here);
    await said;
    expect(acceptor.violations).to.equal(0);
  });

  it('turns away a sibling of an allowed origin, and serves the parent', async () => {
    const server = await openGuest();
    const sibling = await openGuest();
    await server.guest.do('accept', { allowedOrigins: [secondOrigin, here] });
    const where = [...Array(window.length).keys()].find(
      (index) => window[index] === server.frame.contentWindow,
    );
    const hello = { where, targetOrigin: secondOrigin, nonce: crypto.randomUUID() };
    const port = await sibling.guest.do('hello', hello);
    expect(await server.guest.do('violations')).to.equal(1);
    expect(await sibling.guest.do('watched', { port })).to.deep.equal([]);
    expect(await server.guest.do('connections')).to.equal(0);
  });

  it('turns away a popup of an allowed origin', async () => {
    const { accepted } = accept({ allowedOrigins: [here] });
    const popup = window.open(guestUrl(here))!;
    await new Promise((resolve) => popup.addEventListener('load', resolve));
    const hello = { where: 'opener', targetOrigin: here, nonce: crypto.randomUUID() };
    await new Guest(popup).do('hello', hello);
    expect(await echo!.violated(1)).to.deep.equal([{ origin: here, count: 1 }]);
    expect(accepted).to.have.length(0);
    popup.close();
  });

  it('serves a frame in a frame, and the window above the parent', async () => {
    const { accepted } = accept({ allowedOrigins: [secondOrigin] });
    const { frame, guest } = await openGuest();
    await guest.do('nest', { src: guestUrl() });
    const innerWindow = await innerFrame(frame);
    const inner = new Guest(innerWindow);
    const hello = { where: 'top', targetOrigin: here, nonce: crypto.randomUUID() };
    await inner.do('watch', { port: await inner.do('hello', hello), type: 'welcome' });
    expect(accepted).to.have.length(1);
    await inner.do('accept', { allowedOrigins: [here] });
    const watch = new MessageChannel();
    const welcomed = new Promise((resolve) => {
      watch.port1.onmessage = ({ data }) => resolve(data.type);
    });
    innerWindow.postMessage(
      { 'inpage-mcp': 'connect', version: 1, nonce: crypto.randomUUID(), document: 'one' },
      secondOrigin,
      [new MessageChannel().port1, watch.port2],
    );
    expect(await welcomed).to.equal('welcome');
  });

  describe('and sandboxed frames', () => {
    async function openSandboxed(): Promise<{
      frame: HTMLIFrameElement;
      go(): Promise<unknown[]>;
    }> {
      const frame = frameOf(`${secondOrigin}/test/fixtures/handover-sandboxed.html`);
      frame.sandbox.add('allow-scripts');
      document.body.append(frame);
      await loaded(frame);
      const { port1, port2 } = new MessageChannel();
      const reports: unknown[] = [];
      return {
        frame,
        go: () =>
          new Promise((resolve) => {
            port1.onmessage = ({ data }) => {
              reports.push(data);
              if (data === 'said' ? !isServed(frame) : data === 1) resolve(reports);
            };
            frame.contentWindow!.postMessage('go', '*', [port2]);
          }),
      };
    }
    let served: readonly HTMLIFrameElement[] = [];
    const isServed = (frame: HTMLIFrameElement): boolean => served.includes(frame);

    it('turns them away by their origin, whatever that is', async () => {
      served = [];
      const { go } = await openSandboxed();
      const { accepted } = accept({ allowedOrigins: [secondOrigin, here] });
      await go();
      expect(await echo!.violated(1)).to.deep.equal([{ origin: 'null', count: 1 }]);
      expect(accepted).to.have.length(0);
    });

    it('serves the one that is named, and no other', async () => {
      const [known, other] = [await openSandboxed(), await openSandboxed()];
      served = [known.frame];
      const { accepted } = accept({ allowedOrigins: [], sandboxedFrames: served });
      expect(await known.go()).to.deep.equal(['said', 'welcome', 1]);
      expect([accepted[0]!.origin, accepted[0]!.source]).to.deep.equal([
        'null',
        known.frame.contentWindow,
      ]);
      await other.go();
      expect(await echo!.violated(1)).to.deep.equal([{ origin: 'null', count: 1 }]);
      expect(accepted).to.have.length(1);
    });

    it('does not serve a named element for an origin that is not allowed', async () => {
      const { frame, guest } = await openGuest();
      accept({ allowedOrigins: [elsewhere], sandboxedFrames: [frame] });
      await guest.do('hello', { targetOrigin: here, nonce: crypto.randomUUID() });
      expect(await echo!.violated(1)).to.deep.equal([{ origin: secondOrigin, count: 1 }]);
    });
  });
});
