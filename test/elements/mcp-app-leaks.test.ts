import '@inpage-mcp/elements/define/mcp-app';
import { expect, oneEvent } from '@open-wc/testing';
import type { McpApp } from '../../packages/elements/src/act/mcp-app/mcp-app.js';
import { usedHeapBytes } from '../scenarios/browser.js';
import { appDocument, openAppServer, type AppServer } from '../support/app-server.js';
import { eventually } from '../support/elements.js';

const TIMES = 100;

/** After these, the browser and the element have made what they keep. */
const WARM_UP = 10;

/** What an app may leave behind, on average: an element that stays has five times as much, without its app. */
const MAX_BYTES_EACH = 2_500;

/** The listeners at what outlives an app, and the ports that were made and not closed; counted until `close`. */
interface Ledger {
  listeners: number;
  ports: number;
  close(): void;
}

function openLedger(): Ledger {
  const { addEventListener, removeEventListener } = EventTarget.prototype;
  const { MessageChannel } = globalThis;
  const { close } = MessagePort.prototype;
  const ledger: Ledger = {
    listeners: 0,
    ports: 0,
    close() {
      Object.assign(EventTarget.prototype, { addEventListener, removeEventListener });
      Object.assign(globalThis, { MessageChannel });
      MessagePort.prototype.close = close;
    },
  };
  const outlives = (target: EventTarget): boolean =>
    target === window || target === document || target instanceof MediaQueryList;
  EventTarget.prototype.addEventListener = function (type, listener, options) {
    const target = this ?? window;
    addEventListener.call(target, type, listener, options);
    const { signal, once } = Object(options) as AddEventListenerOptions;
    if (!outlives(target) || once) return;
    ledger.listeners += 1;
    signal?.addEventListener('abort', () => (ledger.listeners -= 1), { once: true });
  };
  EventTarget.prototype.removeEventListener = function (type, listener, options) {
    const target = this ?? window;
    removeEventListener.call(target, type, listener, options);
    if (outlives(target)) ledger.listeners -= 1;
  };
  globalThis.MessageChannel = class extends MessageChannel {
    constructor() {
      super();
      ledger.ports += 1;
    }
  };
  MessagePort.prototype.close = function () {
    close.call(this);
    ledger.ports -= 1;
  };
  return ledger;
}

describe('<mcp-app>, opened and closed a hundred times,', () => {
  let server: AppServer;
  let ledger: Ledger;

  beforeEach(async () => {
    server = await openAppServer(await appDocument('follower'));
    ledger = openLedger();
  });

  afterEach(() => {
    ledger.close();
    return server.client.close();
  });

  const open = async (app: McpApp): Promise<void> => {
    const ready = oneEvent(app, 'mcp-app-ready');
    if (app.isConnected) app.reload();
    else document.body.append(app);
    await ready;
  };

  const makeApp = (): McpApp =>
    Object.assign(document.createElement('mcp-app'), {
      client: server.client,
      tool: 'show',
      arguments: {},
    });

  /** Runs it until it is warm, and again; compares what there is. */
  const expectNothingLeft = async (openAndClose: () => Promise<void>): Promise<void> => {
    const count = async (): Promise<object> => {
      await eventually(() => server.streams.size === 0);
      const { listeners, ports } = ledger;
      const frames = document.querySelectorAll('mcp-app').length + window.length;
      return { listeners, ports, frames };
    };
    const repeat = async (times: number): Promise<void> => {
      for (let n = 0; n < times; n += 1) await openAndClose();
    };
    await repeat(WARM_UP);
    const before = await count();
    const bytes = await usedHeapBytes();
    await repeat(TIMES);
    expect(await count()).to.deep.equal(before);
    const growth = ((await usedHeapBytes()) ?? 0) - (bytes ?? 0);
    expect(growth / TIMES).to.be.below(MAX_BYTES_EACH);
  };

  it('leaves nothing of an element that was removed without a word', () =>
    expectNothingLeft(async () => {
      const app = makeApp();
      await open(app);
      await eventually(() => server.streams.size > 0);
      app.remove();
    }));

  it('leaves its client alone when it is removed before it was updated', async () => {
    const watches: (AbortSignal | undefined)[] = [];
    server.client.watchState = (_listener, { signal } = {}) => void watches.push(signal);
    const app = makeApp();
    document.body.append(app);
    await app.updateComplete;
    app.requestUpdate();
    app.remove();
    await app.updateComplete;
    expect(watches.map((signal) => signal?.aborted)).to.deep.equal([true]);
  });

  it('leaves nothing of an app that was closed', async () => {
    const app = makeApp();
    await expectNothingLeft(async () => {
      await open(app);
      await app.teardown();
    });
    app.remove();
  });
});
