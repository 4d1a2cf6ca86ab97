import { defineTool, McpServer, type App, type ServeOptions } from '@inpage-mcp/protocol';
import { MessagePortTransport } from '@inpage-mcp/transport';
import { Client } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { expect } from '@esm-bundle/chai';
import { failureOf } from '../support/failure.js';
import { soon } from '../support/within.js';

const MEDIA_TYPE = 'text/html;profile=mcp-app';
const APPS = { 'io.modelcontextprotocol/ui': { mimeTypes: [MEDIA_TYPE] } };
const INFO = { name: 'official', version: '1' };

/** What the tests need of every official client. */
type AnyClient = Pick<
  Client,
  'listTools' | 'callTool' | 'readResource' | 'listResources' | 'close'
> &
  Pick<Client, 'getServerCapabilities'>;

type Connect = (port: MessagePort, extensions?: { [name: string]: object }) => Promise<AnyClient>;

const v2 =
  (mode: 'auto' | 'legacy'): Connect =>
  async (port, extensions) => {
    const client = new Client(INFO, {
      versionNegotiation: { mode },
      capabilities: extensions ? ({ extensions } as never) : {},
    });
    await client.connect(new MessagePortTransport(port));
    return client;
  };

const v1: Connect = async (port, extensions) => {
  const client = new ClientV1(INFO, { capabilities: extensions ? ({ extensions } as never) : {} });
  await client.connect(new MessagePortTransport(port) as never);
  return client as never;
};

const CLIENTS: [name: string, connect: Connect][] = [
  ['v2, of the modern era', v2('auto')],
  ['v2, of the legacy era', v2('legacy')],
  ['v1', v1],
];

const HTML = '<!doctype html>\n<html lang="en"><head><title>Map</title></head><body></body></html>';

const MAP: App = { uri: 'ui://a/map', html: HTML };

const show = defineTool({
  name: 'show',
  description: 'Shows </script> a map.',
  app: MAP.uri,
  _meta: { own: 1, ui: { extra: 2 } },
  run: () => 'Rome is in Italy.',
});
const move = defineTool({ name: 'move', visibility: ['app'], run: () => 'Moved.' });
const think = defineTool({ name: 'think', visibility: ['model'], run: () => 'Thought.' });
const plain = defineTool({ name: 'plain', run: () => 'Plain.' });

let server: McpServer;
const clients: AnyClient[] = [];

function newServer(): McpServer {
  server = new McpServer({ name: 'alone', version: '1' }, { tools: [show, move, think, plain] });
  return server;
}

async function connectTo(
  connect: Connect,
  extensions?: { [name: string]: object },
  options?: ServeOptions,
): Promise<AnyClient> {
  const { port1, port2 } = new MessageChannel();
  server.serve(port2, options);
  const client = await connect(port1, extensions);
  clients.push(client);
  return client;
}

/** The HTML of the app, as a client gets it. */
async function htmlOf(client: AnyClient, uri = MAP.uri): Promise<string> {
  const [content] = (await client.readResource({ uri })).contents;
  return (content as { text: string }).text;
}

const messageOf = async (failing: Promise<unknown>): Promise<string> =>
  ((await failureOf(failing)) as Error).message;

const parse = (html: string): Document => new DOMParser().parseFromString(html, 'text/html');

/** The tools that the server has written into the HTML. */
const toolsIn = (html: string): { name: string; description?: string }[] =>
  JSON.parse(parse(html).querySelector('#inpage-mcp-tools')!.textContent) as never;

afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
  server?.close();
});

for (const [name, connect] of CLIENTS) {
  describe(`apps, for the official client ${name}`, () => {
    beforeEach(() => newServer().addApp(MAP));

    it('come with the tools, under both keys and beside what the author has there', async () => {
      const client = await connectTo(connect, APPS);
      const { tools } = await client.listTools();
      expect(tools.map((tool) => [tool.name, tool._meta])).to.deep.equal([
        ['show', { own: 1, ui: { extra: 2, resourceUri: MAP.uri }, 'ui/resourceUri': MAP.uri }],
        ['move', { ui: { visibility: ['app'] } }],
        ['think', { ui: { visibility: ['model'] } }],
        ['plain', undefined],
      ]);
      expect((await client.callTool({ name: 'move', arguments: {} })).content).to.deep.equal([
        { type: 'text', text: 'Moved.' },
      ]);
    });

    it('are declared, and the resources that a client needs for reading them', async () => {
      const client = await connectTo(connect, APPS);
      const capabilities = client.getServerCapabilities() as { [name: string]: unknown };
      expect(capabilities['extensions']).to.deep.equal(APPS);
      expect(capabilities['resources']).to.deep.equal({});
      expect((await client.listResources()).resources).to.deep.equal([]);
      const missing = await messageOf(client.readResource({ uri: 'ui://a/other' }));
      expect(missing).to.contain('not found');
    });

    it('are read as one text, with the tools that they may call', async () => {
      const client = await connectTo(connect, APPS);
      const { contents } = await client.readResource({ uri: MAP.uri });
      expect(contents).to.have.length(1);
      const { text, ...content } = contents[0] as { text: string };
      expect(content).to.deep.equal({ uri: MAP.uri, mimeType: MEDIA_TYPE, _meta: { ui: {} } });
      const { head, documentElement, compatMode } = parse(text);
      expect([compatMode, documentElement.lang]).to.deep.equal(['CSS1Compat', 'en']);
      expect(head.textContent).to.match(/^\[\{.*\}\]\sMap$/);
      const tools = toolsIn(text);
      expect(tools.map((tool) => tool.name)).to.deep.equal(['show', 'move', 'plain']);
      expect(tools[0]!.description).to.equal('Shows </script> a map.');
    });

    it('do not exist for a client that shows none, and the results are the same', async () => {
      const able = await connectTo(connect, APPS);
      for (const extensions of [
        undefined,
        { [Object.keys(APPS)[0]!]: { mimeTypes: ['text/a'] } },
      ]) {
        const client = await connectTo(connect, extensions);
        const { tools } = await client.listTools();
        expect(tools.map((tool) => [tool.name, tool._meta])).to.deep.equal([
          ['show', { own: 1 }],
          ['think', {}],
          ['plain', undefined],
        ]);
        const call = { name: 'show', arguments: {} };
        const { content } = await client.callTool(call);
        expect(content).to.deep.equal((await able.callTool(call)).content);
        const hidden = await messageOf(client.callTool({ name: 'move', arguments: {} }));
        const unknown = await messageOf(client.callTool({ name: 'none', arguments: {} }));
        expect(hidden).to.equal(unknown.replace('none', 'move'));
        const app = await messageOf(client.readResource({ uri: MAP.uri }));
        const none = await messageOf(client.readResource({ uri: 'ui://a/none' }));
        expect(app).to.equal(none.replace('ui://a/none', MAP.uri));
      }
    });
  });
}

describe('an app', () => {
  const access = { permitsUri: (uri: string) => uri !== MAP.uri };

  it('does not exist where the access does not include it, and its tool comes without it', async () => {
    newServer().addApp(MAP);
    const client = await connectTo(v2('auto'), APPS, { access });
    const [first, second, third] = (await client.listTools()).tools;
    expect(first!._meta).to.deep.equal({ own: 1, ui: { extra: 2 } });
    expect([second!.name, third!._meta]).to.deep.equal(['move', { ui: { visibility: ['model'] } }]);
    const error = await messageOf(client.readResource({ uri: MAP.uri }));
    expect(error).to.contain('not found');
  });

  it('gets only the tools that the connection may use', async () => {
    newServer().addApp(MAP);
    const permitsTool = ({ name }: { name: string }): boolean => name === 'plain';
    const client = await connectTo(v2('auto'), APPS, { access: { permitsTool } });
    expect(toolsIn(await htmlOf(client)).map(({ name }) => name)).to.deep.equal(['plain']);
  });

  it('says what it needs, as one that a page has without apps says it', async () => {
    const csp = { connectDomains: ['https://a.example'] };
    const ui = { csp, permissions: { camera: {} }, prefersBorder: true, domain: 'a' };
    newServer().addApp({ ...MAP, html: async () => '<p>Later', ...ui });
    const client = await connectTo(v2('auto'), APPS);
    const [content] = (await client.readResource({ uri: MAP.uri })).contents;
    expect(content!._meta).to.deep.equal({ ui });
    expect(await htmlOf(client)).to.match(/^<script [^]*<\/script><p>Later$/);
  });

  it('gets its tools at its start, whatever else looks like a head', async () => {
    const starts = ['', ' <!DOCTYPE html>', '<!-- <!doctype> -->\n<!doctype html>'];
    for (const start of starts) {
      const rest = '<html><head><script>"</head><!doctype html>"</script>';
      newServer().addApp({ ...MAP, html: start + rest });
      const html = await htmlOf(await connectTo(v2('auto'), APPS));
      expect(html.startsWith(`${start}<script type="application/json"`), html).to.equal(true);
      expect(html.endsWith(`</script>${rest}`), html).to.equal(true);
      server.close();
    }
  });

  it('can be replaced and removed, which is announced as a change of the tools', async () => {
    const added = newServer().addApp(MAP);
    const client = (await connectTo(v2('auto'), APPS)) as Client;
    let changed!: () => void;
    const next = (): Promise<void> => soon('the tools changed', new Promise((r) => (changed = r)));
    client.setNotificationHandler('notifications/tools/list_changed', () => changed());
    await client.listen({ toolsListChanged: true });
    let change = next();
    added.update({ uri: 'ui://a/new', html: '<p>New' });
    await change;
    expect(await htmlOf(client, 'ui://a/new')).to.contain('<p>New');
    await failureOf(client.readResource({ uri: MAP.uri }));
    change = next();
    added();
    await change;
    await failureOf(client.readResource({ uri: 'ui://a/new' }));
  });

  it('is refused where a member is wrong', () => {
    newServer().addApp(MAP);
    const run = (): string => '';
    const refused: (() => unknown)[] = [
      () => defineTool({ name: 'a', app: 'https://a.example', run }),
      () => defineTool({ name: 'a', visibility: [], run }),
      () => defineTool({ name: 'a', visibility: ['user' as 'app'], run }),
      () => server.addApp({ uri: 'https://a.example', html: '' }),
      () => server.addApp({ uri: 'ui://a/b', html: 1 as never }),
      () => server.addApp(MAP),
    ];
    for (const refuse of refused) expect(refuse).to.throw(TypeError);
  });
});
