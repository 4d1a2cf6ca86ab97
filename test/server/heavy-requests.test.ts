import { expect } from '@esm-bundle/chai';
import { files, notes, type ResourceProvider } from '@inpage-mcp/server';
import { deleteDatabase } from '../support/database.js';
import { openLinkedServer } from '../support/linked-server.js';
import { resultOf } from '../support/revisions.js';
// Internal to the package: which requests wait for each other.
import { isHeavy } from '../../packages/server/src/tools/heavy-requests.js';

/** More than there may be at a time of what looks through everything. */
const MANY = 6;

describe('requests that look through everything', () => {
  const CASES: [uri: string, isHeavy: boolean][] = [
    ['file:///a/', true],
    ['file:///a%20b/c/', true],
    ['note:///search?q=a', true],
    ['file:///a', false],
    ['note:///01ARZ3NDEKTSV4RRFFQ69G5FAV', false],
    ['note:///searching/', false],
    ['app://state/', false],
    ['https://example.org/', false],
    ['file:///a//', false],
  ];
  for (const [uri, expected] of CASES) {
    it(`are ${expected ? '' : 'not '}those of ${uri}`, () => {
      expect(isHeavy('resources/read', { uri })).to.equal(expected);
      const params = { name: 'read_resource', arguments: { uri } };
      expect(isHeavy('tools/call', params)).to.equal(expected);
    });
  }

  it('are recognized by their methods and params', () => {
    const all: [string, object?][] = [
      ['prompts/get'],
      ['completion/complete', { ref: {} }],
      ['tools/call', { name: 'search_notes' }],
      ['tools/call', { name: 'read_resource', arguments: { uri: 'note:///search?q=a' } }],
      ['resources/read', { uri: 'note:///search?q=a' }],
      ['resources/read', { uri: 'file:///folder/' }],
    ];
    for (const [method, params] of all) {
      expect(isHeavy(method, params as { [key: string]: unknown }), method).to.equal(true);
    }
    const few: [string, object?][] = [
      ['resources/list'],
      ['tools/call', { name: 'create_note', arguments: null }],
      ['tools/call'],
      ['resources/read', { uri: 'note:///a' }],
      ['resources/read', { uri: 7 }],
    ];
    for (const [method, params] of few) {
      expect(isHeavy(method, params as { [key: string]: unknown }), method).to.equal(false);
    }
  });
});

describe('a resource of an app whose uri ends in a slash', () => {
  it('is read by any number of requests at the same time', async () => {
    let begun = 0;
    let release!: () => void;
    const all = new Promise<void>((resolve) => {
      release = resolve;
    });
    const app: ResourceProvider = {
      name: 'app',
      templates: [],
      list: async () => ({ resources: [] }),
      async read(uri) {
        if (uri !== 'app://state/') return undefined;
        begun += 1;
        if (begun === MANY) release();
        await all;
        return [{ uri, mimeType: 'text/plain', text: 'state' }];
      },
      listen: () => () => undefined,
    };
    const linked = await openLinkedServer(undefined, { providers: [notes(), files(), app] });
    const client = linked.connectRaw();
    const reads = Array.from({ length: MANY }, () =>
      client.modern('resources/read', { uri: 'app://state/' }),
    );
    for (const answer of await Promise.all(reads)) {
      expect(resultOf(answer)).to.have.nested.property('contents[0].text', 'state');
    }
    await linked.server.close();
    await deleteDatabase(linked.databaseName);
  });
});
