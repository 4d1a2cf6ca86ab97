import { MODERN_META } from '../../../support/raw-client.js';
import { asked, bare, called, isLegacy, posts, raw, type Talks } from './talk.js';

const IDS: readonly (string | number)[] = [
  0,
  -1,
  7,
  2 ** 53 - 1,
  '',
  '7',
  'a text',
  '☃',
  '__proto__',
  'x'.repeat(1_000),
];

/** Ids, envelopes and batches. */
export const MESSAGES: Talks = {
  'ids of every kind': {
    async say(client) {
      for (const id of IDS) await asked(client, 'tools/call', { name: 'nothing' }, id);
    },
  },
  'ids that are none': {
    say: posts(
      ...[null, 1.5, true, {}, [], Number.NaN, 2 ** 60].map((id) => bare(id, 'tools/list')),
    ),
  },
  'envelopes that are none': {
    say: posts(
      'text',
      5,
      true,
      {},
      { jsonrpc: '2.0' },
      { jsonrpc: '1.0', id: 1, method: 'tools/list' },
      { id: 2, method: 'tools/list' },
      raw(3, 5),
      raw(4, undefined),
      raw(5, 'tools/list', { params: [] }),
      raw(6, 'tools/list', { params: 'text' }),
      raw(7, 'tools/list', { params: null }),
      { jsonrpc: '2.0', id: 8, result: 5 },
      { jsonrpc: '2.0', id: 9, result: {}, error: { code: 1, message: 'both' } },
    ),
  },
  'a member that JSON-RPC does not know': {
    say: posts(raw(1, 'tools/list', { params: { _meta: MODERN_META }, more: 1 })),
  },
  'answers that nobody asked for, and notifications that nobody knows': {
    async say(client) {
      await called(client, 'nothing');
      client.post({ jsonrpc: '2.0', id: 1, result: {} });
      client.post({ jsonrpc: '2.0', id: 'x', error: { code: -1, message: 'no' } });
      client.notify('notifications/nothing');
      client.notify('tools/list');
      client.notify('notifications/progress', { progressToken: 1, progress: 1 });
      client.notify('notifications/progress', { progressToken: {} });
      client.notify('notifications/roots/list_changed');
      client.notify('notifications/cancelled');
      client.notify('notifications/cancelled', { requestId: {} });
      await called(client, 'nothing');
    },
  },
  'an id that is in use': {
    async say(client) {
      client.send('tools/call', { name: 'waits' }, 7);
      await client.settled();
      client.send('tools/call', { name: 'nothing' }, 7);
      await client.settled();
    },
  },
  'an id that was used before': {
    async say(client) {
      for (let times = 0; times < 2; times += 1) {
        await asked(client, 'tools/call', { name: 'nothing' }, 'same');
      }
    },
  },
  'many requests at once': {
    async say(client) {
      for (let count = 0; count < 30; count += 1) {
        client.send('tools/call', { name: 'echo', arguments: { text: String(count) } });
      }
      await client.settled();
    },
  },
  'a batch': {
    of: isLegacy,
    async say(client) {
      client.post([bare(1, 'ping'), bare('two', 'no/such/method')]);
      await client.settled();
    },
  },
};
