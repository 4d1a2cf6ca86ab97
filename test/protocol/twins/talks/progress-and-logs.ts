import { isModern } from '../../../support/revisions.js';
import { LEVELS } from '../request.js';
import { asked, call, called, cancel, FIELD, isLegacy, type Talks } from './talk.js';

/** What comes before an answer, and nothing after it; cancellation. */
export const PROGRESS_AND_LOGS: Talks = {
  'cancelling what is under way': {
    async say(client) {
      const id = call(client, 'waits', { _meta: { progressToken: 1 } });
      await client.settled();
      cancel(client, id);
      await client.settled();
      await called(client, 'nothing');
    },
  },
  'cancelling what is under way, quietly': {
    async say(client) {
      const id = call(client, 'waits');
      cancel(client, id);
      await client.settled();
      await asked(client, 'tools/call', { name: 'nothing' }, id);
    },
  },
  'cancelling what is not under way': {
    async say(client) {
      const id = call(client, 'nothing');
      await client.settled();
      for (const other of [id, String(id), 'unknown', 99, null, 1.5]) cancel(client, other);
      await called(client, 'nothing');
    },
  },
  'cancelling by an id of another type': {
    async say(client) {
      client.send('tools/call', { name: 'waits' }, '7');
      client.send('tools/call', { name: 'waits' }, 8);
      cancel(client, 7);
      cancel(client, '8');
      await client.settled();
      await asked(client, 'tools/call', { name: 'nothing' }, 9);
    },
  },
  'progress for tokens of both types': {
    async say(client) {
      for (const progressToken of ['text', '', 0, 7, -1]) {
        await called(client, 'reports', { _meta: { progressToken } });
      }
      await called(client, 'reports');
    },
  },
  'progress of two calls at once': {
    async say(client) {
      call(client, 'reports', { _meta: { progressToken: 'first' } });
      call(client, 'reports', { _meta: { progressToken: 'second' } });
      await client.settled();
    },
  },
  'progress and a log after the answer': {
    async say(client) {
      const _meta = { progressToken: 'late', [`${FIELD}/logLevel`]: 'debug' };
      await called(client, 'goes_on', { _meta });
      client.twin.late.run();
      await called(client, 'nothing');
    },
  },
  'log messages by the level of a request': {
    of: isModern,
    async say(client) {
      for (const level of LEVELS) {
        await called(client, 'logs', { _meta: { [`${FIELD}/logLevel`]: level } });
      }
      await called(client, 'logs');
    },
  },
  'log messages by the level of the connection': {
    of: isLegacy,
    async say(client) {
      await called(client, 'logs');
      for (const level of [...LEVELS, 'debug']) {
        await asked(client, 'logging/setLevel', { level });
        await called(client, 'logs');
      }
      await asked(client, 'logging/setLevel', { level: 'none' });
      await called(client, 'logs', { _meta: { [`${FIELD}/logLevel`]: 'emergency' } });
    },
  },
};
