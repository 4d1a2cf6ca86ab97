import { expect } from '@esm-bundle/chai';
import { RuntimeError, type Runtime } from '@inpage-mcp/runtime';
import type { Watch } from '@inpage-mcp/client';
import { soon } from '../support/within.js';
import { failureOf } from '../support/failure.js';
import { type MortalWorkers, useMortalRuntime } from './mortal-workers.js';
import { nextEvent } from './next-event.js';

const URI = 'ui://test/count';

/** A tool and its app, which count the notes that their connection may see. */
const COUNT = `
  globalThis['inpage-mcp: feature'] = ({ addTool, addApp, ToolError }) => {
    addApp({ uri: '${URI}', html: '<title>Count</title>' });
    addTool({
      name: 'count',
      app: '${URI}',
      annotations: { readOnlyHint: true },
      async run(_input, { context }) {
        const count = await context.store.notes.count();
        if (count === 0) throw new ToolError('There is nothing to count.');
        return String(count);
      },
    });
  };
`;

/** The address of a script that is this text. */
const scriptOf = (text: string): string =>
  URL.createObjectURL(new Blob([text], { type: 'text/javascript' }));

describe('a feature that the page adds', () => {
  let workers: MortalWorkers;
  let runtime: Runtime;

  useMortalRuntime((own) => ({ workers, runtime } = own));

  const messageOf = async (script: string): Promise<string> => {
    const error = await failureOf(runtime.addFeature(script));
    expect(error).to.be.instanceOf(RuntimeError).and.have.property('code', 'failed');
    return (error as Error).message;
  };

  const toolNames = async (): Promise<string[]> => {
    const client = await runtime.connect();
    const { tools } = await client.listTools();
    await client.close();
    return tools.map(({ name }) => name);
  };

  it('has tools and apps, which are announced, with the access of the connection', async () => {
    const client = await runtime.connect({ apps: true });
    let watch: Watch | undefined;
    const changed = new Promise<void>((resolve) => {
      watch = client.watchTools(resolve);
    });
    await watch!.ready;
    const note = await runtime.notes.create({ title: 'a', text: 'b' });
    await runtime.notes.create({ title: 'c', text: 'd' });
    await runtime.addFeature(scriptOf(COUNT));
    await soon('the list of tools has changed', changed);
    expect((await client.callTool('count')).content).to.deep.equal([{ type: 'text', text: '2' }]);
    const tool = (await client.listTools()).tools.find(({ name }) => name === 'count');
    expect(tool!._meta).to.deep.equal({ ui: { resourceUri: URI }, 'ui/resourceUri': URI });
    const [content] = (await client.readResource(URI)).contents;
    expect(content).to.have.property('text').that.contains('"name":"count"');

    await runtime.setAccess(client, { read: [`note:///${note.id}`] });
    expect((await client.callTool('count')).content).to.deep.equal([{ type: 'text', text: '1' }]);
    await failureOf(client.readResource(URI));
    await runtime.setAccess(client, { read: ['file:///', 'ui://test/'] });
    expect(await client.callTool('count')).to.deep.include({
      isError: true,
      content: [{ type: 'text', text: 'There is nothing to count.' }],
    });
    await client.readResource(URI);
    await client.close();
  });

  it('is hidden from a client of the page that does not say it shows apps', async () => {
    await runtime.addFeature(scriptOf(COUNT));
    const client = await runtime.connect();
    const tool = (await client.listTools()).tools.find(({ name }) => name === 'count');
    expect(tool!._meta).to.deep.equal({});
    await failureOf(client.readResource(URI));
    await client.close();
  });

  it('is added once, however often it is given, and beside others', async () => {
    const [first, second] = [scriptOf(COUNT), scriptOf(COUNT.replaceAll('count', 'second'))];
    const all = [first, new URL(first), second].map((one) => runtime.addFeature(one));
    await Promise.all(all);
    await runtime.addFeature(first);
    expect(await toolNames()).to.include.members(['count', 'second']);
  });

  it('is there again on the next worker, before calls that wait for it', async () => {
    await runtime.addFeature(scriptOf(COUNT));
    const restarted = nextEvent(runtime, 'restart');
    workers.kill();
    expect(await toolNames()).to.include('count');
    await restarted;
    expect(workers.made).to.have.length(2);
  });

  it('is reported if the next worker cannot load it, and does not hold up the others', async () => {
    const script = scriptOf(COUNT.replaceAll('count', 'lost'));
    await runtime.addFeature(script);
    await runtime.addFeature(scriptOf(COUNT));
    URL.revokeObjectURL(script);
    const failed = nextEvent(runtime, 'error');
    workers.kill();
    expect((await failed).message).to.contain(`The feature ${script} could not be loaded`);
    expect(await toolNames())
      .to.include('count')
      .and.not.include('lost');
  });

  it('fails in words: no file, nothing left, an exception in the script or of its function', async () => {
    const missing = new URL('/test/no-feature.js', location.href).href;
    expect(await messageOf('/test/no-feature.js')).to.contain(
      `The feature ${missing} could not be loaded: `,
    );
    const empty = scriptOf('export const a = 1;');
    expect(await messageOf(empty)).to.equal(
      `The script ${empty} leaves no function under "inpage-mcp: feature".`,
    );
    const broken = scriptOf('throw new Error("Not today.");');
    expect(await messageOf(broken)).to.equal(
      `The feature ${broken} could not be loaded: Not today.`,
    );
    const failing = scriptOf(`
      globalThis['inpage-mcp: feature'] = async ({ addTool }) => {
        addTool({ name: 'early', run: () => '' });
        addTool({ name: 'create_note', run: () => '' });
      };
    `);
    const taken = `The feature ${failing} could not be added: The name create_note exists already in tools.`;
    expect(await messageOf(failing)).to.equal(taken);
    // Its function is known, so that it is called again.
    expect(await messageOf(failing)).to.equal(taken);
    expect(await toolNames()).not.to.include('early');
    const noAddress = await failureOf(runtime.addFeature('http://'));
    expect(noAddress).to.be.instanceOf(TypeError);
  });
});
