import { isModern } from '../../../support/revisions.js';
import type { Members } from '../outline.js';
import { able, ALL_CAPABILITIES, asked, ASKING, called, type Talks } from './talk.js';

const DECLARED: readonly Members[] = [
  {},
  { elicitation: {} },
  { elicitation: { form: {} } },
  { elicitation: { url: {} } },
  { sampling: {} },
  { sampling: { tools: {} } },
  { sampling: { context: {} } },
  { roots: {} },
  { roots: { listChanged: false } },
  { experimental: { elicitation: {} } },
];

/** Questions of the modern era, and what comes back. */
export const ROUNDS: Talks = {
  'questions to clients that can be asked': {
    of: isModern,
    async say(client) {
      for (const tool of ASKING) await called(client, tool, able(ALL_CAPABILITIES));
      await asked(client, 'prompts/get', able(ALL_CAPABILITIES, { name: 'asks' }));
      await asked(client, 'resources/read', able(ALL_CAPABILITIES, { uri: 'twin:/asks' }));
    },
  },
  'questions to clients that have declared too little': {
    of: isModern,
    async say(client) {
      for (const declared of DECLARED) {
        for (const tool of ASKING) await called(client, tool, able(declared));
        await asked(client, 'prompts/get', able(declared, { name: 'asks' }));
        await asked(client, 'resources/read', able(declared, { uri: 'twin:/asks' }));
      }
    },
  },
  'answers to questions': {
    of: isModern,
    async say(client) {
      const name = { action: 'accept', content: { name: 'Ann' } };
      const capital = { role: 'assistant', content: { type: 'text', text: 'P' }, model: 'm' };
      const roots = { roots: [{ uri: 'file:///a' }] };
      const RESPONSES: Members[] = [
        { name },
        { name: { action: 'decline' } },
        { name: { action: 'cancel' } },
        { name, more: { action: 'decline' } },
        { other: name },
        {},
        { name, capital, roots },
      ];
      for (const inputResponses of RESPONSES) {
        const more = able(ALL_CAPABILITIES, { inputResponses });
        await called(client, 'asks_name', more);
        await called(client, 'asks_all', more);
        await asked(client, 'prompts/get', { name: 'asks', ...more });
        await asked(client, 'resources/read', { uri: 'twin:/asks', ...more });
        // They ask nothing, and do not look at it.
        await asked(client, 'tools/list', more);
        await called(client, 'nothing', more);
      }
    },
  },
  'answers of wrong types': {
    of: isModern,
    async say(client) {
      for (const wrong of ['text', 5, true, null, []]) {
        await called(client, 'asks_name', able(ALL_CAPABILITIES, { inputResponses: wrong }));
        const inputResponses = { name: wrong };
        await called(client, 'asks_name', able(ALL_CAPABILITIES, { inputResponses }));
      }
    },
  },
  'states that come back': {
    of: isModern,
    async say(client) {
      const name = { action: 'accept', content: { name: 'Ann' } };
      for (const requestState of ['sealed:state', 'sealed:', 'forged', '', undefined]) {
        const state = requestState === undefined ? {} : { requestState };
        await called(client, 'asks_with_state', able(ALL_CAPABILITIES, state));
        const both = { ...state, inputResponses: { name } };
        await called(client, 'asks_with_state', able(ALL_CAPABILITIES, both));
        await called(client, 'nothing', able({}, state));
        await asked(client, 'prompts/get', able(ALL_CAPABILITIES, { name: 'asks', ...state }));
        await asked(
          client,
          'resources/read',
          able(ALL_CAPABILITIES, { uri: 'twin:/asks', ...state }),
        );
      }
    },
  },
  'two rounds of questions': {
    of: isModern,
    async say(client) {
      const answer = { action: 'accept', content: { name: 'Ann' } };
      await called(client, 'two_rounds', able(ALL_CAPABILITIES));
      const first = { inputResponses: { first: answer } };
      await called(client, 'two_rounds', able(ALL_CAPABILITIES, first));
      const requestState = client.received.findLast((one) => one.result?.['requestState'])?.result;
      const second = {
        inputResponses: { second: answer },
        requestState: requestState?.['requestState'],
      };
      await called(client, 'two_rounds', able(ALL_CAPABILITIES, second));
    },
  },
  'an address that has to be opened first': { say: (client) => called(client, 'needs_address') },
};
