import { expect } from '@esm-bundle/chai';
import { acceptFrames } from '@inpage-mcp/transport';
import { Heartbeat } from '../../packages/transport/src/liveness/heartbeat.js';
import { arrived } from '../support/arrived.js';
import { secondOrigin } from '../support/second-origin.js';
import { openGuest, removeFrames } from './guest-frame.js';

const here = location.origin;
const fast = 10;

/** The other end of a watch port, which says nothing by itself. */
class SilentPeer {
  readonly port: MessagePort;
  pings = 0;
  #check = (): void => undefined;

  constructor(port: MessagePort) {
    this.port = port;
    port.onmessage = ({ data }: MessageEvent<{ type: string }>) => {
      if (data.type === 'ping') this.pings += 1;
      this.#check();
    };
  }

  /** Resolves once it was pinged so often. */
  async pinged(times: number): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#check = () => this.pings >= times && resolve();
      this.#check();
    });
  }
}

/** A heartbeat that beats when a test says so, and the other end of its port. */
function heartbeat(peer: Window): {
  beat: () => void;
  other: MessagePort;
  dead: Promise<void>;
  deaths: () => number;
  stop: () => void;
} {
  const { port1, port2 } = new MessageChannel();
  const { setInterval } = window;
  let beat!: () => void;
  window.setInterval = ((run: () => void) => {
    beat = run;
    return 0;
  }) as unknown as typeof setInterval;
  let deaths = 0;
  let die!: () => void;
  const dead = new Promise<void>((resolve) => {
    die = () => {
      deaths += 1;
      resolve();
    };
  });
  const watching = new Heartbeat(port1, peer, fast, { onDead: die, onMessage: () => undefined });
  window.setInterval = setInterval;
  return { beat, other: port2, dead, deaths: () => deaths, stop: () => watching.stop() };
}

describe('a heartbeat', () => {
  afterEach(removeFrames);

  it('receives the answers that wait before it takes anybody for dead', async () => {
    const { frame } = await openGuest();
    const { beat, other, dead, deaths, stop } = heartbeat(frame.contentWindow!);
    // The page was busy between its beats.
    for (let times = 0; times < 4; times += 1) beat();
    other.postMessage({ type: 'pong' });
    beat();
    const pinged = new SilentPeer(other);
    await pinged.pinged(4);
    await arrived();
    beat();
    await pinged.pinged(5);
    expect(deaths()).to.equal(0);
    for (let times = 0; times < 4; times += 1) beat();
    await dead;
    stop();
  });

  it('never takes the window for dead that holds this one: the two die together', async () => {
    const { guest } = await openGuest();
    const asked = new Promise<SilentPeer>((resolve) => {
      const listener = ({ data, ports: [, watch] }: MessageEvent): void => {
        if (!data['inpage-mcp']) return;
        window.removeEventListener('message', listener);
        const peer = new SilentPeer(watch!);
        watch!.postMessage({ type: 'welcome', heartbeatMs: fast });
        resolve(peer);
      };
      window.addEventListener('message', listener);
    });
    const connection = await guest.do('connect', { parentOrigin: here });
    const peer = await asked;
    await peer.pinged(12);
    expect(await guest.do('messages', { connection })).to.deep.equal([]);
    peer.port.postMessage({ type: 'bye' });
    expect(await guest.do('ended', { connection })).to.deep.equal([null]);
  });

  it('keeps such a window where that one has asked', async () => {
    const { frame, guest } = await openGuest();
    await guest.do('accept', { allowedOrigins: [here], heartbeatMs: fast });
    const mcp = new MessageChannel();
    const watch = new MessageChannel();
    const hello = {
      'inpage-mcp': 'connect',
      version: 1,
      nonce: crypto.randomUUID(),
      document: 'one',
    };
    frame.contentWindow!.postMessage(hello, {
      targetOrigin: secondOrigin,
      transfer: [mcp.port2, watch.port2],
    });
    await new SilentPeer(watch.port1).pinged(12);
    expect(await guest.do('connections')).to.equal(1);
    // While it is counted in the other direction.
    const acceptor = acceptFrames({ allowedOrigins: [secondOrigin], onPort() {} }, fast);
    const silent = await guest.do('hello', { targetOrigin: here, nonce: crypto.randomUUID() });
    await guest.do('watch', { port: silent, type: 'bye' });
    acceptor.close();
    watch.port1.postMessage({ type: 'bye' });
    await guest.do('idle', { after: 1 });
  });
});
