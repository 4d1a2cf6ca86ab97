import { expect } from '@esm-bundle/chai';
import { failureOf } from '../support/failure.js';
import { eventually } from '../support/within.js';
import { Hub } from './desktop-hub.js';
import { askForLength, openSession, useDesktop } from './served-desktop.js';
import { itInAll } from '../support/it-in-all.js';
import { useFakeTimers } from '../support/fake-timers.js';

/** As the browser does when it puts this page into its back/forward cache, or takes it out. */
function pass(type: 'pagehide' | 'pageshow'): void {
  dispatchEvent(new PageTransitionEvent(type, { persisted: true }));
}

/** Makes the page look hidden or visible. */
function setHidden(isHidden: boolean): void {
  Object.defineProperty(document, 'hidden', { value: isHidden, configurable: true });
  document.dispatchEvent(new Event('visibilitychange'));
}

/** As when the user clicks into the window. */
function giveFocus(): void {
  dispatchEvent(new FocusEvent('focus'));
}

/** The windows of other tests come and go: only the focus that a test gives counts. */
function ignoreRealFocus(event: Event): void {
  if (event.isTrusted) event.stopImmediatePropagation();
}

const { random } = Math;
let restore = (): unknown => undefined;

/** How long a hurried timer takes: more than an answer of the hub. */
const MOMENT_MS = 300;

/** Lets waits of these times end after a moment; gives the times of all that begin from now on. */
function hurry(...timesMs: number[]): number[] {
  return replaceTimers((delayMs) => (timesMs.includes(delayMs) ? MOMENT_MS : delayMs));
}

/**
 * Lets attempts that the page has planned come at once: their delays have a random part. After many
 * failures, a browser delays them itself.
 */
function hurryAttempts(): number[] {
  return replaceTimers((delayMs) => (isAttempt(delayMs) ? 1 : delayMs));
}

/** Keeps attempts that the page plans from coming, until `restore()`. */
function holdAttempts(): number[] {
  return replaceTimers((delayMs) => (isAttempt(delayMs) ? 2 ** 31 - 1 : delayMs));
}

/** The delays of attempts, before each is changed a little by chance, which has a value of its own here. */
const DELAYS_MS = [250, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000];
const CHANCE = 0.712_345;

/** The delay of an attempt before chance; undefined for the timers of others. */
const plannedOf = (delayMs: number): number | undefined =>
  DELAYS_MS.find((planned) => Math.abs(delayMs - planned * (0.75 + CHANCE / 2)) < 1e-6);

const isAttempt = (delayMs: number): boolean => plannedOf(delayMs) !== undefined;

/** The delays of the attempts among those of all timers, before chance. */
const attemptsIn = (delays: readonly number[]): number[] =>
  delays.flatMap((delayMs) => plannedOf(delayMs) ?? []);

function replaceTimers(delayOf: (delayMs: number) => number): number[] {
  const { setTimeout } = globalThis;
  const delays: number[] = [];
  Math.random = () => CHANCE;
  globalThis.setTimeout = ((run: () => void, delayMs = 0) => {
    delays.push(delayMs);
    // timed: this is the clock of the test.
    return setTimeout(run, delayOf(delayMs));
  }) as typeof setTimeout;
  restore = () => (globalThis.setTimeout = setTimeout);
  return delays;
}

/** 15 MiB as JSON, which has six characters for each of these. */
const LARGE_TEXT = '\u0001'.repeat(2.5 * 1024 * 1024);

describe('the connection to the bridge', () => {
  const desktop = useDesktop();

  before(() => addEventListener('focus', ignoreRealFocus, true));

  after(() => removeEventListener('focus', ignoreRealFocus, true));

  afterEach(() => {
    restore();
    Math.random = random;
    Reflect.deleteProperty(document, 'hidden');
    Reflect.deleteProperty(performance, 'now');
  });

  it('waits while another tab serves, and ends its sessions when another takes over', async () => {
    await desktop.hub.misbehave({ rests: true });
    const served = await desktop.serve();
    await served.connect();
    await desktop.until('waiting');
    await desktop.hub.send('serve');
    await desktop.until('connected');
    await openSession(desktop.hub, 1);
    await desktop.hub.send('rest');
    await desktop.until('waiting');
    expect(served.hosts).to.deep.equal([]);
    await desktop.page.probe.next('closeConnection');
    await desktop.hub.send('serve');
    await openSession(desktop.hub, 2);
  });

  it('says when the page is visible, and answers pings', async () => {
    await desktop.connect();
    await desktop.hub.next('visible');
    setHidden(true);
    setHidden(false);
    await desktop.hub.next('visible');
    giveFocus();
    await desktop.hub.next('visible');
    await desktop.hub.send('ping', 7);
    expect(await desktop.hub.next('pong')).to.deep.equal(['pong', 7]);
  });

  it('does not say so where the page is hidden', async () => {
    setHidden(true);
    await desktop.connect();
    await desktop.hub.send('ping', 1);
    await desktop.hub.next('pong');
    expect(await desktop.hub.untaken()).to.not.include('visible');
  });

  it('ignores what it does not know', async () => {
    const served = await desktop.connect();
    await desktop.hub.send('news', 1, { of: 'a later version' });
    await desktop.hub.send('close', 12);
    await desktop.hub.send('m', 12, {});
    await openSession(desktop.hub, 1);
    expect(served.state).to.equal('connected');
  });

  const malformed: [what: string, text: string][] = [
    ['no JSON', '{'],
    ['no array', '{"0": N, "1": "ping"}'],
    ['an empty array', '[]'],
    ['an array without a kind', '[N]'],
    ['a kind that is a number', '[N, 1]'],
    ['a session without a number', '[N, "open", "1", {}]'],
    ['a message that ends the stream', '[N, "m", 1, null]'],
    ['a message that is a text', '[N, "m", 1, "null"]'],
    ['a frame without a number', '["ping", 1]'],
    ['a frame whose number is a text', '["N", "ping", 1]'],
    ['a frame after one that is lost', '[1N, "ping", 1]'],
  ];
  for (const [what, text] of malformed) {
    it(`is closed where the bridge sends ${what}`, async () => {
      const served = await desktop.connect();
      await openSession(desktop.hub, 1);
      await desktop.hub.sendText(text);
      expect(await desktop.hub.next('closed')).to.deep.equal(['closed', 4400]);
      await desktop.hub.next('hello');
      await desktop.until('connected');
      expect(served.hosts).to.deep.equal([]);
    });
  }

  it('takes frames of 16 MiB, and none that are longer', async () => {
    await desktop.connect();
    await desktop.hub.sendLong(16 * 1024 * 1024);
    await desktop.hub.send('ping', 1);
    await desktop.hub.next('pong');
    await desktop.hub.sendLong(16 * 1024 * 1024 + 1);
    expect(await desktop.hub.next('closed')).to.deep.equal(['closed', 4009]);
  });

  it('takes frames of 4 KiB before the proof, and 8 of them', async () => {
    const served = await desktop.serve();
    await desktop.hub.misbehave({ silentTo: 'pair' });
    const connecting = failureOf(served.connect());
    await desktop.hub.next('pair');
    for (let count = 1; count <= 8; count += 1) await desktop.hub.sendLong(4 * 1024);
    expect(served.state).to.equal('connecting');
    await desktop.hub.send('commit', {});
    expect(await desktop.hub.next('closed')).to.deep.equal(['closed', 4009]);
    expect(await connecting).to.include({ code: 'failed' });
    const again = failureOf(served.connect());
    await desktop.hub.next('pair');
    await desktop.hub.sendLong(4 * 1024 + 1);
    expect(await desktop.hub.next('closed')).to.deep.equal(['closed', 4009]);
    await again;
  });

  const waits: [kind: string, timeMs: number][] = [
    ['pair', 10_000],
    ['key', 10_000],
    ['agree', 300_000],
  ];
  for (const [kind, timeMs] of waits) {
    it(`does not wait for ever for the answer to "${kind}"`, async () => {
      await desktop.hub.misbehave({ silentTo: kind });
      const served = await desktop.serve();
      hurry(timeMs);
      const failure = await failureOf(served.connect());
      expect(failure).to.include({ code: 'no-bridge' });
      await desktop.hub.next(kind);
      expect(await desktop.hub.next('closed')).to.deep.equal(['closed', 1000]);
    });
  }

  for (const kind of ['hello', 'proof']) {
    it(`does not wait for ever for the answer to "${kind}"`, async () => {
      (await desktop.connect()).stop();
      await desktop.hub.next('closed');
      await desktop.hub.misbehave({ silentTo: kind });
      hurry(10_000);
      const served = await desktop.serve();
      const failure = await failureOf(served.connect());
      expect(failure).to.include({ code: 'no-bridge' });
      await desktop.hub.next(kind);
      expect(await desktop.hub.next('closed')).to.deep.equal(['closed', 1000]);
    });
  }

  it('is dialed again when the bridge has been silent for 45 seconds', async () => {
    await desktop.connect();
    await openSession(desktop.hub, 1);
    hurry(45_000);
    await desktop.hub.send('ping', 1);
    await desktop.hub.next('closed');
    await desktop.hub.next('hello');
  });

  describe('of another process', () => {
    const timers = useFakeTimers({ only: isAttempt });

    beforeEach(() => void (Math.random = () => CHANCE));

    it('is there in less than two seconds after it has taken over', async () => {
      const served = await desktop.connect();
      await openSession(desktop.hub, 1);
      await desktop.hub.stop();
      await desktop.until('resting');
      expect(served.hosts).to.deep.equal([]);
      await timers.until(1);
      await desktop.hub.listen();
      timers.pass(1_999);
      await desktop.until('connected');
      expect(served.error).to.equal(undefined);
      await openSession(desktop.hub, 2);
    });
  });

  it('is dialed less and less often, about two seconds apart at most', async () => {
    await desktop.connect();
    const delays = hurryAttempts();
    await desktop.hub.stop();
    await eventually(() => attemptsIn(delays).length > 4);
    restore();
    expect(attemptsIn(delays).slice(0, 5)).to.deep.equal([250, 500, 1_000, 2_000, 2_000]);
  });

  it('is still dialed while the page is hidden, about half a minute apart at most', async () => {
    await desktop.connect();
    setHidden(true);
    const delays = hurryAttempts();
    await desktop.hub.stop();
    await eventually(() => attemptsIn(delays).length > 8);
    expect(attemptsIn(delays).at(-1)).to.equal(30_000);
    await desktop.hub.listen();
    await desktop.until('connected');
  });

  it('is dialed as often as before when a hidden page is visible again', async () => {
    await desktop.connect();
    setHidden(true);
    const delays = hurryAttempts();
    await desktop.hub.stop();
    await eventually(() => attemptsIn(delays).length > 5);
    const { length } = attemptsIn(delays);
    setHidden(false);
    await eventually(() => attemptsIn(delays).length > length + 1);
    expect(Math.max(...attemptsIn(delays).slice(length))).to.equal(2_000);
  });

  const looks: [what: string, look: () => void][] = [
    ['becomes visible', () => setHidden(false)],
    ['has the focus', giveFocus],
  ];
  for (const [what, look] of looks) {
    it(`is dialed soon when the page ${what}`, async () => {
      await desktop.connect();
      const delays = holdAttempts();
      await desktop.hub.stop();
      await eventually(() => delays.some(isAttempt));
      await desktop.hub.listen();
      restore();
      look();
      await desktop.until('connected');
    });
  }

  it('is dialed a second apart at least, however often the page has the focus', async () => {
    const served = await desktop.connect();
    const delays = holdAttempts();
    performance.now = () => 5_000;
    await desktop.hub.stop();
    await desktop.until('resting');
    await failureOf(served.connect());
    giveFocus();
    giveFocus();
    expect(delays.slice(-2)).to.deep.equal([1_000, 1_000]);
  });

  it('is ended by a page that is left, and dialed when it comes back', async () => {
    const served = await desktop.connect();
    await openSession(desktop.hub, 1);
    pass('pagehide');
    expect(await desktop.hub.next('closed')).to.deep.equal(['closed', 1000]);
    await desktop.until('resting');
    expect(served.hosts).to.deep.equal([]);
    // timed: nothing is to come, and nothing comes after it.
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect(await desktop.hub.connections()).to.equal(1);
    expect(await failureOf(served.connect())).to.include({ code: 'no-bridge' });
    pass('pageshow');
    await desktop.until('connected');
    expect(await desktop.hub.connections()).to.equal(2);
  });

  it('comes about in a tab that becomes visible after another has paired', async () => {
    const second = await desktop.serve();
    await desktop.connect();
    expect(second.state).to.equal('resting');
    setHidden(false);
    await eventually(() => second.state === 'connected');
    expect(desktop.questions).to.have.length(1);
    second.stop();
  });

  itInAll('is given up where the bridge does not read', async () => {
    const { runtime } = desktop.page;
    const served = await desktop.connect();
    await runtime.files.write('large.txt', new Blob([LARGE_TEXT]));
    // It looks 200 times, which take ten seconds; less often where little was sent after all. It also gives
    // up a bridge that is silent for 45 s, which a busy machine may need for the four answers.
    const delays = replaceTimers((delayMs) => {
      if (delayMs === 50) return 1;
      return delayMs === 45_000 ? 2 ** 31 - 1 : delayMs;
    });
    await openSession(desktop.hub, 1);
    await desktop.hub.pause();
    const read = { method: 'resources/read', params: { uri: 'file:///large.txt' } };
    for (let id = 1; id <= 4; id += 1)
      await desktop.hub.send('m', 1, { jsonrpc: '2.0', id, ...read });
    await eventually(() => served.state === 'resting');
    expect(delays.filter((delayMs) => delayMs === 50).length).to.be.at.least(100);
    expect(served.error).to.include({ code: 'no-bridge' });
    await desktop.hub.resume();
  });

  itInAll('reads on when the bridge does', async () => {
    const { runtime } = desktop.page;
    await desktop.connect();
    await runtime.files.write('large.txt', new Blob([LARGE_TEXT]));
    await openSession(desktop.hub, 1);
    const read = { uri: 'file:///large.txt' };
    const asking = [1, 2, 3, 4].map(() => askForLength(desktop.hub, 1, 'resources/read', read));
    const lengths = await Promise.all(asking);
    expect(Math.min(...lengths)).to.be.at.least(15 * 1024 * 1024);
  });

  const ends: [how: string, end: (stop: () => void, signal: AbortController) => unknown][] = [
    ['stop() is called', (stop) => stop()],
    ['the signal is aborted', (_stop, controller) => controller.abort()],
    ['the runtime is closed', () => desktop.page.runtime.close()],
  ];
  for (const [how, end] of ends) {
    it(`ends for good when ${how}`, async () => {
      const controller = new AbortController();
      const served = await desktop.connect({ signal: controller.signal });
      await openSession(desktop.hub, 1);
      await end(served.stop, controller);
      expect(served).to.include({ state: 'stopped' });
      expect(served.hosts).to.deep.equal([]);
      expect(await desktop.hub.next('closed')).to.deep.equal(['closed', 1000]);
      expect(await failureOf(served.connect())).to.include({ code: 'closed' });
      setHidden(false);
      pass('pageshow');
      // timed: nothing is to come, and nothing comes after it.
      await new Promise((resolve) => setTimeout(resolve, 400));
      expect(await desktop.hub.connections()).to.equal(1);
      expect(desktop.states.at(-1)).to.equal('stopped');
    });
  }

  it('cannot be made by a runtime that has ended, or with a signal that has', async () => {
    const { runtime } = desktop.page;
    const signal = AbortSignal.abort(new Error('enough'));
    expect(await failureOf(desktop.serve({ signal }))).to.have.property('message', 'enough');
    await runtime.close();
    expect(await failureOf(desktop.serve())).to.include({ code: 'closed' });
  });

  it('ends while it is being made', async () => {
    await desktop.hub.misbehave({ silentTo: 'pair' });
    const served = await desktop.serve();
    const connecting = failureOf(served.connect());
    await desktop.hub.next('pair');
    served.stop();
    expect(await connecting).to.include({ code: 'closed' });
    expect(served.state).to.equal('stopped');
  });

  it('fails at once where nothing listens, and where the port is none', async () => {
    const closed = await Hub.open();
    await closed.stop();
    const served = await desktop.serve({ port: closed.port });
    expect(await failureOf(served.connect())).to.include({ code: 'no-bridge' });
    expect(served).to.include({ state: 'resting' });
    const none = await desktop.serve({ port: 70_000 });
    expect(await failureOf(none.connect())).to.have.property('code');
  });

  it('survives what the callbacks of the page throw', async () => {
    const { onerror } = window;
    const errors: unknown[] = [];
    window.onerror = (...[, , , , error]) => errors.push(error) > 0;
    let isFailing = true;
    const fail = (): void => {
      if (isFailing) throw new Error('Not today.');
    };
    const served = await desktop.serve({ onstatechange: fail, onhosts: fail });
    await served.connect();
    await eventually(() => served.state === 'connected');
    await openSession(desktop.hub, 1);
    expect(served.hosts).to.have.length(1);
    isFailing = false;
    window.onerror = onerror;
    expect(errors.length).to.be.at.least(4);
  });
});
