import { isModern } from '../../../support/revisions.js';
import type { Members } from '../outline.js';
import type { TwinClient } from '../twin-client.js';
import { asked, called, cancel, isLegacy, type Talks } from './talk.js';

const UPDATED = 'notifications/resources/updated';
const LIST_CHANGED = 'notifications/resources/list_changed';

function countOf(client: TwinClient, method: string): number {
  return client.received.filter((one) => one.method === method).length;
}

/** Changes, and which client is notified of them. */
export const CHANGES: Talks = {
  'updates for those who have subscribed': {
    of: isLegacy,
    async say(client) {
      const updates = (count: number): Promise<void> =>
        client.until(`${count} updates`, () => countOf(client, UPDATED) === count);
      client.twin.update('twin:/text');
      for (const uri of ['twin:/text', 'twin:/text', 'twin:/missing']) {
        client.send('resources/subscribe', { uri });
      }
      await client.settled();
      client.twin.update('twin:/blob');
      client.twin.update('twin:/text');
      await updates(1);
      client.twin.update('twin:/missing');
      await updates(2);
      await asked(client, 'resources/unsubscribe', { uri: 'twin:/text' });
      client.twin.update('twin:/text');
      client.twin.update('twin:/missing');
      await updates(3);
    },
  },
  'the list has changed': {
    of: isLegacy,
    async say(client) {
      client.twin.changeList();
      await client.until('the change', () => countOf(client, LIST_CHANGED) === 1);
    },
  },
  'streams of different filters': {
    of: isModern,
    async say(client) {
      const FILTERS: Members[] = [
        {},
        { toolsListChanged: true },
        { toolsListChanged: false, promptsListChanged: true, resourcesListChanged: true },
        { resourceSubscriptions: [] },
        { resourceSubscriptions: ['twin:/text', 'twin:/missing'], unknownFilter: true },
      ];
      for (const notifications of FILTERS)
        await asked(client, 'subscriptions/listen', { notifications });
      await asked(
        client,
        'subscriptions/listen',
        { notifications: { toolsListChanged: true } },
        'text',
      );
      client.twin.update('twin:/blob');
      client.twin.update('twin:/text');
      await client.until('the update', () => countOf(client, UPDATED) === 1);
      client.twin.changeList();
      await client.until('the change', () => countOf(client, LIST_CHANGED) === 1);
      client.twin.addTool('added');
      await client.settled();
    },
  },
  'two streams for the same': {
    of: isModern,
    async say(client) {
      const notifications = { resourceSubscriptions: ['twin:/text'] };
      client.send('subscriptions/listen', { notifications }, 1);
      client.send('subscriptions/listen', { notifications }, 'b');
      await client.settled();
      client.twin.update('twin:/text');
      await client.until('both updates', () => countOf(client, UPDATED) === 2);
    },
  },
  'a change that nobody listens to': {
    of: isModern,
    async say(client) {
      await called(client, 'nothing');
      client.twin.update('twin:/text');
      client.twin.changeList();
      client.twin.addTool('added');
      await client.settled();
    },
  },
  'a stream that is cancelled': {
    of: isModern,
    async say(client) {
      const first = { notifications: { resourceSubscriptions: ['twin:/text'] } };
      const second = { notifications: { resourceSubscriptions: ['twin:/blob'] } };
      const id = await asked(client, 'subscriptions/listen', first);
      await asked(client, 'subscriptions/listen', second);
      cancel(client, id);
      await client.settled();
      client.twin.update('twin:/text');
      client.twin.update('twin:/blob');
      await client.until('the update', () => countOf(client, UPDATED) > 0);
    },
  },
  'a stream that is opened with an id in use': {
    of: isModern,
    async say(client) {
      const notifications = { toolsListChanged: true };
      client.send('subscriptions/listen', { notifications }, 1);
      client.send('subscriptions/listen', { notifications }, 1);
      await client.settled();
    },
  },
  'the end of the server, with streams open': {
    of: isModern,
    async say(client) {
      client.send('subscriptions/listen', { notifications: { toolsListChanged: true } }, 'a');
      client.send('subscriptions/listen', { notifications: {} }, 2);
      await client.settled();
      client.twin.close();
      await client.until('the end', () => client.isEnded);
    },
  },
};
