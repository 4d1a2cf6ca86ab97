import { expect } from '@esm-bundle/chai';
import type { McpClient } from '@inpage-mcp/client';
import { RuntimeError, startRuntime, type Access, type Runtime } from '@inpage-mcp/runtime';
import { deleteDatabase, freshDatabaseName } from '../support/database.js';
import { failureOf } from '../support/failure.js';
import { stateOf } from '../support/framework-state.js';

/** How an app passes its state. */
const WAYS: { [way: string]: <Value extends object>(value: Value) => Value } = {
  'as it is': stateOf,
  'within an object or a list': (value) =>
    (Array.isArray(value) ? [...stateOf(value)] : { ...stateOf(value) }) as typeof value,
};

const READ_NOTES: Access = { read: ['note:///'], tools: ['search_notes'] };

for (const [way, pass] of Object.entries(WAYS)) {
  describe(`the state of a framework, passed ${way},`, () => {
    let databaseName: string;
    let runtime: Runtime;
    let client: McpClient;

    beforeEach(async () => {
      databaseName = freshDatabaseName();
      runtime = await startRuntime(pass({ databaseName, limits: { page: { subscriptions: 50 } } }));
      client = await runtime.connect();
    });

    afterEach(async () => {
      await runtime.close();
      await deleteDatabase(databaseName);
    });

    it('can be notes, files and their options', async () => {
      const { notes, files } = runtime;
      const note = await notes.create(pass({ title: 'a', text: 'b', tags: ['c'] }));
      expect(note.tags).to.deep.equal(['c']);
      const [other] = await notes.createAll(pass([{ title: 'd', text: 'e', tags: ['f'] }]));
      expect(other!.tags).to.deep.equal(['f']);
      const changed = await notes.update(
        note.id,
        pass({ tags: ['g'] }),
        pass({ expectedRevision: 1 }),
      );
      expect(changed.tags).to.deep.equal(['g']);
      expect((await notes.list(pass({ limit: 1 }))).notes).to.have.length(1);
      const about = { audience: ['assistant' as const], priority: 0.5 };
      const file = await files.write('a', new Blob(['b']), pass(about));
      expect(file).to.deep.include(about);
      const updated = await files.update('a', pass({ audience: ['user'] }));
      expect(updated.audience).to.deep.equal(['user']);
    });

    it('can be an access and the options of a connection', async () => {
      const uris = async (one: McpClient): Promise<string[]> =>
        (await one.listResources()).resources.map(({ uri }) => uri);
      const { id } = await runtime.notes.create({ title: 'a', text: 'b' });
      await runtime.files.write('a', new Blob(['b']));
      const other = await runtime.connect(pass({ access: READ_NOTES }));
      expect(await uris(other)).to.deep.equal([`note:///${id}`]);
      await runtime.setAccess(other, pass({ read: ['file:///'] }));
      expect(await uris(other)).to.deep.equal(['file:///a']);
      const port = await runtime.openPort(pass({ access: READ_NOTES }));
      await runtime.setAccess(port, pass(READ_NOTES));
      const stop = await runtime.serveFrames(
        pass({ allowedOrigins: ['https://example.com'], access: READ_NOTES }),
      );
      stop();
      const desktop = await runtime.serveDesktop(pass({ access: READ_NOTES }));
      desktop.stop();
    });

    it('can describe and be the content of a resource', async () => {
      const provided = await runtime.provide(
        pass({
          uri: 'app:///state',
          name: 'state',
          annotations: { audience: ['user'] },
          read: () => 'a text',
        }),
      );
      const { resources } = await client.listResources();
      expect(resources[0]!.annotations).to.deep.equal({ audience: ['user'] });
      expect((await client.readResource('app:///state')).contents[0]).to.include({
        text: 'a text',
      });
      await provided.remove();
    });

    it('can be the arguments of a tool, a prompt and a completion', async () => {
      const args = pass({ title: 'a', text: 'b', tags: ['c'] });
      const { structuredContent } = await client.callTool('create_note', args);
      expect(structuredContent).to.have.property('title', 'a');
      const prompt = await client.getPrompt('answer_from_notes', pass({ question: 'a' }));
      expect(prompt.messages).not.to.be.empty;
      const ref = pass({ type: 'ref/prompt' as const, name: 'summarize_note' });
      const { values } = await client.complete(ref, pass({ name: 'note', value: '' }));
      expect(values).to.be.an('array');
    });

    it('is refused with the reason where it has what no message can have', async () => {
      const { notes } = runtime;
      const error = await failureOf(notes.create(pass({ title: () => 'a' }) as never));
      expect(error).to.be.instanceOf(RuntimeError).and.include({ code: 'invalid-argument' });
      expect((error as Error).message).to.match(/cannot be sent to the worker: .*clone/);
      const access = pass({ read: [() => true] }) as never;
      for (const call of [runtime.connect({ access }), runtime.openPort({ access })]) {
        expect(await failureOf(call)).to.include({ code: 'invalid-argument' });
      }
    });
  });
}
