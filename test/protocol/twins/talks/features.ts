import { arrived } from '../../../support/arrived.js';
import { isModern } from '../../../support/revisions.js';
import type { Members } from '../outline.js';
import { asked, call, called, isLegacy, type Talks } from './talk.js';

/** What a server offers, and what it does not. */
export const FEATURES: Talks = {
  'pages, to the last': {
    async say(client) {
      let cursor: unknown;
      do {
        const id = await asked(client, 'resources/list', cursor === undefined ? {} : { cursor });
        cursor = client.received.find((one) => one.id === id)?.result?.['nextCursor'];
      } while (cursor !== undefined);
    },
  },
  'a tool that is added': {
    async say(client) {
      await called(client, 'added');
      client.twin.addTool('added');
      await client.settled();
      await called(client, 'added');
      await asked(client, 'tools/list');
    },
  },
  'a tool whose output is no object': {
    async say(client) {
      await called(client, 'nothing');
      client.twin.addTool('list');
      await asked(client, 'tools/list');
      await called(client, 'list');
    },
  },
  'a call as a task, which the server has not': {
    async say(client) {
      for (const task of [{ ttl: 1_000 }, {}, 'text']) await called(client, 'nothing', { task });
    },
  },
  'what a server has not that offers nothing': {
    isBare: true,
    async say(client) {
      const REQUESTS: [method: string, params: Members][] = [
        ['server/discover', {}],
        ['tools/list', {}],
        ['tools/call', { name: 'echo' }],
        ['prompts/list', {}],
        ['prompts/get', { name: 'plain' }],
        ['resources/list', {}],
        ['resources/templates/list', {}],
        ['resources/read', { uri: 'twin:/text' }],
        ['completion/complete', { ref: { type: 'ref/prompt', name: 'plain' }, argument: {} }],
        ['ping', {}],
        ['logging/setLevel', { level: 'error' }],
      ];
      for (const [method, params] of REQUESTS) await asked(client, method, params);
    },
  },
  'subscriptions to a server that offers none': {
    of: isLegacy,
    isBare: true,
    async say(client) {
      await asked(client, 'resources/subscribe', { uri: 'twin:/text' });
      await asked(client, 'resources/unsubscribe', { uri: 'twin:/text' });
    },
  },
  'a stream of a server that has nothing to report': {
    of: isModern,
    isBare: true,
    async say(client) {
      const lists = {
        toolsListChanged: true,
        promptsListChanged: true,
        resourcesListChanged: true,
      };
      const notifications = { ...lists, resourceSubscriptions: ['twin:/text'] };
      await asked(client, 'subscriptions/listen', { notifications });
    },
  },
  'a state of the modern era in the legacy one': {
    of: isLegacy,
    say: (client) => called(client, 'nothing', { requestState: 'forged' }),
  },
  'answers of the modern era in the legacy one': {
    of: isLegacy,
    say: (client) => called(client, 'nothing', { inputResponses: 'text' }),
  },
  'the end of the client, with a call under way': {
    async say(client) {
      call(client, 'waits', { _meta: { progressToken: 1 } });
      await client.settled();
      client.post(null);
      call(client, 'nothing');
      client.twin.update('twin:/text');
      await arrived();
    },
  },
  'the end of the server, with a call under way': {
    async say(client) {
      call(client, 'waits');
      await client.settled();
      client.twin.close();
      await client.until('the end', () => client.isEnded);
    },
  },
};
