import type { McpClient } from '@inpage-mcp/client';
import '@inpage-mcp/elements/define/mcp-sync';
import type { DeviceSync, DeviceSyncStatus, McpSync } from '@inpage-mcp/elements/define/mcp-sync';
import { setLanguage } from '@inpage-mcp/elements/localize';
import { expect, fixture, html } from '@open-wc/testing';
import { sendKeys } from '@web/test-runner-commands';
import { eventually, expectFocus, inside } from '../support/elements.js';
import { useFakeTimers } from '../support/fake-timers.js';
import { useLinkedClient } from '../support/linked-server.js';
import { leastTime } from '../support/slowness.js';

const PASSPHRASE = 'correct horse battery';
const CODE = 'KQ3WD-7H2MX-0ZB5T-R9YCP-4FN8V';
const MINUTE_MS = 60_000;

const JOINED: Partial<DeviceSyncStatus> = {
  state: 'idle',
  syncedAt: Date.now() - 5 * MINUTE_MS - 1_000,
  device: 'own',
  devices: [
    { id: 'other', name: 'Firefox on Windows', seenAt: Date.now() - 3_700_000 },
    { id: 'own', name: 'Chrome on Linux', seenAt: Date.now() },
  ],
};

type Command = 'join' | 'unlock' | 'invite' | 'removeDevice' | 'pause' | 'resume' | 'leave';

/** A sync of a page, whose answers come when a test says so. */
class HostSync extends EventTarget implements DeviceSync {
  status: DeviceSyncStatus;
  readonly calls: unknown[][] = [];
  /** How many listeners it has. */
  listeners = 0;
  #answers: { resolve(value: never): void; reject(error: Error): void }[] = [];

  constructor(status: Partial<DeviceSyncStatus> = {}) {
    super();
    const nothing = { unsynced: 0, unfetched: 0, syncedAt: 0, refused: {} };
    this.status = { state: 'off', ...nothing, devices: [], conflicts: [], ...status };
  }

  override addEventListener(...args: Parameters<EventTarget['addEventListener']>): void {
    this.listeners += 1;
    super.addEventListener(...args);
  }

  override removeEventListener(...args: Parameters<EventTarget['removeEventListener']>): void {
    this.listeners -= 1;
    super.removeEventListener(...args);
  }

  change(status: Partial<DeviceSyncStatus>): void {
    this.status = { ...this.status, ...status };
    this.dispatchEvent(new Event('status'));
  }

  /** Answers the command that was called last. */
  resolve(value?: unknown): void {
    this.#answers.at(-1)!.resolve(value as never);
  }

  reject(code: string | undefined, message = 'In the words of the server.'): void {
    this.#answers.at(-1)!.reject(Object.assign(new Error(message), code && { code }));
  }

  join = (options: object): Promise<never> => this.#call('join', options);
  unlock = (secret: string): Promise<never> => this.#call('unlock', secret);
  invite = (passphrase: string): Promise<never> => this.#call('invite', passphrase);
  removeDevice = (id: string, passphrase: string): Promise<never> =>
    this.#call('removeDevice', id, passphrase);
  pause = (): Promise<never> => this.#call('pause');
  resume = (): Promise<never> => this.#call('resume');
  leave = (): Promise<never> => this.#call('leave');
  syncNow = (): void => void this.calls.push(['syncNow']);

  async #call(name: Command, ...args: unknown[]): Promise<never> {
    this.calls.push([name, ...args]);
    return await new Promise((resolve, reject) => this.#answers.push({ resolve, reject }));
  }
}

async function show(sync: DeviceSync | undefined, client?: McpClient): Promise<McpSync> {
  return await fixture<McpSync>(html`<mcp-sync .sync=${sync} .client=${client}></mcp-sync>`);
}

const wordsOf = (node: Node): string =>
  node
    .textContent!.replaceAll(/[\u2068\u2069]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
const textOf = (element: McpSync): string =>
  [...element.shadowRoot!.children].map(wordsOf).join(' ');
const focused = (element: McpSync): Element | null => element.shadowRoot!.activeElement;
const fieldOf = (element: McpSync): HTMLInputElement =>
  inside(element, '#secret') as HTMLInputElement;
const problemOf = (element: McpSync): string | undefined =>
  element.shadowRoot!.querySelector('[role=alert]')?.textContent.trim();

const nameOf = (one: Element): string => (one.ariaLabel ?? '').replaceAll(/[\u2068\u2069]/g, '');

/** The button with these words, or with this accessible name. */
function button(element: McpSync, name: string): HTMLButtonElement {
  const buttons = [...element.shadowRoot!.querySelectorAll('button')];
  const found = buttons.find((one) => wordsOf(one) === name || nameOf(one) === name);
  if (!found) throw new Error(`There is no button “${name}”: ${buttons.map(wordsOf).join(', ')}`);
  return found;
}

async function click(element: McpSync, name: string): Promise<void> {
  button(element, name).click();
  await element.updateComplete;
}

/** Types a secret and sends its form with Enter. */
async function enter(element: McpSync, secret: string): Promise<void> {
  const field = fieldOf(element);
  field.focus();
  field.value = secret;
  await sendKeys({ press: 'Enter' });
  await element.updateComplete;
}

// Compares no element by `equal`: to report one that differs takes the runner minutes.
const has = (element: McpSync, selector: string): boolean =>
  element.shadowRoot!.querySelector(selector) !== null;

/** All that a script of the page could read without asking for the value of a field. */
const attributesOf = (element: McpSync): string =>
  [...element.shadowRoot!.querySelectorAll('*')]
    .flatMap((one) => [...one.attributes].map(({ value }) => value))
    .join('\n');

describe('<mcp-sync>', () => {
  it('says how the sync is, in words, with a state of its own', async () => {
    const sync = new HostSync(JOINED);
    const element = await show(sync);
    const cases: [Partial<DeviceSyncStatus>, RegExp][] = [
      [{}, /^Everything is the same on all devices Last synced: 5 minutes ago /],
      [{ state: 'syncing' }, /^Looking for changes /],
      [{ state: 'syncing', unsynced: 1_234 }, /^Sending changes Changes to send: 1,234 · Last/],
      [{ state: 'idle', unsynced: 0, unfetched: 2 }, /^Fetching files Files to fetch: 2 · /],
      [{ unfetched: 0, refused: { damaged: 2 } }, /^Not everything .* cannot be used: 2 /],
      [{ refused: { newer: 1 } }, /later version of this app. Update this one\. /],
      [{ state: 'paused', refused: {}, syncedAt: 0 }, /^Paused Resume /],
      [
        { state: 'waiting', reason: 'unavailable' },
        /^Waiting .*The server cannot be reached. It is retried automatically\. /,
      ],
      [{ state: 'locked' }, /^Locked: the passphrase is needed Another device has changed/],
      [{ state: 'off' }, /^This device does not sync Choose a passphrase/],
    ];
    for (const [status, words] of cases) {
      sync.change(status);
      await element.updateComplete;
      expect(textOf(element)).to.match(words);
      const states = ['off', 'paused', 'syncing', 'idle', 'waiting', 'locked'];
      const on = states.filter((state) => element.matches(`:state(${state})`));
      expect(on).to.deep.equal([sync.status.state]);
      await expect(element).to.be.accessible();
    }
  });

  it('has words of its own for each reason to wait', async () => {
    const sync = new HostSync({ ...JOINED, state: 'waiting' });
    const element = await show(sync);
    const reasons = ['conflict', 'unavailable', 'unauthorized', 'full', 'invalid', 'storage'];
    const words = new Set<string>();
    for (const reason of reasons) {
      sync.change({ reason });
      await element.updateComplete;
      words.add(wordsOf(inside(element, '.remark')));
    }
    expect(words.size).to.equal(reasons.length);
    expect([...words].join()).not.to.contain('went wrong');
  });

  it('announces the state, but no amount and no time', async () => {
    const element = await show(new HostSync({ ...JOINED, state: 'syncing', unsynced: 3 }));
    expect(wordsOf(inside(element, '[role=status]'))).to.equal('Sending changes');
  });

  it('says that the page does not sync', async () => {
    const element = await show(undefined);
    expect(textOf(element)).to.equal('This page does not sync.');
  });

  it('joins as the first device, and shows the recovery code until it is kept', async () => {
    const sync = new HostSync();
    const element = await show(sync);
    await enter(element, PASSPHRASE);
    expect(sync.calls).to.deep.equal([
      ['join', { secret: PASSPHRASE, deviceName: 'Chrome on Linux' }],
    ]);
    // It has joined before the code is there.
    sync.change(JOINED);
    await element.updateComplete;
    expect(inside(element, 'form').ariaBusy).to.equal('true');
    expect(leaves()).to.equal(true);
    sync.resolve({ recoveryCode: CODE });
    await eventually(() => wordsOf(inside(element, 'code')) === CODE);
    expect(wordsOf(focused(element)!)).to.equal('Keep this recovery code');
    expect(attributesOf(element)).not.to.contain(CODE);
    await expect(element).to.be.accessible();
    expect(leaves()).to.equal(false);
    sync.change({ state: 'off' });
    await element.updateComplete;
    expect(wordsOf(inside(element, 'code')), 'in another tab, somebody left').to.equal(CODE);
    sync.change({ state: 'idle' });
    await click(element, 'I have kept it');
    expect(textOf(element)).not.to.contain(CODE);
    expectFocus(element, inside(element, '.state'));
    expect(leaves()).to.equal(true);
  });

  it('joins as a further device, under the name that was typed, and shows no code', async () => {
    const sync = new HostSync();
    const element = await show(sync);
    (inside(element, '#name') as HTMLInputElement).value = ' My \u202Elaptop\u0007 ';
    await enter(element, CODE);
    expect(sync.calls).to.deep.equal([['join', { secret: CODE, deviceName: 'My laptop' }]]);
    sync.change(JOINED);
    sync.resolve({});
    await eventually(() => focused(element) === inside(element, '.state'));
    expect(has(element, 'code')).to.equal(false);
  });

  it('says beside the form why it did not join, and clears the secret alone', async () => {
    const sync = new HostSync();
    const element = await show(sync);
    (inside(element, '#name') as HTMLInputElement).value = 'Mine';
    for (const [code, words] of [
      ['wrong-secret', 'This passphrase or code is wrong.'],
      ['expired', 'This code has ended'],
      ['damaged', 'keys on the server are damaged'],
      ['outdated', 'older keys'],
      ['exhausted', 'changed too often'],
      ['newer', 'later version'],
      [undefined, 'In the words of the server.'],
    ] as const) {
      await enter(element, PASSPHRASE);
      sync.reject(code);
      await eventually(() => problemOf(element)?.includes(words));
      await eventually(() => fieldOf(element).value === '');
      expectFocus(element, fieldOf(element));
      expect(fieldOf(element).getAttribute('aria-describedby')).to.equal('problem');
      expect((inside(element, '#name') as HTMLInputElement).value).to.equal('Mine');
    }
    await expect(element).to.be.accessible();
  });

  it('keeps a passphrase that is too short, so that the user can make it longer', async () => {
    const sync = new HostSync();
    const element = await show(sync);
    await enter(element, 'short');
    sync.reject('weak-passphrase');
    await eventually(() => problemOf(element) === 'A passphrase has 12 to 1,024 characters.');
    expect(fieldOf(element).value).to.equal('short');
  });

  it('asks for a passphrase before it calls anything', async () => {
    const sync = new HostSync();
    const element = await show(sync);
    await click(element, 'Join');
    expect(sync.calls).to.deep.equal([]);
    expect(problemOf(element)).to.equal('Enter a value.');
    await eventually(() => focused(element) === fieldOf(element));
  });

  it('shows the passphrase only when it is asked to, and never in an attribute', async () => {
    const element = await show(new HostSync());
    fieldOf(element).value = PASSPHRASE;
    expect(fieldOf(element).type).to.equal('password');
    await click(element, 'Show');
    expect(fieldOf(element).type).to.equal('text');
    expect(fieldOf(element).value).to.equal(PASSPHRASE);
    expect(element.shadowRoot!.innerHTML).not.to.contain(PASSPHRASE);
    await click(element, 'Hide');
    expect(fieldOf(element).type).to.equal('password');
  });

  it('runs one command at a time', async () => {
    const sync = new HostSync(JOINED);
    const element = await show(sync);
    await click(element, 'Pause');
    for (const one of element.shadowRoot!.querySelectorAll('button'))
      expect(one.ariaDisabled, wordsOf(one)).to.equal('true');
    await click(element, 'Sync now');
    await click(element, 'Pause');
    await click(element, 'Leave');
    expect(sync.calls).to.deep.equal([['pause']]);
    expect(has(element, 'form')).to.equal(false);
    sync.change({ state: 'paused' });
    sync.resolve();
    await element.updateComplete;
    await eventually(() => button(element, 'Resume').ariaDisabled === 'false');
    await click(element, 'Resume');
    expect(sync.calls.at(-1)).to.deep.equal(['resume']);
    sync.reject('storage');
    await eventually(() => problemOf(element)?.startsWith('This browser cannot read'));
  });

  it('says why it could not sync at once', async () => {
    const sync = new HostSync(JOINED);
    sync.syncNow = () => {
      throw Object.assign(new Error('no'), { code: 'unavailable' });
    };
    const element = await show(sync);
    await click(element, 'Sync now');
    await eventually(() => problemOf(element) === 'The server cannot be reached.');
  });

  it('unlocks', async () => {
    const sync = new HostSync({ ...JOINED, state: 'locked' });
    const element = await show(sync);
    await enter(element, PASSPHRASE);
    expect(sync.calls).to.deep.equal([['unlock', PASSPHRASE]]);
    sync.change({ state: 'syncing' });
    sync.resolve();
    await eventually(() => focused(element) === inside(element, '.state'));
    expect(button(element, 'Sync now')).to.be.instanceOf(HTMLElement);
  });

  it('invites another device: code, picture and the time that is left', async () => {
    const sync = new HostSync(JOINED);
    const element = await show(sync);
    await click(element, 'Add a device');
    expectFocus(element, fieldOf(element));
    await enter(element, PASSPHRASE);
    expect(sync.calls).to.deep.equal([['invite', PASSPHRASE]]);
    sync.resolve(CODE);
    await eventually(() => wordsOf(inside(element, 'code')) === CODE);
    expect(wordsOf(focused(element)!)).to.equal('Code for another device');
    expect(textOf(element)).to.contain('ends in 10 minutes');
    const picture = await eventually(() => element.shadowRoot!.querySelector('svg[role=img]'));
    expect(picture.getAttribute('aria-label')).to.equal('The same code as a QR code');
    expect(attributesOf(element)).not.to.contain(CODE);
    await expect(element).to.be.accessible();
    const shape = picture.innerHTML;
    expect(leaves(), 'an invitation can be made again').to.equal(true);
    await click(element, 'Close');
    expect(textOf(element)).not.to.contain(CODE);
    await click(element, 'Add a device');
    expect(fieldOf(element).value).to.equal('');
    await enter(element, PASSPHRASE);
    sync.resolve(CODE.replace('K', 'M'));
    const other = await eventually(() => element.shadowRoot!.querySelector('svg[role=img]'));
    expect(other.innerHTML).not.to.equal(shape);
    sync.change({ state: 'off' });
    await element.updateComplete;
    expect(has(element, 'code'), 'left in another tab').to.equal(false);
  });

  it('removes a device after the passphrase, and shows the new recovery code', async () => {
    const sync = new HostSync(JOINED);
    const element = await show(sync);
    await click(element, 'Remove: Firefox on Windows');
    expectFocus(element, fieldOf(element));
    await expect(element).to.be.accessible();
    await enter(element, PASSPHRASE);
    expect(sync.calls).to.deep.equal([['removeDevice', 'other', PASSPHRASE]]);
    // It is gone before the answer; its form stays.
    sync.change({ devices: sync.status.devices.slice(1) });
    await element.updateComplete;
    sync.reject('conflict');
    await eventually(() => problemOf(element)?.startsWith('Another device or tab'));
    await enter(element, PASSPHRASE);
    sync.resolve(CODE);
    await eventually(() => wordsOf(inside(element, 'code')) === CODE);
    expect(textOf(element)).to.contain('The recovery code before it no longer works.');
    expect(wordsOf(focused(element)!)).to.equal('Keep this new recovery code');
    await click(element, 'I have kept it');
    expectFocus(element, inside(element, '.state'));
    expect(textOf(element)).not.to.contain('Firefox on Windows');
  });

  it('leaves only after a yes, and says that everything stays', async () => {
    const sync = new HostSync(JOINED);
    const element = await show(sync);
    await click(element, 'Leave');
    expect(wordsOf(focused(element)!)).to.match(/^Everything stays, on this device and on the oth/);
    await click(element, 'Cancel');
    expectFocus(element, button(element, 'Leave'));
    expect(sync.calls).to.deep.equal([]);
    await click(element, 'Leave');
    await click(element, 'Leave the devices');
    expect(sync.calls).to.deep.equal([['leave']]);
    sync.resolve();
    await new Promise(requestAnimationFrame);
    sync.change({ state: 'off', devices: [] });
    await eventually(() => focused(element) === fieldOf(element));
  });

  it('takes the focus from nothing else in the page', async () => {
    const sync = new HostSync();
    const element = await show(sync);
    const other = await fixture<HTMLInputElement>(html`<input aria-label="Other" />`);
    await enter(element, PASSPHRASE);
    other.focus();
    sync.change(JOINED);
    sync.resolve({ recoveryCode: CODE });
    await eventually(() => element.shadowRoot!.querySelector('code'));
    await element.updateComplete;
    expectFocus(document, other);
  });

  it('keeps the focus inside when what has it goes', async () => {
    const sync = new HostSync(JOINED);
    const element = await show(sync);
    button(element, 'Remove: Firefox on Windows').focus();
    sync.change({ devices: [] });
    await element.updateComplete;
    expectFocus(element, inside(element, '.state'));
  });

  it('opens what two devices have changed, and the copy of it', async () => {
    const uri = 'file:///plans/The%20plan.txt';
    const conflicts = [{ uri, copyUri: 'file:///plans/copy.txt', at: Date.now() - MINUTE_MS }];
    const element = await show(new HostSync({ ...JOINED, conflicts }));
    const opened: unknown[][] = [];
    element.addEventListener('mcp-resource-select', ({ resource, intent }) =>
      opened.push([resource.uri, resource.name, intent]),
    );
    await expect(element).to.be.accessible();
    await click(element, 'Open');
    await click(element, 'Open the copy');
    expect(opened).to.deep.equal([
      [uri, 'The plan.txt', 'open'],
      ['file:///plans/copy.txt', 'The plan.txt', 'open'],
    ]);
  });

  it('shows hostile names as text, cut, and no more than 100 devices and conflicts', async () => {
    const evil = '\u202E<img src=x onerror="globalThis.broken = true">';
    const names = [evil, 'x'.repeat(1_000_000), 'aא'.repeat(500_000), '\n'.repeat(1_000_000)];
    const devices = Array.from({ length: 200 }, (_, index) => ({
      id: `${index}`,
      name: names[index % names.length]!,
      seenAt: [NaN, Infinity, -1, 8.65e15, 0, Date.now() * 2][index % 6]!,
    }));
    const conflicts = devices.map(({ name, seenAt: at }) => ({ uri: `file:///${name}`, at }));
    const sync = new HostSync({ ...JOINED, conflicts, devices });
    const element = await show(sync);
    expect(element.shadowRoot!.querySelectorAll('li')).to.have.length(200);
    expect(has(element, 'img')).to.equal(false);
    expect(textOf(element)).not.to.contain('\u202E');
    expect(textOf(element).length).to.be.below(100_000);
    const time = await leastTime(50, async () => {
      sync.change({});
      await element.updateComplete;
    });
    expect(time).to.be.below(50);
    expect(globalThis).not.to.have.property('broken');
  });

  it('drops what belonged to another sync', async () => {
    const first = new HostSync();
    const element = await show(first);
    (inside(element, '#name') as HTMLInputElement).value = 'Mine';
    await enter(element, PASSPHRASE);
    const second = new HostSync();
    element.sync = second;
    await element.updateComplete;
    expect(fieldOf(element).value).to.equal('');
    expect((inside(element, '#name') as HTMLInputElement).value).to.equal('Mine');
    expect(button(element, 'Join').ariaDisabled).to.equal('false');
    fieldOf(element).value = 'typed for the second';
    first.resolve({ recoveryCode: CODE });
    await new Promise((resolve) => setTimeout(resolve));
    await element.updateComplete;
    expect(has(element, 'code')).to.equal(false);
    expect(fieldOf(element).value).to.equal('typed for the second');
    await enter(element, PASSPHRASE);
    expect(second.calls).to.have.length(1);
    element.sync = undefined;
    await element.updateComplete;
    second.reject('wrong-secret');
    await new Promise((resolve) => setTimeout(resolve));
    await element.updateComplete;
    expect(textOf(element)).to.equal('This page does not sync.');
  });

  it('shows the recovery code also if it was out of the page when it came', async () => {
    const sync = new HostSync();
    const element = await show(sync);
    const parent = element.parentElement!;
    await enter(element, PASSPHRASE);
    element.remove();
    sync.change(JOINED);
    sync.resolve({ recoveryCode: CODE });
    await new Promise((resolve) => setTimeout(resolve));
    expect(leaves(), 'out of the page').to.equal(true);
    parent.append(element);
    await eventually(() => element.shadowRoot!.querySelector('code'));
    expect(leaves()).to.equal(false);
    await click(element, 'I have kept it');
  });

  it('listens only while it is in the page, and to one sync', async () => {
    const [first, second] = [new HostSync(JOINED), new HostSync(JOINED)];
    const element = await show(first);
    expect(first.listeners).to.equal(1);
    element.sync = second;
    await element.updateComplete;
    expect([first.listeners, second.listeners]).to.deep.equal([0, 1]);
    const parent = element.parentElement!;
    element.remove();
    await element.updateComplete;
    expect(second.listeners).to.equal(0);
    second.change({ state: 'paused' });
    parent.append(element);
    await element.updateComplete;
    expect(second.listeners).to.equal(1);
    expect(textOf(element)).to.match(/^Paused/);
  });

  it('runs from the right in a language that does', async () => {
    const sync = new HostSync(JOINED);
    const element = await show(sync);
    await setLanguage('ar');
    await element.updateComplete;
    expect(textOf(element)).to.match(/^كل شيء متطابق على جميع الأجهزة/);
    await setLanguage('en');
  });
});

describe('<mcp-sync>, with the real server,', () => {
  const test = useLinkedClient();

  it('shows the title of a note that two devices have changed', async () => {
    const { id } = await test.linked.server.store.notes.create({ title: 'Plan', text: 'one' });
    const conflicts = [{ uri: `note:///${id}`, at: Date.now() }];
    const element = await show(new HostSync({ ...JOINED, conflicts }), test.client);
    await eventually(() => nameOf(button(element, 'Open')) === 'Open: Plan');
    const gone = [{ uri: 'note:///gone', at: Date.now() }];
    const without = await show(new HostSync({ ...JOINED, conflicts: gone }));
    expect(nameOf(button(without, 'Open'))).to.equal('Open: Note');
  });
});

describe('<mcp-sync>, while time passes,', () => {
  const timers = useFakeTimers();
  const { now } = Date;
  let passedMs = 0;

  beforeEach(() => {
    passedMs = 0;
    Date.now = () => now() + passedMs;
  });
  afterEach(() => {
    Date.now = now;
  });

  const pass = (ms: number): void => {
    passedMs += ms;
    timers.pass(ms);
  };

  it('counts the minutes of an invitation, and takes it away at the end', async () => {
    const sync = new HostSync(JOINED);
    const element = await show(sync);
    await click(element, 'Add a device');
    await enter(element, PASSPHRASE);
    sync.resolve(CODE);
    await eventually(() => element.shadowRoot!.querySelector('code'));
    pass(MINUTE_MS);
    await element.updateComplete;
    expect(textOf(element)).to.contain('ends in 9 minutes');
    for (let minute = 0; minute < 9; minute += 1) pass(MINUTE_MS);
    await element.updateComplete;
    expect(textOf(element)).to.contain('This code has ended.').and.not.contain(CODE);
    expect(has(element, 'svg[role=img]')).to.equal(false);
  });

  it('waits no longer than two minutes, but takes a recovery code that comes later', async () => {
    const sync = new HostSync();
    const element = await show(sync);
    await enter(element, PASSPHRASE);
    pass(2 * MINUTE_MS);
    await eventually(() => problemOf(element) === 'There is no answer. Try again later.');
    expect(button(element, 'Join').ariaDisabled).to.equal('false');
    await eventually(() => fieldOf(element).value === '');
    sync.change(JOINED);
    sync.resolve({ recoveryCode: CODE });
    await eventually(() => element.shadowRoot!.querySelector('code'));
    await click(element, 'I have kept it');
    expect(problemOf(element)).to.equal(undefined);
  });

  it('leaves no timer behind', async () => {
    const sync = new HostSync(JOINED);
    const element = await show(sync);
    expect(timers.running).to.equal(1);
    await click(element, 'Pause');
    sync.resolve();
    await eventually(() => button(element, 'Pause').ariaDisabled === 'false');
    expect(timers.running).to.equal(1);
    element.remove();
    expect(timers.running).to.equal(0);
  });
});

/** Whether the page would be left without a question. */
function leaves(): boolean {
  return window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
}
