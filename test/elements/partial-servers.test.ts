// Every element in front of a server that has only a part of MCP, as most servers do.
import '@inpage-mcp/elements/all';
import { connectClient, McpError, type McpClient } from '@inpage-mcp/client';
import { WireRecorder } from '@inpage-mcp/elements/wire-recorder';
import { defineTool, McpServer, ResourceNotFoundError, type Resources } from '@inpage-mcp/protocol';
import { MessagePortTransport } from '@inpage-mcp/transport';
import { expect, fixture, html } from '@open-wc/testing';
import { eventually, inside } from '../support/elements.js';
import { formClient } from '../support/form-client.js';
import { wordsOf } from '../support/remote-elements.js';

const greet = defineTool({ name: 'greet', run: () => 'Hello.' });
const resources: Resources = {
  list: () => ({ resources: [{ uri: 'app:///now', name: 'now' }] }),
  read(uri) {
    if (uri !== 'app:///now') throw new ResourceNotFoundError(uri);
    return [{ uri, mimeType: 'text/plain', text: 'Now.' }];
  },
};

/** What each kind of server has, and what each element then says. */
const SERVERS = {
  'tools only': {
    parts: { tools: [greet] },
    says: {
      'mcp-resource-list': 'This server has no resources. It has: Tools.',
      'mcp-resource-view': 'This server has no resources. It has: Tools.',
      'mcp-resource-picker': 'This server has no resources. It has: Tools.',
      'mcp-template-form': 'The server has no resource templates. It has: Tools.',
      'mcp-prompt-menu': 'The server has no prompts. It has: Tools.',
      'mcp-tool-form': 'greet',
      'mcp-file-drop': 'This server does not take files.',
    },
  },
  'resources only': {
    parts: { resources },
    says: {
      'mcp-resource-list': 'now',
      'mcp-resource-view': 'Now.',
      'mcp-resource-picker': 'now',
      'mcp-template-form': 'The server has no resource templates.',
      'mcp-prompt-menu': 'The server has no prompts. It has: Resources.',
      'mcp-tool-form': 'This server has no tools. It has: Resources.',
      'mcp-file-drop': 'This server does not take files.',
    },
  },
  nothing: {
    parts: {},
    says: {
      'mcp-resource-list': 'This server has no resources.',
      'mcp-resource-view': 'This server has no resources.',
      'mcp-resource-picker': 'This server has no resources.',
      'mcp-template-form': 'The server has no resource templates.',
      'mcp-prompt-menu': 'The server has no prompts.',
      'mcp-tool-form': 'This server has no tools.',
      'mcp-file-drop': 'This server does not take files.',
    },
  },
};

/** What every server of these is said to have in the same words. */
const ALWAYS = {
  'mcp-activity': 'This server keeps no log of its clients.',
  'mcp-note-editor': 'This server has no notes that can be edited.',
  'mcp-connection': 'Connected',
};

const PROPERTIES: { [tag: string]: object } = {
  'mcp-resource-list': { searchable: true, query: 'now' },
  'mcp-resource-view': { uri: 'app:///now', header: true },
  'mcp-note-editor': { noteId: 'a' },
  'mcp-connection': { detailed: true },
};

/** The capability that a method, or a topic of a subscription, belongs to. */
const capabilityOf = (name: string): string | undefined =>
  /^(?:resources?|tools|prompts|completion)/.exec(name)?.[0].replace(/^resource$/, 'resources');

for (const [kind, { parts, says }] of Object.entries(SERVERS)) {
  describe(`every element, with a server that has ${kind},`, () => {
    const server = new McpServer({ name: 'partial', version: '1' }, parts);
    const recorder = new WireRecorder();
    let client: McpClient;

    before(async () => {
      const { port1, port2 } = new MessageChannel();
      server.serve(port2);
      client = await connectClient(recorder.wrap(new MessagePortTransport(port1)));
    });

    after(() => client.close());

    /** What was sent that the server has not declared. */
    const undeclared = (): unknown[] =>
      recorder.entries.flatMap(({ method, message }) => {
        const { params } = (message ?? {}) as { params?: { notifications?: object } };
        const names = [method, ...Object.keys(params?.notifications ?? {})];
        return names.filter((name) => {
          const capability = capabilityOf(name);
          return capability && !(capability in client.serverCapabilities);
        });
      });

    for (const [tag, words] of Object.entries({ ...says, ...ALWAYS })) {
      it(`<${tag}> says: ${words}`, async () => {
        const element = document.createElement(tag);
        Object.assign(element, PROPERTIES[tag], { client });
        await fixture(html`<div style="block-size: 20rem">${element}</div>`);
        if (tag === 'mcp-resource-picker') inside(element, 'input').click();
        await eventually(() => wordsOf(element).includes(words), words);
        expect(element.shadowRoot!.querySelector('[role=alert]')).to.equal(null);
        await expect(element).to.be.accessible();
        expect(undeclared()).to.deep.equal([]);
      });
    }
  });
}

/** What an element says where its server has declared a capability, but not the method of the list. */
const WITHOUT_LISTS = {
  'mcp-resource-list': 'There are no resources yet.',
  'mcp-resource-picker': 'The server has no resources.',
  'mcp-template-form': 'The server has no resource templates.',
  'mcp-prompt-menu': 'The server has no prompts.',
  'mcp-tool-form': 'This server has no tools.',
};

/** A client whose server answers each list with an error. */
function refusingClient(code: number, message: string): McpClient {
  const refuse = (): Promise<never> => Promise.reject(new McpError(code, message));
  return formClient({
    listResources: refuse,
    listResourceTemplates: refuse,
    listPrompts: refuse,
    listTools: refuse,
  });
}

async function show(tag: string, client: McpClient): Promise<HTMLElement> {
  const element = Object.assign(document.createElement(tag), { client });
  await fixture(html`<div style="block-size: 20rem">${element}</div>`);
  if (tag === 'mcp-resource-picker') inside(element, 'input').click();
  return element;
}

for (const [tag, words] of Object.entries(WITHOUT_LISTS)) {
  it(`<${tag}> says that a server has none that does not know the list`, async () => {
    const element = await show(tag, refusingClient(-32601, 'Method not found'));
    await eventually(() => wordsOf(element).includes(words), words);
    expect(element.shadowRoot!.querySelector('[role=alert]')).to.equal(null);
  });
}

for (const tag of ['mcp-template-form', 'mcp-prompt-menu', 'mcp-tool-form']) {
  it(`<${tag}> says that a server has refused the list, and the words of the server`, async () => {
    const element = await show(tag, refusingClient(-32000, 'Forbidden'));
    const sentence = 'The server has refused this list. Forbidden';
    await eventually(() => wordsOf(element).includes(sentence), sentence);
    await expect(element).to.be.accessible();
  });
}

it('elements ask for what the server of another connection has', async () => {
  let server = new McpServer({ name: 'before', version: '1' }, {});
  let port: MessagePort;
  const client = await connectClient(() => {
    const channel = new MessageChannel();
    port = channel.port2;
    server.serve(port);
    return Promise.resolve(new MessagePortTransport(channel.port1));
  });
  const tags = ['mcp-resource-list', 'mcp-resource-view', 'mcp-tool-form'];
  const elements = tags.map((tag) => document.createElement(tag));
  for (const element of elements) Object.assign(element, PROPERTIES[element.localName], { client });
  await fixture(html`<div style="block-size: 20rem">${elements}</div>`);
  await eventually(() => elements.every((one) => wordsOf(one).includes('This server has no')));
  server = new McpServer({ name: 'after', version: '1' }, { resources, tools: [greet] });
  port!.postMessage(null);
  const words = ['now', 'Now.', 'greet'];
  const isShown = (): boolean =>
    elements.every((one, index) => wordsOf(one).includes(words[index]!));
  await eventually(isShown);
  await client.close();
});
