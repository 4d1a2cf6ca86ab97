import { expect } from '@esm-bundle/chai';
import { failureOf } from '../support/failure.js';
import { soon } from '../support/within.js';
import { Hub, type Faults } from './desktop-hub.js';
import { useDesktop } from './served-desktop.js';

/** What the page keeps of the pairing with a port. */
async function keptFor(port: number): Promise<{ id: string; key: CryptoKey } | undefined> {
  const opening = indexedDB.open('inpage-mcp-desktop');
  await new Promise((resolve) => (opening.onsuccess = resolve));
  const database = opening.result;
  const reading = database.transaction('pairings').objectStore('pairings').get(port);
  await new Promise((resolve) => (reading.onsuccess = resolve));
  database.close();
  return reading.result as { id: string; key: CryptoKey } | undefined;
}

describe('the pairing of a page and a bridge', () => {
  const desktop = useDesktop();

  it('is not begun before the page asks for it', async () => {
    const served = await desktop.serve();
    expect(served).to.include({ state: 'resting', isPaired: false, error: undefined });
    dispatchEvent(new Event('online'));
    dispatchEvent(new PageTransitionEvent('pageshow'));
    // Reads the database after whatever has begun before.
    await keptFor(desktop.hub.port);
    expect(await desktop.hub.connections()).to.equal(0);
    expect(desktop.states).to.deep.equal([]);
  });

  it('shows the same code on both sides, and who waits', async () => {
    const served = await desktop.connect();
    expect(desktop.questions).to.have.length(1);
    const [question] = desktop.questions;
    expect(question).to.include({ code: await desktop.hub.code(), host: 'Claude Desktop' });
    expect(question!.code).to.match(/^\d{3} \d{3}$/);
    expect(served).to.include({ isPaired: true, error: undefined });
    expect(desktop.states).to.deep.equal(['connecting', 'pairing', 'waiting', 'connected']);
    expect(await desktop.hub.pairings()).to.equal(1);
  });

  it('is kept as a key that no script can read', async () => {
    await desktop.connect();
    const { key } = (await keptFor(desktop.hub.port))!;
    expect(key).to.include({ extractable: false });
    expect(await failureOf(crypto.subtle.exportKey('raw', key))).to.be.instanceOf(DOMException);
    expect(key.usages).to.have.members(['sign', 'verify']);
  });

  it('is asked for once, and proved from then on', async () => {
    const first = await desktop.connect();
    first.stop();
    const second = await desktop.serve();
    expect(second.isPaired).to.equal(true);
    await desktop.until('connected');
    expect(desktop.questions).to.have.length(1);
    expect(await desktop.hub.connections()).to.equal(2);
  });

  it('may wait for somebody at the bridge', async () => {
    await desktop.hub.misbehave({ agreement: 'late' });
    const served = await desktop.serve();
    const connecting = served.connect();
    await desktop.hub.next('agree');
    expect(served.state).to.equal('pairing');
    expect(await keptFor(desktop.hub.port)).to.equal(undefined);
    await desktop.hub.agree();
    await connecting;
    await desktop.until('connected');
  });

  it('asks once where connect() is called twice', async () => {
    const served = await desktop.serve();
    await Promise.all([served.connect(), served.connect()]);
    await served.connect();
    expect(desktop.questions).to.have.length(1);
    expect(await desktop.hub.connections()).to.equal(1);
  });

  const noes: [what: string, pair: (() => unknown) | undefined][] = [
    ['says no', () => false],
    ['says anything but yes', () => 'yes'],
  ];
  for (const [what, pair] of noes) {
    it(`does not come about where the user ${what}`, async () => {
      const served = await desktop.serve({ pair: pair as never });
      expect(await failureOf(served.connect())).to.include({ code: 'refused' });
      await desktop.hub.next('refuse');
      expect(served).to.include({ state: 'resting', isPaired: false });
      expect(await keptFor(desktop.hub.port)).to.equal(undefined);
      expect(await desktop.hub.pairings()).to.equal(0);
    });
  }

  it('does not come about where the page cannot ask', async () => {
    const served = await desktop.serve({ pair: undefined });
    expect(await failureOf(served.connect())).to.include({ code: 'not-paired' });
    const broken = await desktop.serve({
      pair() {
        throw new Error('No dialog today.');
      },
    });
    const failure = (await failureOf(broken.connect())) as Error;
    expect(failure).to.include({ code: 'failed' });
    expect(failure.cause).to.have.property('message', 'No dialog today.');
    expect(await desktop.hub.pairings()).to.equal(0);
  });

  it('withdraws its question when the bridge goes', async () => {
    let signal!: AbortSignal;
    const served = await desktop.serve({
      pair: (question) => {
        ({ signal } = question);
        return new Promise(() => undefined);
      },
    });
    const connecting = failureOf(served.connect());
    await desktop.until('pairing');
    await desktop.hub.stop();
    expect(await soon('connect() rejects', connecting)).to.include({ code: 'no-bridge' });
    expect(signal.aborted).to.equal(true);
    expect(served.state).to.equal('resting');
  });

  const refusals: [what: string, faults: Faults, code: string][] = [
    ['pairs with another page', { agreement: 'busy' }, 'busy'],
    ['refuses', { agreement: 'refuse' }, 'refused'],
    ['agrees on another key', { agreement: 'wrong' }, 'wrong-bridge'],
    ['is at another port, from which somebody relays', { agreement: 'other port' }, 'wrong-bridge'],
    ['agrees before the user does', { agreement: 'early' }, 'wrong-bridge'],
    ['has committed itself to another key', { commitment: 'wrong' }, 'wrong-bridge'],
    ['shows another key than it has', { key: 'wrong' }, 'wrong-bridge'],
    ['commits itself to nothing', { commitment: 'malformed' }, 'wrong-bridge'],
    ['shows what is no point of the curve', { key: 'malformed' }, 'wrong-bridge'],
  ];
  for (const [what, faults, code] of refusals) {
    it(`does not come about where the bridge ${what}`, async () => {
      await desktop.hub.misbehave(faults);
      const isEarly = faults.agreement === 'early';
      const never = isEarly ? { pair: () => new Promise<boolean>(() => undefined) } : {};
      const served = await desktop.serve(never);
      expect(await failureOf(served.connect())).to.include({ code });
      expect(served).to.include({ state: 'resting', isPaired: false });
      expect(served.error).to.include({ code });
      expect(await keptFor(desktop.hub.port)).to.equal(undefined);
    });
  }

  it('is not believed by a bridge that has lost it, and can be made again', async () => {
    (await desktop.connect()).stop();
    await desktop.hub.forgetPairings();
    const served = await desktop.serve();
    await desktop.hub.next('closed');
    await desktop.hub.next('closed');
    expect(served).to.include({ state: 'resting', isPaired: true });
    expect(served.error).to.include({ code: 'not-paired' });
    expect(desktop.questions).to.have.length(1);
    await served.connect();
    expect(desktop.questions).to.have.length(2);
    await desktop.until('connected');
  });

  it('ends on both sides when the user forgets it', async () => {
    const served = await desktop.connect();
    await served.forget();
    await desktop.hub.next('forget');
    await desktop.until('resting');
    expect(served).to.include({ isPaired: false });
    expect(await keptFor(desktop.hub.port)).to.equal(undefined);
    await desktop.hub.next('closed');
    expect(await desktop.hub.pairings()).to.equal(0);
    expect(await desktop.hub.connections()).to.equal(1);
    await served.connect();
    expect(desktop.questions).to.have.length(2);
  });

  it('is forgotten while the bridge is away', async () => {
    const served = await desktop.connect();
    await desktop.hub.stop();
    await desktop.until('resting');
    await served.forget();
    expect(served.isPaired).to.equal(false);
    expect(await keptFor(desktop.hub.port)).to.equal(undefined);
  });
});

describe('the proof of a bridge', () => {
  const desktop = useDesktop();

  const lies: [what: string, proof: Faults['proof']][] = [
    ['is wrong', 'wrong'],
    ['was made for an earlier connection', 'replayed'],
    ['is for another port, so that somebody passes it on', 'other port'],
    ['is for another origin', 'other origin'],
  ];
  for (const [what, proof] of lies) {
    it(`is not accepted where it ${what}`, async () => {
      (await desktop.connect()).stop();
      await desktop.hub.next('closed');
      // A first one that is right, to be replayed.
      const honest = await desktop.serve();
      await desktop.until('connected');
      honest.stop();
      await desktop.hub.next('closed');
      await desktop.hub.misbehave({ proof: proof! });
      const served = await desktop.serve();
      expect(await desktop.hub.next('closed')).to.deep.equal(['closed', 4401]);
      await desktop.until('resting');
      expect(served.error).to.include({ code: 'wrong-bridge' });
      const late = await failureOf(served.connect());
      expect(late).to.include({ code: 'wrong-bridge' });
      expect(desktop.questions).to.have.length(1);
    });
  }

  it('is not accepted where it is no proof at all', async () => {
    (await desktop.connect()).stop();
    await desktop.hub.next('closed');
    await desktop.hub.misbehave({ proof: 'malformed' });
    const served = await desktop.serve();
    expect(await desktop.hub.next('closed')).to.deep.equal(['closed', 4400]);
    await desktop.until('resting');
    expect(served.error).to.include({ code: 'failed' });
  });

  it('is of one bridge only', async () => {
    (await desktop.connect()).stop();
    const other = await Hub.open();
    const served = await desktop.serve({ port: other.port });
    expect(served.isPaired).to.equal(false);
    await other.stop();
  });
});
