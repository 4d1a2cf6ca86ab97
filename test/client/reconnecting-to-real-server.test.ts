import { expect } from '@esm-bundle/chai';
import { connectClient, type McpClient } from '@inpage-mcp/client';
import { MessagePortTransport } from '@inpage-mcp/transport';
import { putRecords } from '../support/database.js';
import { useLinkedServer } from '../support/linked-server.js';
import { pending } from './scripted-servers.js';

describe('a client that reconnects to the real server', () => {
  const linked = useLinkedServer();
  let client: McpClient;
  let transports: MessagePortTransport[];
  /** What another connection waits for. */
  let gate: Promise<unknown>;

  beforeEach(async () => {
    transports = [];
    gate = Promise.resolve();
    client = await connectClient(async () => {
      await gate;
      const transport = new MessagePortTransport(linked.openPort());
      transports.push(transport);
      return transport;
    });
  });

  afterEach(async () => {
    await client.close();
  });

  /** To the client it is the same whichever end it was that closed. */
  const lose = async (): Promise<void> => {
    await transports.at(-1)!.close();
  };

  it('walks on through the pages', async () => {
    const paths = Array.from({ length: 450 }, (_, index) => `f${String(index).padStart(3, '0')}`);
    const times = { createdAt: 1, updatedAt: 1, revision: 1 };
    const records = paths.map((path) => ({ path, mediaType: 'text/plain', size: 0, ...times }));
    await putRecords(linked.databaseName, 'files', records);
    const names: string[] = [];
    for await (const page of client.resources()) {
      names.push(...page.map(({ name }) => name));
      await lose();
    }
    expect(names).to.deep.equal(paths);
    expect(transports.length).to.be.greaterThan(1);
  });

  it('writes once what it has to send twice, with a key', async () => {
    const args = { title: 'Shopping', text: 'Milk', idempotencyKey: crypto.randomUUID() };
    const call = client.callTool('create_note', args);
    await lose();
    expect((await call).structuredContent).to.include({ title: 'Shopping' });
    expect(await linked.server.store.notes.count()).to.equal(1);
    expect(transports).to.have.length(2);
  });

  it('is notified of each change after the loss, and once that there may have been one', async () => {
    const { notes } = linked.server.store;
    const { id } = await notes.create({ title: 'Shopping', text: 'Milk' });
    const calls: string[] = [];
    let called: (() => void) | undefined;
    const watch = (name: string): Promise<void> =>
      client.watch(`note:///${id}`, () => {
        calls.push(name);
        called?.();
      }).ready;
    const callsAre = async (expected: string[]): Promise<void> => {
      while (calls.length < expected.length)
        await new Promise<void>((resolve) => {
          called = resolve;
        });
      expect(calls.toSorted()).to.deep.equal(expected);
    };
    await Promise.all([watch('a'), watch('b')]);
    const missed = pending();
    gate = missed.promise;
    await lose();
    await notes.update(id, { text: 'Tea' });
    missed.resolve();
    await callsAre(['a', 'b']);
    await notes.update(id, { text: 'Milk, tea' });
    await callsAre(['a', 'a', 'b', 'b']);
    await client.listResources();
    expect(calls).to.have.length(4);
  });
});
