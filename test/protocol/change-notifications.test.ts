import { NOTIFICATION_INTERVAL_MS } from '@inpage-mcp/protocol';
import { expect } from '@esm-bundle/chai';
// Internal to the package, and tested where it is: over a port, time decides what is still waiting.
import { Quota } from '../../packages/protocol/src/fairness/quota.js';
import { ChangeNotifier } from '../../packages/protocol/src/subscriptions/change-notifications.js';
import { Subscriptions } from '../../packages/protocol/src/subscriptions/subscriptions.js';
import { eventually } from '../support/within.js';
import { useFakeTimers } from '../support/fake-timers.js';
import { arrived } from '../support/arrived.js';

const change = (uri: string) => ({ uri, listChanged: false });

describe('change notifications', () => {
  let subscribed: Subscriptions;
  let sent: string[];
  let notifier: ChangeNotifier;

  beforeEach(() => {
    subscribed = new Subscriptions(new Quota(10));
    sent = [];
    const sink = {
      resourceUpdated: (uri: string) => sent.push(uri),
      resourceListChanged: () => sent.push('list'),
    };
    notifier = new ChangeNotifier(sink, subscribed);
  });

  const timers = useFakeTimers();
  /** Lets the pause after what was sent pass, and what is due then be sent. */
  const interval = async (): Promise<void> => {
    timers.pass(NOTIFICATION_INTERVAL_MS);
    await arrived();
  };

  const until = (count: number): Promise<true> => eventually(() => sent.length >= count);

  it('keep no write waiting', async () => {
    subscribed.add('a');
    notifier.push([change('a')]);
    await Promise.resolve();
    expect(sent).to.deep.equal([]);
    await until(1);
  });

  it('are not sent for what was unsubscribed while they waited', async () => {
    subscribed.add('a');
    subscribed.add('b');
    notifier.push([change('a')]);
    await until(1);
    notifier.push([change('a'), change('b')]);
    subscribed.delete('a');
    await interval();
    expect(sent).to.deep.equal(['a', 'b']);
  });

  it('wait once for each uri, however often it changes', async () => {
    subscribed.add('a');
    notifier.push([change('a')]);
    await until(1);
    for (let times = 0; times < 1_000; times += 1) notifier.push([change('a')]);
    await interval();
    expect(sent).to.deep.equal(['a', 'a']);
  });

  it('take no task while nobody is subscribed to what changes', async () => {
    const { postMessage } = MessagePort.prototype;
    let tasks = 0;
    // A task of its own is a message of the thread to itself.
    MessagePort.prototype.postMessage = function (this: MessagePort, message: unknown) {
      tasks += 1;
      postMessage.call(this, message);
    };
    try {
      notifier.push([change('a')]);
      expect(tasks).to.equal(0);
      subscribed.add('a');
      notifier.push([change('a')]);
      expect(tasks).to.equal(1);
    } finally {
      MessagePort.prototype.postMessage = postMessage;
    }
    await until(1);
  });

  it('are not sent after the end', async () => {
    subscribed.add('a');
    notifier.push([change('a')]);
    await until(1);
    notifier.push([change('a'), { uri: 'b', listChanged: true }]);
    notifier.close();
    await interval();
    expect(sent).to.deep.equal(['a']);
  });
});
