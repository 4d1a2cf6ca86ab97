import { connectClient, type McpClient } from '@inpage-mcp/client';
import {
  toWebMcp,
  type ModelContext,
  type WebMcpClient,
  type WebMcpTool,
} from '@inpage-mcp/models/web-mcp';
import { startRuntime } from '@inpage-mcp/runtime';
import { MessagePortTransport } from '@inpage-mcp/transport';
import { expect } from '@esm-bundle/chai';
import { deleteDatabase, freshDatabaseName } from '../support/database.js';
import { failureOf } from '../support/failure.js';
import { useLinkedClient } from '../support/linked-server.js';
import { eventually } from '../support/within.js';

/** What Chromium has beyond the draft: it lists and calls the tools of a document. */
interface CallableContext extends ModelContext, EventTarget {
  getTools(): Promise<{ name: string; title: string; description: string; inputSchema: object }[]>;
  executeTool(tool: object, input: object, options?: { signal: AbortSignal }): Promise<string>;
}

const ofBrowser = (document as { modelContext?: CallableContext }).modelContext;

/** The registration of the draft, in a browser without WebMCP. */
class ContextOfDraft extends EventTarget implements CallableContext {
  readonly #tools = new Map<string, WebMcpTool>();

  async registerTool(tool: WebMcpTool, { signal }: { signal: AbortSignal }): Promise<void> {
    const isValid = /^[\w.-]{1,128}$/.test(tool.name) && tool.description !== '';
    if (!isValid || this.#tools.has(tool.name))
      throw new DOMException(`Refused: ${tool.name}`, 'InvalidStateError');
    signal.throwIfAborted();
    JSON.stringify(tool.inputSchema);
    this.#tools.set(tool.name, tool);
    this.dispatchEvent(new Event('toolchange'));
    signal.addEventListener('abort', () => {
      this.#tools.delete(tool.name);
      this.dispatchEvent(new Event('toolchange'));
    });
  }

  async getTools() {
    return [...this.#tools.values()].map((tool) => ({ title: '', ...tool }));
  }

  async executeTool({ name }: WebMcpTool, input: object, options?: { signal: AbortSignal }) {
    return await this.#tools.get(name)!.execute(input, options);
  }
}

function runWith(title: string, contextOf: () => CallableContext): void {
  describe(title, () => {
    const setup = useLinkedClient();
    let context: CallableContext;

    beforeEach(() => {
      context = contextOf();
    });

    const names = async (): Promise<string[]> =>
      (await context.getTools()).map(({ name }) => name).toSorted();
    const namesOf = async (client: McpClient): Promise<string[]> =>
      (await client.listTools()).tools.map(({ name }) => name).toSorted();

    async function call(name: string, input: object): Promise<string> {
      const tool = (await context.getTools()).find((one) => one.name === name);
      expect(tool, name).to.be.ok;
      return await context.executeTool(tool!, input);
    }

    /** Resolves when the browser has these tools. */
    const untilNamesAre = (expected: string[]): Promise<true> =>
      eventually(async () => String(await names()) === String(expected));

    it('has the tools of the server, and a call of one writes a note', async () => {
      const tools = await toWebMcp(setup.client, { modelContext: context });
      expect(tools.isSupported).to.equal(true);
      expect(tools.refused).to.deep.equal([]);
      expect([...tools.names].toSorted()).to.deep.equal(await namesOf(setup.client));
      expect(await names()).to.deep.equal(await namesOf(setup.client));

      const answer = await call('create_note', { title: 'Plan', text: 'Do it' });
      const { notes } = await setup.linked.server.store.notes.list();
      expect(notes.map(({ title }) => title)).to.deep.equal(['Plan']);
      expect(answer).to.contain(`URI: note:///${notes[0]!.id}`);
      expect(await call('update_note', { id: 'nothing', title: 'x' })).to.match(
        /^The tool has failed/,
      );
      await setup.client.close();
    });

    it('writes nothing for an agent that no longer waits', async () => {
      await toWebMcp(setup.client, { modelContext: context });
      const tools = await context.getTools();
      const tool = tools.find(({ name }) => name === 'create_note')!;
      const signal = AbortSignal.abort();
      const input = { title: 'Plan', text: 'Do it' };
      const failure = await failureOf(context.executeTool(tool, input, { signal }));
      expect(failure).to.have.property('name', 'AbortError');
      expect((await setup.linked.server.store.notes.list()).notes).to.deep.equal([]);
      await setup.client.close();
      await untilNamesAre([]);
    });

    it('reads resources of a connection that may call no tools', async () => {
      const { store } = setup.linked.server;
      const { id } = await store.notes.create({ title: 'Plan', text: 'Do it' });
      const port = setup.linked.openPort({ tools: 'none' });
      const client = await connectClient(new MessagePortTransport(port));
      await toWebMcp(client, { modelContext: context });
      expect(await names()).to.deep.equal(['list_resources', 'read_resource']);
      const { resources } = JSON.parse(await call('list_resources', {})) as {
        resources: { uri: string; title: string }[];
      };
      expect(resources[0]).to.include({ uri: `note:///${id}`, title: 'Plan' });
      expect(await call('read_resource', { uri: `note:///${id}` })).to.contain('\nDo it\n');
      expect(await call('read_resource', { uri: 'note:///no' })).to.match(/^The tool has failed/);
      await client.close();
      await untilNamesAre([]);
    });

    it('has no tool when the client has closed', async () => {
      const tools = await toWebMcp(setup.client, { modelContext: context });
      expect(await names()).not.to.deep.equal([]);
      await setup.client.close();
      await untilNamesAre([]);
      expect(tools.names).to.deep.equal([]);
    });

    it('has no tool when the signal has aborted, and none of a signal that was', async () => {
      const stopping = new AbortController();
      const options = { modelContext: context, signal: stopping.signal };
      const tools = await toWebMcp(setup.client, options);
      expect(await names()).not.to.deep.equal([]);
      stopping.abort();
      await untilNamesAre([]);
      expect(tools.names).to.deep.equal([]);
      expect(setup.client.state).to.equal('open');
      expect(await failureOf(toWebMcp(setup.client, options))).to.equal(stopping.signal.reason);
      expect(await names()).to.deep.equal([]);
    });

    it('follows the tools that the connection may call', async () => {
      const databaseName = freshDatabaseName();
      const runtime = await startRuntime({ databaseName });
      const client = await runtime.connect({ access: { tools: ['create_note', 'list_notes'] } });
      const tools = await toWebMcp(client, { modelContext: context });
      expect(tools.names).to.contain('create_note');
      await runtime.setAccess(client, { tools: ['search_notes'] });
      await untilNamesAre(['list_resources', 'read_resource', 'search_notes']);
      expect([...tools.names].toSorted()).to.deep.equal(await names());
      await runtime.close();
      await untilNamesAre([]);
      await deleteDatabase(databaseName);
    });

    it('leaves the tool of the page whose name is taken, and says so', async () => {
      const own = new AbortController();
      const tool: WebMcpTool = {
        name: 'create_note',
        description: 'Of the page.',
        inputSchema: { type: 'object', properties: {} },
        annotations: { readOnlyHint: true, untrustedContentHint: false },
        execute: async () => 'of the page',
      };
      await context.registerTool(tool, { signal: own.signal });
      const tools = await toWebMcp(setup.client, { modelContext: context });
      expect(tools.refused.map(({ name }) => name)).to.deep.equal(['create_note']);
      expect(tools.refused[0]!.message).not.to.equal('');
      expect(tools.names).not.to.contain('create_note');
      await setup.client.close();
      await untilNamesAre(['create_note']);
      expect(await call('create_note', {})).to.equal('of the page');
      own.abort();
      await untilNamesAre([]);
    });

    it('has no tool when the runtime has closed', async () => {
      const databaseName = freshDatabaseName();
      const runtime = await startRuntime({ databaseName });
      await toWebMcp(await runtime.connect(), { modelContext: context });
      expect(await names()).to.contain('create_note');
      await runtime.close();
      await untilNamesAre([]);
      await deleteDatabase(databaseName);
    });
  });
}

runWith('WebMCP as the draft has it', () => new ContextOfDraft());

if (ofBrowser) runWith('WebMCP of this browser', () => ofBrowser);
// Only Chromium has the interface; everywhere, the tests above run with the interface of the draft.
else it.skip('WebMCP of this browser: it has no document.modelContext');

describe('the place of WebMCP', () => {
  const setup = useLinkedClient();

  /** Shadows what the browser has, until the test has run. */
  async function withContexts(
    onDocument: ModelContext | undefined,
    onNavigator: ModelContext | undefined,
    run: () => Promise<void>,
  ): Promise<void> {
    const places: [object, ModelContext | undefined][] = [
      [document, onDocument],
      [navigator, onNavigator],
    ];
    for (const [place, value] of places)
      Object.defineProperty(place, 'modelContext', { value, configurable: true });
    try {
      await run();
    } finally {
      for (const [place] of places) Reflect.deleteProperty(place, 'modelContext');
    }
  }

  it('may be missing: then nothing is registered', async () => {
    await withContexts(undefined, undefined, async () => {
      const tools = await toWebMcp(setup.client);
      expect(tools).to.deep.equal({ isSupported: false, names: [], refused: [] });
    });
  });

  it('is the document, and the navigator in older drafts', async () => {
    const [current, older] = [new ContextOfDraft(), new ContextOfDraft()];
    await withContexts(undefined, older, async () => {
      expect((await toWebMcp(setup.client)).isSupported).to.equal(true);
    });
    const count = (await older.getTools()).length;
    expect(count).to.be.above(0);
    await withContexts(current, older, async () => {
      await toWebMcp(setup.client);
    });
    expect(await current.getTools()).to.have.length(count);
    expect(await older.getTools()).to.have.length(count);
  });

  it('is not asked for a budget that is wrong', async () => {
    const wrong = toWebMcp(setup.client, { modelContext: new ContextOfDraft(), budget: -1 });
    expect(await failureOf(wrong)).to.be.an.instanceof(RangeError);
  });
});

describe('the tools of a server that are only for apps', () => {
  it('are not registered, and take no name from those that are', async () => {
    const schema = { inputSchema: { type: 'object' } } as const;
    const _meta = { ui: { visibility: ['app'] } };
    const client: WebMcpClient = {
      serverCapabilities: { tools: {}, resources: {} },
      closed: new Promise(() => undefined),
      listTools: async () => ({
        tools: [
          { name: 'act', ...schema },
          { name: 'refresh', ...schema, _meta },
          { name: 'read_resource', ...schema, _meta },
        ],
      }),
      callTool: async () => ({ content: [{ type: 'text', text: 'of the server' }] }),
      listResources: async () => ({ resources: [] }),
      readResource: async (uri) => ({ contents: [{ uri, text: 'of ours' }] }),
      watchTools: () => ({ ready: Promise.resolve(), stop: () => undefined }),
    };
    const stopping = new AbortController();
    const context = new ContextOfDraft();
    await toWebMcp(client, { modelContext: context, signal: stopping.signal });
    const tools = await context.getTools();
    expect(tools.map(({ name }) => name)).to.have.members([
      'act',
      'list_resources',
      'read_resource',
    ]);
    const reading = tools.find(({ name }) => name === 'read_resource');
    expect(await context.executeTool(reading!, { uri: 'a:1' })).to.contain('of ours');
    stopping.abort();
  });
});

/** A server with one list of tools after the other; one that is absent cannot be read. */
class ChangingServer implements WebMcpClient {
  readonly serverCapabilities = { tools: { listChanged: true }, resources: {} };
  readonly closed = new Promise<never>(() => undefined);
  readonly lists: (string[] | undefined)[] = [];
  readonly called: string[] = [];
  changed = (): void => undefined;

  readonly listTools: WebMcpClient['listTools'] = async () => {
    const names = this.lists.shift();
    if (!names) throw new Error('Not now.');
    return { tools: names.map((name) => ({ name, inputSchema: { type: 'object' } })) };
  };

  readonly callTool: WebMcpClient['callTool'] = async (name) => {
    this.called.push(name);
    return { content: [] };
  };

  readonly listResources: WebMcpClient['listResources'] = async () => ({ resources: [] });

  readonly readResource: WebMcpClient['readResource'] = async (uri) => ({
    contents: [{ uri, text: 'of ours' }],
  });

  readonly watchTools: WebMcpClient['watchTools'] = (listener) => {
    this.changed = listener;
    return { ready: Promise.resolve(), stop: () => undefined };
  };
}

describe('a server whose tools change while they are registered', () => {
  it('is listed only when its changes are reported, so that none is missed', async () => {
    const steps: string[] = [];
    let acknowledge = (): void => undefined;
    const ready = new Promise<void>((resolve) => {
      acknowledge = resolve;
    });
    const client: WebMcpClient = {
      serverCapabilities: { tools: { listChanged: true } },
      closed: new Promise(() => undefined),
      async listTools() {
        steps.push('listed');
        return { tools: [{ name: 'act', inputSchema: { type: 'object' } }] };
      },
      callTool: async () => ({ content: [] }),
      listResources: async () => ({ resources: [] }),
      readResource: async () => ({ contents: [] }),
      watchTools: () => ({ ready, stop: () => undefined }),
    };
    const stopping = new AbortController();
    const options = { modelContext: new ContextOfDraft(), signal: stopping.signal };
    const registering = toWebMcp(client, options);
    await Promise.resolve();
    steps.push('acknowledged');
    acknowledge();
    expect((await registering).names).to.deep.equal(['act']);
    expect(steps).to.deep.equal(['acknowledged', 'listed']);
    stopping.abort();
  });

  it('keeps its own tools while they cannot be listed again', async () => {
    const client = new ChangingServer();
    client.lists.push(['read_resource'], undefined);
    const stopping = new AbortController();
    const context = new ContextOfDraft();
    await toWebMcp(client, { modelContext: context, signal: stopping.signal });
    client.changed();
    await eventually(() => client.lists.length === 0);
    await context.executeTool((await context.getTools())[0]!, { uri: 'a:1' });
    expect(client.called).to.deep.equal(['read_resource']);
    stopping.abort();
  });

  it('calls the tools of the present list, also those that look as before', async () => {
    const client = new ChangingServer();
    client.lists.push(['a b'], ['a/b']);
    const stopping = new AbortController();
    const context = new ContextOfDraft();
    await toWebMcp(client, { modelContext: context, signal: stopping.signal });
    client.changed();
    await eventually(async () => {
      const tools = await context.getTools();
      await context.executeTool(
        tools.find(({ name }) => name === 'a_b')!,
        {},
      );
      return client.called.at(-1) === 'a/b';
    });
    stopping.abort();
  });
});
