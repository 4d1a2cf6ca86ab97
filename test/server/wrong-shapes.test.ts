import { expect } from '@esm-bundle/chai';
import { deleteDatabase } from '../support/database.js';
import { openLinkedServer, type LinkedServer } from '../support/linked-server.js';
import { ERA_REVISIONS, errorOf, isModern, speaking, type Speak } from '../support/revisions.js';

type Params = { [key: string]: unknown };

/** Values that are no object, no string, no number or no list, whichever is asked for. */
const WRONG: { [what: string]: unknown } = {
  'a string': 'text',
  'a number': 7,
  'a list': ['a', { b: 1 }],
  'a boolean': true,
  null: null,
  'an object': { a: { b: 1 } },
};

const ref = { type: 'ref/resource', uri: 'note:///{id}' };
const argument = { name: 'id', value: '' };

/** Each makes the params of a request with a value of a wrong shape in one place. */
const PLACES: {
  [place: string]: [method: string, params: (wrong: unknown) => Params, fits: string[]];
} = {
  'arguments of a tool': [
    'tools/call',
    (wrong) => ({ name: 'create_note', arguments: wrong }),
    ['an object'],
  ],
  'name of a tool': ['tools/call', (wrong) => ({ name: wrong }), ['a string']],
  'arguments of a prompt': [
    'prompts/get',
    (wrong) => ({ name: 'summarize_note', arguments: wrong }),
    [],
  ],
  'an argument of a prompt': [
    'prompts/get',
    (wrong) => ({ name: 'summarize_note', arguments: { note: wrong } }),
    ['a string'],
  ],
  'name of a prompt': ['prompts/get', (wrong) => ({ name: wrong }), ['a string']],
  'uri of a resource': ['resources/read', (wrong) => ({ uri: wrong }), ['a string']],
  'cursor of resources': ['resources/list', (wrong) => ({ cursor: wrong }), ['a string']],
  'cursor of templates': ['resources/templates/list', (wrong) => ({ cursor: wrong }), ['a string']],
  'cursor of tools': ['tools/list', (wrong) => ({ cursor: wrong }), ['a string']],
  'cursor of prompts': ['prompts/list', (wrong) => ({ cursor: wrong }), ['a string']],
  'ref of a completion': ['completion/complete', (wrong) => ({ ref: wrong, argument }), []],
  'argument of a completion': ['completion/complete', (wrong) => ({ ref, argument: wrong }), []],
  'value of a completion': [
    'completion/complete',
    (wrong) => ({ ref, argument: { name: 'id', value: wrong } }),
    ['a string'],
  ],
  'context of a completion': [
    'completion/complete',
    (wrong) => ({ ref, argument, context: wrong }),
    ['an object'],
  ],
  'what is chosen in a completion': [
    'completion/complete',
    (wrong) => ({ ref, argument, context: { arguments: wrong } }),
    [],
  ],
};

const LEGACY_PLACES: typeof PLACES = {
  'uri to subscribe to': ['resources/subscribe', (wrong) => ({ uri: wrong }), ['a string']],
  'uri to unsubscribe from': ['resources/unsubscribe', (wrong) => ({ uri: wrong }), ['a string']],
  'level of the log': ['logging/setLevel', (wrong) => ({ level: wrong }), []],
};

const MODERN_PLACES: typeof PLACES = {
  'filter of a stream': [
    'subscriptions/listen',
    (wrong) => ({ notifications: wrong }),
    ['an object'],
  ],
  'uris of a stream': [
    'subscriptions/listen',
    (wrong) => ({ notifications: { resourceSubscriptions: wrong } }),
    [],
  ],
  'state of a call': [
    'tools/call',
    (wrong) => ({ name: 'search_notes', arguments: { query: 'a' }, requestState: wrong }),
    ['a string'],
  ],
};

for (const revision of ERA_REVISIONS) {
  describe(`params of a wrong shape in ${revision}`, () => {
    let linked: LinkedServer;
    let speak: Speak;

    before(async () => {
      linked = await openLinkedServer();
      speak = await speaking(linked.connectRaw(), revision);
    });

    after(async () => {
      await linked.server.close();
      await deleteDatabase(linked.databaseName);
    });

    const own = isModern(revision) ? MODERN_PLACES : LEGACY_PLACES;
    for (const [place, [method, paramsOf, fits]] of Object.entries({ ...PLACES, ...own })) {
      for (const [what, wrong] of Object.entries(WRONG)) {
        if (fits.includes(what)) continue;
        it(`are refused in plain words where the ${place} is ${what}`, async () => {
          const { code, message } = errorOf(await speak(method, paramsOf(wrong)));
          expect(code).to.equal(-32602);
          expect(message).to.match(/^Invalid (params: ['\w]|or expired requestState$)/);
          // No dump of what a schema library has found.
          expect(message).not.to.match(/[{}[\]\n\\]|_type/);
          expect(message.length).to.be.below(250);
        });
      }
    }
  });
}
