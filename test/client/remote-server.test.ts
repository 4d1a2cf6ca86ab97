import { expect } from '@esm-bundle/chai';
import { bytesOf, McpError, rangeOf, type McpClient, type Progress } from '@inpage-mcp/client';
import { failureOf } from '../support/failure.js';
import { connectRemote, connectRemoteWithSdk, type Remote } from '../support/remote-client.js';
import { soon } from '../support/within.js';

const TEXT = 'remote:///text';

/** A listener that can be waited for, and how often it was called. */
function counting() {
  let resolve: () => void;
  const counter = {
    calls: 0,
    call: (): void => {
      counter.calls += 1;
      resolve?.();
    },
    /** The next call. */
    next: (): Promise<void> =>
      soon(
        'a call of the listener',
        new Promise((done) => {
          resolve = done;
        }),
      ),
  };
  return counter;
}

for (const era of ['modern', 'legacy'] as const) {
  describe(`a remote server of the official SDK, in the ${era} era`, () => {
    let remote: Remote;
    let client: McpClient;

    beforeEach(async () => {
      remote = await connectRemoteWithSdk({ era });
      client = remote.client;
    });

    afterEach(() => client.close());

    const textOf = async (): Promise<unknown> => {
      const { contents } = await client.readResource(TEXT);
      return 'text' in contents[0]! ? contents[0].text : undefined;
    };

    it('says who it is', () => {
      const revision = era === 'modern' ? '2026-07-28' : '2025-11-25';
      expect(client.protocolVersion).to.equal(revision);
      expect(client.serverInfo).to.include({ name: 'remote', title: 'A remote server' });
      expect(client.serverCapabilities.resources).to.deep.equal({
        subscribe: true,
        listChanged: true,
      });
      expect(client.state).to.equal('open');
    });

    it('lists resources, templates, tools and prompts', async () => {
      const { resources } = await client.listResources();
      expect(resources.map(({ uri }) => uri)).to.include.members([TEXT, 'remote:///items/apple']);
      const { resourceTemplates } = await client.listResourceTemplates();
      expect(resourceTemplates[0]).to.include({ uriTemplate: 'remote:///items/{item}' });
      const { tools } = await client.listTools();
      expect(tools.find(({ name }) => name === 'order')!.inputSchema.required).to.include('dish');
      const { prompts } = await client.listPrompts();
      expect(prompts[0]!.arguments!.map(({ name }) => name)).to.deep.equal(['language', 'text']);
    });

    it('reads texts and bytes, and ignores a range', async () => {
      const range = { offset: 4, length: 5 };
      const { contents } = await client.readResource(TEXT, { range });
      expect(contents).to.deep.equal([
        { uri: TEXT, mimeType: 'text/plain', text: 'The first text.' },
      ]);
      expect(rangeOf(contents[0]!)).to.equal(undefined);
      const photo = await client.readResource('remote:///photo');
      expect([...bytesOf(photo.contents[0]!)].slice(1, 4)).to.deep.equal([0x50, 0x4e, 0x47]);
    });

    it('rejects a resource that does not exist', async () => {
      const error = await failureOf(client.readResource('remote:///items/none'));
      expect(error).to.be.instanceOf(McpError).and.include({ code: -32602 });
      expect((error as Error).message).not.to.contain('MCP error');
    });

    it('notifies of updates until the watch stops', async () => {
      const listener = counting();
      const watch = client.watch(TEXT, listener.call);
      await watch.ready;
      const first = listener.next();
      await client.callTool('change_text', { text: 'The second text.' });
      await first;
      expect(await textOf()).to.equal('The second text.');
      watch.stop();
      await client.callTool('change_text', { text: 'The third text.' });
      expect(await textOf()).to.equal('The third text.');
      expect(listener.calls).to.equal(1);
    });

    it('notifies of a change of the list', async () => {
      const listener = counting();
      const watch = client.watchList(listener.call);
      await watch.ready;
      const changed = listener.next();
      await client.callTool('add_item', { name: 'cherry' });
      await changed;
      const { resources } = await client.listResources();
      expect(resources.map(({ name }) => name)).to.include('cherry');
    });

    it('notifies of what another client has changed', async () => {
      const name = crypto.randomUUID();
      const [here, there] = [
        await connectRemote({ era, name }),
        await connectRemote({ era, name }),
      ];
      const listener = counting();
      await here.watch(TEXT, listener.call).ready;
      const changed = listener.next();
      await there.callTool('change_text', { text: 'Theirs.' });
      await changed;
      await Promise.all([here.close(), there.close()]);
    });

    it('calls tools, with progress', async () => {
      const args = { dish: 'Soup', count: 2 };
      const { structuredContent } = await client.callTool('order', args);
      expect(structuredContent).to.deep.equal({ order: { ...args, size: 'small' } });
      const reports: Progress[] = [];
      const onprogress = (report: Progress): unknown => reports.push(report);
      await client.callTool('count', { steps: 3 }, { onprogress });
      expect(reports.map(({ progress, total }) => [progress, total])).to.deep.equal([
        [1, 3],
        [2, 3],
        [3, 3],
      ]);
      expect(await client.callTool('fail')).to.include({ isError: true });
    });

    it('learns that a call was cancelled', async () => {
      const stopping = new AbortController();
      const onprogress = (): void => stopping.abort(new Error('enough'));
      const call = client.callTool('wait', {}, { onprogress, signal: stopping.signal });
      expect(await failureOf(call)).to.include({ message: 'enough' });
      const { content } = await client.callTool('count_aborted');
      expect(content[0]).to.include({ text: '1' });
    });

    it('asks the user through the handler of the app', async () => {
      remote.sdk.setRequestHandler('elicitation/create', ({ params }) => {
        expect(params.message).to.equal('Who are you?');
        return { action: 'accept', content: { name: 'Ann' } };
      });
      const { content } = await client.callTool('ask_name');
      expect(content[0]).to.include({ text: 'Hello, Ann.' });
    });

    it('gives prompts, and completes arguments', async () => {
      const { messages } = await client.getPrompt('translate', { language: 'Greek' });
      expect(messages[0]!.content).to.include({ text: 'Translate into Greek: Hello.' });
      const prompt = { type: 'ref/prompt', name: 'translate' } as const;
      const language = await client.complete(prompt, { name: 'language', value: 'g' });
      expect(language.values).to.deep.equal(['German', 'Greek']);
      const template = { type: 'ref/resource', uri: 'remote:///items/{item}' } as const;
      const item = await client.complete(template, { name: 'item', value: 'ap' });
      expect(item.values).to.deep.equal(['apple', 'apricot']);
    });

    it('rejects pending calls when the client is closed', async () => {
      const states: string[] = [];
      client.watchState((state) => states.push(state));
      const pending = failureOf(client.callTool('wait'));
      await client.close();
      expect(await pending).to.include({ code: 'closed' });
      await client.closed;
      expect(states).to.deep.equal(['closed']);
      expect(await failureOf(client.listTools())).to.include({ code: 'closed' });
    });
  });
}
