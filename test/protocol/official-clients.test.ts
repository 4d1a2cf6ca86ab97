import { defineTool } from '@inpage-mcp/protocol';
import { expect } from '@esm-bundle/chai';
import { failureOf } from '../support/failure.js';
import { soon } from '../support/within.js';
import { sdkV1, sdkV2, type Answers, type AnyClient } from './any-client.js';
import { wholeServer } from './whole-server.js';

/** The texts of a tool's result. */
const textOf = ({ content }: { content: { text?: string }[] }): string =>
  content.map(({ text = '' }) => text).join('\n');

type Connect = (port: MessagePort, answers?: Answers) => Promise<AnyClient>;

const LEGACY = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];

const CLIENTS: [name: string, version: string, connect: Connect][] = [
  ['v2, negotiating', '2026-07-28', (port, answers) => sdkV2(port, 'auto', undefined, answers)],
  ...LEGACY.map((version): (typeof CLIENTS)[number] => [
    'v2',
    version,
    (port, answers) => sdkV2(port, 'legacy', version, answers),
  ]),
  ['v1', '2025-11-25', sdkV1],
];

const PERSON: Answers = {
  elicit: ({ message }) =>
    message === 'Are you sure?'
      ? { action: 'accept', content: { sure: 'sure' } }
      : { action: 'accept', content: { name: 'Ann' } },
  sample: () => ({ role: 'assistant', content: { type: 'text', text: 'Rome' }, model: 'm' }),
  roots: () => ({ roots: [{ uri: 'file:///a', name: 'a' }] }),
};

for (const [name, version, connect] of CLIENTS) {
  describe(`the official client ${name}, of ${version}`, () => {
    let serving: ReturnType<typeof wholeServer>;
    let client: AnyClient;

    async function connectAs(answers?: Answers): Promise<AnyClient> {
      const { port1, port2 } = new MessageChannel();
      serving.server.serve(port2);
      return await connect(port1, answers);
    }

    beforeEach(async () => {
      serving = wholeServer();
      client = await connectAs(PERSON);
    });

    afterEach(async () => {
      await client.close();
      serving.server.close();
    });

    it('knows whom it talks to', () => {
      expect(client.protocolVersion).to.equal(version);
      expect(client.serverName).to.equal('alone');
      expect(client.instructions).to.equal('Be kind.');
      expect(client.capabilities).to.deep.equal({
        completions: {},
        logging: {},
        prompts: { listChanged: true },
        resources: { subscribe: true, listChanged: true },
        tools: { listChanged: true },
      });
    });

    it('lists and reads resources', async () => {
      const uris = (await client.listResources()).map(({ uri }) => uri);
      expect(uris).to.deep.equal(['a:text', 'a:blob']);
      expect((await client.listTemplates())[0]?.uriTemplate).to.equal('a:items/{item}');
      expect(await client.read('a:text')).to.deep.equal([{ uri: 'a:text', text: 'Text.' }]);
      expect(await client.read('a:blob')).to.deep.equal([{ uri: 'a:blob', blob: 'AAAA' }]);
      const error = await failureOf(client.read('a:missing'));
      // The second client makes its own error of the −32002 of the legacy era.
      expect(error).to.include({ code: name === 'v1' ? -32002 : -32602 });
    });

    it('calls tools, and checks what they give', async () => {
      const names = (await client.listTools()).map((tool) => tool.name);
      expect(names).to.include.members(['route', 'waits', 'asks_all']);
      const found = await client.callTool('route', { to: 'Rome' });
      expect(found.structuredContent).to.deep.equal({ to: 'Rome' });
      expect(textOf(found)).to.equal('{"to":"Rome"}');
      const { content } = await client.callTool('media');
      const link = version < '2025-06-18' ? 'text' : 'resource_link';
      expect(content.map(({ type }) => type)).to.deep.equal(['image', 'resource', link]);
      expect(await client.callTool('fails')).to.include({ isError: true });
      expect(await client.callTool('route', { to: 5 })).to.include({ isError: true });
      expect(await failureOf(client.callTool('missing'))).to.include({ code: -32602 });
    });

    it('receives progress, and what is logged', async () => {
      const values: number[] = [];
      const logged: unknown[] = [];
      client.onLog((level, data) => logged.push([level, data]));
      const onprogress = ({ progress }: { progress: number }): unknown => values.push(progress);
      await client.callTool('reports', {}, { onprogress, logLevel: 'error' });
      expect(values).to.deep.equal([0, 1, 2]);
      expect(logged).to.deep.equal([['error', 'loud']]);
    });

    it('cancels a call', async () => {
      const controller = new AbortController();
      const { signal } = controller;
      const onprogress = (): void => controller.abort(new Error('enough'));
      const failure = failureOf(client.callTool('waits', {}, { onprogress, signal }));
      expect(await soon('the call is aborted', serving.isAborted)).to.include({
        name: 'AbortError',
      });
      expect(String(await failure)).to.contain('enough');
    });

    it('gets prompts, and completes', async () => {
      expect((await client.listPrompts()).map((prompt) => prompt.name)).to.deep.equal(['describe']);
      const { messages } = await client.getPrompt('describe', { animal: 'cat' });
      expect(messages).to.have.deep.nested.property('[0].content.text', 'Describe a cat.');
      expect(await failureOf(client.getPrompt('describe'))).to.include({ code: -32602 });
      const prompt = { type: 'ref/prompt', name: 'describe' };
      expect((await client.complete(prompt, 'animal', 'ca')).values).to.deep.equal([
        'cat',
        'camel',
      ]);
      const template = { type: 'ref/resource', uri: 'a:items/{item}' };
      expect((await client.complete(template, 'item', 'x')).values).to.deep.equal(['x1']);
    });

    it('is notified of updates until it unsubscribes', async () => {
      const updated: string[] = [];
      let onNext!: () => void;
      const next = (): Promise<void> => {
        const come = new Promise<void>((resolve) => {
          onNext = resolve;
        });
        return soon('an update', come);
      };
      const onUpdated = (uri: string): void => {
        updated.push(uri);
        onNext();
      };
      const stop = await client.subscribe('a:text', onUpdated);
      const stopOther = await client.subscribe('a:blob', onUpdated);
      const first = next();
      serving.change('a:text');
      await first;
      await stop();
      // A request later it is known that nobody listens.
      await client.listTools();
      const second = next();
      serving.change('a:text');
      serving.change('a:blob');
      await second;
      expect(updated).to.deep.equal(['a:text', 'a:blob']);
      await stopOther();
    });

    it('is notified when a list changes', async () => {
      const changed = (list: 'tools' | 'resources', change: () => void): Promise<void> =>
        soon(
          `a change of ${list}`,
          new Promise((resolve) => void client.watch(list, resolve).then(change)),
        );
      await changed('resources', () => serving.change('a:new', true));
      const added = defineTool({ name: 'added', run: () => 'Added.' });
      await changed('tools', () => void serving.server.addTool(added));
      expect((await client.listTools()).map((tool) => tool.name)).to.include('added');
      expect(textOf(await client.callTool('added'))).to.equal('Added.');
    });

    if (version >= '2025-06-18') {
      it('asks its user, twice in one call', async () => {
        expect(textOf(await client.callTool('elicits'))).to.equal('Ann is sure.');
        for (const action of ['decline', 'cancel']) {
          const other = await connectAs({ ...PERSON, elicit: async () => ({ action }) });
          expect(textOf(await other.callTool('elicits'))).to.equal(`You said ${action}.`);
          await other.close();
        }
      });

      it('asks several things at once, and brings a state back', async () => {
        const [content, roots, state] = JSON.parse(textOf(await client.callTool('asks_all')));
        expect(content).to.deep.equal({ name: 'Ann' });
        expect(roots).to.deep.equal([{ uri: 'file:///a', name: 'a' }]);
        expect(state).to.equal('a state');
      });
    }

    if (version >= '2025-11-25') {
      it('has its user open an address', async () => {
        const asked: unknown[] = [];
        const other = await connectAs({
          ...PERSON,
          elicit(params) {
            asked.push([params['mode'], params['url']]);
            return { action: 'accept' };
          },
        });
        expect(textOf(await other.callTool('opens'))).to.equal('accept');
        expect(asked).to.deep.equal([['url', 'https://example.com/']]);
        await other.close();
      });
    }

    it('asks its model, and gives its roots', async () => {
      const said = textOf(await client.callTool('samples'));
      expect(said).to.equal('m: {"type":"text","text":"Rome"}');
      const roots = textOf(await client.callTool('lists_roots'));
      expect(JSON.parse(roots)).to.deep.equal([{ uri: 'file:///a', name: 'a' }]);
    });

    it('is not asked what it has not said that it can be asked', async () => {
      const other = await connectAs();
      for (const tool of ['elicits', 'opens', 'samples', 'lists_roots', 'asks_all']) {
        const asking = other.callTool(tool);
        if (version < '2026-07-28') expect(await asking).to.include({ isError: true });
        else expect(await failureOf(asking)).to.include({ code: -32021 });
      }
      await other.close();
    });

    it('learns of the end of the server', async () => {
      serving.server.close();
      await soon('the client is closed', client.closed);
    });
  });
}
