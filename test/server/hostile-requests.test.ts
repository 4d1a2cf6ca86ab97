import { defineTool, MAX_URI_LENGTH } from '@inpage-mcp/server';
import { expect } from '@esm-bundle/chai';
import { deleteDatabase } from '../support/database.js';
import { openLinkedServer, useLinkedServer } from '../support/linked-server.js';
import { MODERN_META, type RawClient } from '../support/raw-client.js';
import {
  ERA_REVISIONS,
  errorOf,
  isModern,
  resultOf,
  speaking,
  type Speak,
} from '../support/revisions.js';
import { leastTime } from '../support/slowness.js';

/** What a stranger may wait for an answer to nonsense, as the project promises. */
const PROMPTLY_MS = 50;
/** Nearly as large as a message may be. */
const LONG = 'x'.repeat(1_000_000);

for (const revision of ERA_REVISIONS) {
  describe(`hostile requests of ${revision}`, () => {
    const linked = useLinkedServer();
    let client: RawClient;
    let speak: Speak;
    let id: string;
    const missing = isModern(revision) ? -32602 : -32002;

    beforeEach(async () => {
      client = linked.connectRaw();
      speak = await speaking(client, revision);
      id = (await linked.server.store.notes.create({ title: 'secret', text: 'secret' })).id;
      await linked.server.store.files.write('secret/file.txt', new Blob(['secret']));
      await linked.server.store.files.write('100%', new Blob(['secret']));
      // The first request of a connection pays for what is made when it is needed.
      await speak('resources/list');
    });

    /** The answer to a request, which comes at once. */
    const promptError = async (method: string, params: { [key: string]: unknown }) => {
      let error!: ReturnType<typeof errorOf>;
      const least = await leastTime(PROMPTLY_MS, async () => {
        error = errorOf(await speak(method, params));
      });
      expect(least, method).to.be.below(PROMPTLY_MS);
      expect(error.message.length).to.be.lessThan(600);
      expect(error.message).not.to.match(/secret|\n|\.[jt]s\b|\bat \S+:\d/);
      return error;
    };

    it('find nothing by uris that only look like one that is there', async () => {
      const uris = [
        `note:///${id.toLowerCase()}`,
        `note:///${id}/`,
        `note:///${id}?`,
        `note:///${id}#a`,
        `note:///./${id}`,
        `note:///x/../${id}`,
        `note:////${id}`,
        `note://${id}`,
        `note:${id}`,
        `NOTE:///${id}`,
        `note:///%30${id.slice(1)}`,
        `note:///${id}%00`,
        `note:///${id}\0`,
        ` note:///${id}`,
        'file:///secret/../secret/file.txt',
        'file:///./secret/file.txt',
        'file:///%2e/secret/file.txt',
        'file:///secret/%2e%2e/secret/file.txt',
        'file:///secret%2ffile.txt',
        'file:///secret%2Ffile.txt',
        'file:///secret//file.txt',
        'file:///%73ecret/file.txt',
        'file:///secret/file.txt/',
        'file:///secret/file.txt?',
        'file:///secret/file.txt%00',
        'file://localhost/secret/file.txt',
        'FILE:///secret/file.txt',
        'file:///100%',
        'file:///100%25%',
        'file:///%',
        'file:///%zz',
        'file:///%ff%fe',
        'file:///%C0%AE%C0%AE/secret/file.txt',
        'http://localhost/secret/file.txt',
        'javascript:alert(1)',
        'data:text/plain,secret',
        '__proto__',
        'constructor',
        'note:///__proto__',
        'note:///constructor',
        'file:///__proto__',
        'file:///constructor/prototype',
        'inpage:///__proto__',
        '\ud800',
        'file:///\ud800',
        'file:///a/\ud800/',
        'note:///\ud800',
      ];
      for (const uri of uris) {
        const error = await promptError('resources/read', { uri });
        expect(error, uri).to.deep.equal({
          code: missing,
          message: 'Resource not found',
          data: { uri },
        });
      }
    });

    it('are refused without an echo when their uri is longer than any', async () => {
      const longest = `file:///${'x'.repeat(MAX_URI_LENGTH - 8)}`;
      expect((await promptError('resources/read', { uri: longest })).code).to.equal(missing);
      for (const uri of [`${longest}x`, `note:///${LONG}`, '%'.repeat(1_000_000), LONG]) {
        const error = await promptError('resources/read', { uri });
        expect(error.code).to.equal(-32602);
        expect(error).not.to.have.property('data');
      }
    });

    it('are answered when they are no requests as JSON-RPC and MCP have them', async () => {
      const meta = isModern(revision) ? MODERN_META : {};
      const cases: [code: number, extra: object][] = [
        [-32600, { extra: 1 }],
        [-32602, { params: { _meta: 5 } }],
        [-32602, { params: { _meta: null } }],
        [-32602, { params: { _meta: { ...meta, progressToken: {} } } }],
        [-32602, { params: { _meta: { ...meta, progressToken: 1.5 } } }],
      ];
      for (const [index, [code, extra]] of cases.entries()) {
        const id = 10_000 + index;
        const params = { _meta: meta };
        for (const method of ['resources/list', 'subscriptions/listen']) {
          const message = { jsonrpc: '2.0', id: `${id} ${method}`, method, params, ...extra };
          client.port.postMessage(message);
          const answer = await client.answerTo(`${id} ${method}`);
          expect(errorOf(answer).code, JSON.stringify(message)).to.equal(code);
        }
      }
    });

    it('get no further with names of prototypes or of a megabyte', async () => {
      for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty', LONG]) {
        const cases: [string, { [key: string]: unknown }][] = [
          ['tools/call', { name, arguments: {} }],
          ['prompts/get', { name, arguments: {} }],
          ['completion/complete', completing({ type: 'ref/prompt', name })],
          ['completion/complete', completing({ type: 'ref/resource', uri: name })],
          ['resources/list', { cursor: name }],
          ['tools/list', { cursor: name }],
          ['prompts/list', { cursor: name }],
        ];
        for (const [method, params] of cases) {
          const label = `${method} ${name.slice(0, 20)}`;
          expect((await promptError(method, params)).code, label).to.equal(-32602);
        }
        if (name.length > 100) continue;
        expect((await promptError(name, {})).code).to.equal(-32601);
      }
    });

    it('change no prototype', async () => {
      const params = JSON.parse(
        `{"name":"create_note","arguments":{"__proto__":{"polluted":1},"title":"a","text":"b"}}`,
      ) as { [key: string]: unknown };
      await speak('tools/call', params);
      await speak('resources/read', JSON.parse('{"uri":"a","__proto__":{"polluted":1}}') as never);
      expect({}).not.to.have.property('polluted');
    });
  });
}

const completing = (ref: object) => ({ ref, argument: { name: 'id', value: 'a' } });

describe('answers that no port can carry', () => {
  it('lose what is wrong, or become errors, so that nobody waits for them', async () => {
    const cycle: { self?: object } = {};
    cycle.self = cycle;
    const linked = await openLinkedServer(undefined, {
      features: [],
      configure: (server) => {
        const run = () => ({ content: [], _meta: { bad: () => 1 } });
        server.addTool(defineTool({ name: 'bad', run }));
        const runWorse = () => ({ content: [], _meta: { bad: () => 1, cycle } });
        server.addTool(defineTool({ name: 'worse', run: runWorse }));
      },
    });
    const client = linked.connectRaw();
    const rest = resultOf(await client.modern('tools/call', { name: 'bad' }));
    expect(rest['content']).to.deep.equal([]);
    expect(rest['_meta']).not.to.have.property('bad');
    const answer = await client.modern('tools/call', { name: 'worse' });
    expect(errorOf(answer)).to.deep.equal({ code: -32603, message: 'Internal error' });
    expect(linked.server.activity.entries[0]).to.include({ outcome: 'refused', code: -32603 });
    await linked.server.close();
    await deleteDatabase(linked.databaseName);
  });
});
