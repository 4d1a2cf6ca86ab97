import {
  ALL_CAPABILITIES,
  asked,
  ASKING,
  call,
  called,
  cancel,
  hasElicitation,
  isLegacy,
  type Talks,
} from './talk.js';

/** Questions that are asked during a call, in the legacy era. */
export const QUESTIONS: Talks = {
  'questions during the call': {
    of: hasElicitation,
    capabilities: ALL_CAPABILITIES,
    async say(client) {
      call(client, 'asks_name');
      await client.settled();
      client.answer('elicitation/create', { action: 'accept', content: { name: 'Ann' } });
      await client.settled();
      call(client, 'asks_with_state');
      await client.settled();
      client.answer('elicitation/create', { action: 'decline' });
      await client.settled();
      call(client, 'two_rounds');
      for (const name of ['Ann', 'Ben']) {
        await client.settled();
        client.answer('elicitation/create', { action: 'accept', content: { name } });
      }
      await client.settled();
      await asked(client, 'prompts/get', { name: 'asks' });
      client.answer('elicitation/create', { action: 'cancel' });
      await asked(client, 'resources/read', { uri: 'twin:/asks' });
      client.answer('elicitation/create', { action: 'accept', content: { name: 'Ann' } });
      await client.settled();
    },
  },
  'an address, the model and the roots during the call': {
    of: hasElicitation,
    capabilities: ALL_CAPABILITIES,
    async say(client) {
      const text = { type: 'text', text: 'Paris' };
      call(client, 'asks_address');
      await client.settled();
      client.answer('elicitation/create', { action: 'accept' });
      call(client, 'asks_model');
      await client.settled();
      const said = { role: 'assistant', content: text, model: 'm', stopReason: 'endTurn' };
      client.answer('sampling/createMessage', said);
      call(client, 'asks_roots');
      await client.settled();
      client.answer('roots/list', { roots: [{ uri: 'file:///a', name: 'a' }] });
      await client.settled();
    },
  },
  'several questions at once during the call': {
    of: hasElicitation,
    capabilities: ALL_CAPABILITIES,
    async say(client) {
      call(client, 'asks_all');
      await client.settled();
      client.answer('roots/list', { roots: [] });
      client.answer('elicitation/create', { action: 'decline' });
      await client.settled();
      const text = { type: 'text', text: 'Paris' };
      client.answer('sampling/createMessage', { role: 'assistant', content: text, model: 'm' });
      await client.settled();
    },
  },
  'the model and the roots of clients before elicitation': {
    of: (revision) => revision < '2025-06-18',
    capabilities: { sampling: {}, roots: {} },
    async say(client) {
      const text = { type: 'text', text: 'Paris' };
      call(client, 'asks_model');
      await client.settled();
      client.answer('sampling/createMessage', { role: 'assistant', content: text, model: 'm' });
      call(client, 'asks_roots');
      await client.settled();
      client.answer('roots/list', { roots: [] });
      await client.settled();
    },
  },
  'a client that declares elicitation before there is any': {
    of: (revision) => revision < '2025-06-18',
    capabilities: { elicitation: {} },
    say: (client) => called(client, 'asks_name'),
  },
  'a question that the client refuses to answer': {
    of: hasElicitation,
    capabilities: ALL_CAPABILITIES,
    async say(client) {
      for (const method of ['tools/call', 'prompts/get']) {
        await asked(client, method, { name: method === 'tools/call' ? 'asks_name' : 'asks' });
        const question = client.received.findLast((one) => one.method === 'elicitation/create');
        client.post({ jsonrpc: '2.0', id: question?.id, error: { code: -32603, message: 'no' } });
        await client.settled();
      }
    },
  },
  'a refusal of one of several questions': {
    of: hasElicitation,
    capabilities: ALL_CAPABILITIES,
    async say(client) {
      call(client, 'asks_all');
      await client.settled();
      const question = client.received.findLast((one) => one.method === 'roots/list');
      client.post({ jsonrpc: '2.0', id: question?.id, error: { code: -32601, message: 'no' } });
      await client.settled();
    },
  },
  'a call that is cancelled while its client is asked': {
    of: hasElicitation,
    capabilities: ALL_CAPABILITIES,
    async say(client) {
      const id = call(client, 'asks_name');
      await client.settled();
      cancel(client, id);
      await client.settled();
      client.answer('elicitation/create', { action: 'decline' });
      await called(client, 'nothing');
    },
  },
  'questions to clients of the legacy era that cannot be asked': {
    of: isLegacy,
    async say(client) {
      for (const tool of ASKING) await called(client, tool);
      await asked(client, 'prompts/get', { name: 'asks' });
      await asked(client, 'resources/read', { uri: 'twin:/asks' });
    },
  },
  'an answer of the client that does not fit': {
    of: hasElicitation,
    capabilities: ALL_CAPABILITIES,
    async say(client) {
      for (const wrong of [{}, { action: 'maybe' }, { action: 'accept', content: 'text' }]) {
        call(client, 'asks_name');
        await client.settled();
        client.answer('elicitation/create', wrong);
        await client.settled();
      }
      call(client, 'asks_roots');
      await client.settled();
      client.answer('roots/list', { roots: 'none' });
      call(client, 'asks_model');
      await client.settled();
      client.answer('sampling/createMessage', { role: 'assistant' });
      await client.settled();
    },
  },
};
