import { expect } from '@esm-bundle/chai';
import { RuntimeError, startRuntime, type Runtime, type RuntimeOptions } from '@inpage-mcp/runtime';
import { deleteDatabase, freshDatabaseName } from '../support/database.js';
import { soon } from '../support/within.js';
import { failureOf } from '../support/failure.js';
import { RawClient } from '../support/raw-client.js';
import { answeringWorker } from './mortal-workers.js';

describe('the runtime', () => {
  let databaseName: string;
  let runtime: Runtime;

  beforeEach(async () => {
    databaseName = freshDatabaseName();
    runtime = await startRuntime({ databaseName });
  });

  afterEach(async () => {
    await runtime.close();
    await deleteDatabase(databaseName);
  });

  it('keeps notes for the page', async () => {
    const note = await runtime.notes.create({ title: 'a', text: 'b', tags: ['c'] });
    expect(await runtime.notes.get(note.id)).to.deep.equal(note);
    const updated = await runtime.notes.update(note.id, { text: 'd' }, { expectedRevision: 1 });
    expect(updated).to.include({ text: 'd', revision: 2 });
    expect((await runtime.notes.list()).notes.map(({ id }) => id)).to.deep.equal([note.id]);
    await runtime.notes.delete(note.id);
    expect((await runtime.notes.list()).notes).to.deep.equal([]);
  });

  it('adds to notes, and deletes only the revision that is expected', async () => {
    const { id } = await runtime.notes.create({ title: 'a', text: 'b' });
    expect(await runtime.notes.append(id, 'c')).to.include({ text: 'b\nc', revision: 2 });
    const stale = runtime.notes.delete(id, { expectedRevision: 1 });
    expect(await failureOf(stale)).to.include({ code: 'conflict' });
    await runtime.notes.delete(id, { expectedRevision: 2 });
    await runtime.files.write('a', new Blob(['b']));
    const none = runtime.files.delete('a', { expectedRevision: 2 });
    expect(await failureOf(none)).to.include({ code: 'conflict' });
  });

  it('refuses an update that holds what belongs into its options', async () => {
    const { id } = await runtime.notes.create({ title: 'a', text: 'b' });
    await runtime.files.write('a', new Blob(['b']));
    for (const name of ['expectedRevision', 'idempotencyKey', 'signal']) {
      const update = { [name]: undefined };
      const calls = [runtime.notes.update(id, update), runtime.files.update('a', update)];
      for (const error of await Promise.all(calls.map(failureOf))) {
        expect(error).to.include({ code: 'invalid-argument' });
        expect((error as Error).message).to.contain(`${name} is an option`);
      }
    }
    expect(await runtime.notes.get(id)).to.include({ revision: 1 });
  });

  it('keeps files for the page, handed over as they are', async () => {
    const bytes = crypto.getRandomValues(new Uint8Array(50_000));
    const written = await runtime.files.write('a/b.bin', new File([bytes], 'x'));
    const { file, blob } = await runtime.files.read('a/b.bin');
    expect(file).to.deep.equal(written);
    expect([...new Uint8Array(await blob.arrayBuffer())]).to.deep.equal([...bytes]);
    expect((await runtime.files.list()).files).to.deep.equal([written]);
    await runtime.files.delete('a/b.bin');
    expect((await runtime.files.list()).files).to.deep.equal([]);
  });

  it('says of notes and files whom they are meant for, and how much they matter', async () => {
    const about = { audience: ['assistant' as const], priority: 0.5 };
    const note = await runtime.notes.create({ title: 'a', text: '', ...about });
    await runtime.files.write('b', new Blob(['x']), { mediaType: 'text/x-b', ...about });
    const client = await runtime.connect();
    const { resources } = await client.listResources();
    for (const resource of resources.slice(0, 2)) {
      expect(resource.annotations).to.deep.include(about);
    }
    expect(resources[1]).to.include({ mimeType: 'text/x-b' });
    expect(await runtime.files.update('b', { priority: 1 })).to.include({ priority: 1, size: 1 });
    const silent = await runtime.notes.update(note.id, { audience: null, priority: null });
    expect(silent).not.to.have.any.keys('audience', 'priority');
  });

  it('rejects with the code and words of the store', async () => {
    const { id } = await runtime.notes.create({ title: 'a', text: 'b' });
    const conflict = await failureOf(
      runtime.notes.update(id, { text: 'c' }, { expectedRevision: 7 }),
    );
    expect(conflict).to.be.instanceOf(RuntimeError).and.include({ code: 'conflict' });
    expect((conflict as Error).message).to.contain('revision 1, not 7');
    expect(await failureOf(runtime.files.read('x'))).to.include({ code: 'not-found' });
    const bad = [
      runtime.files.write('..', new Blob([])),
      runtime.notes.create({ title: 'a', text: (() => 'b') as never }),
    ];
    for (const error of await Promise.all(bad.map(failureOf))) {
      expect(error).to.be.instanceOf(RuntimeError).and.include({ code: 'invalid-argument' });
    }
  });

  it('hands out clients and ports, each a connection of its own', async () => {
    const client = await runtime.connect({ clientInfo: { name: 'test', version: '1' } });
    const raw = new RawClient(await runtime.openPort());
    await runtime.notes.create({ title: 'a', text: 'b' });
    const listed = ['a', 'storage', 'activity'];
    const { resources } = await client.listResources();
    expect(resources.map(({ name }) => name)).to.deep.equal(listed);
    expect(await raw.modern('resources/list')).to.have.nested.property(
      'result.resources.length',
      listed.length,
    );
    await client.close();
    expect(await raw.modern('resources/list')).to.have.property('result');
  });

  it('searches notes and moves files', async () => {
    const note = await runtime.notes.create({ title: 'Bread', text: 'flour', tags: ['kitchen'] });
    const { matches, total } = await runtime.notes.search('flour bread', { tag: 'kitchen' });
    expect(matches.map((match) => match.note.id)).to.deep.equal([note.id]);
    expect(total).to.equal(1);
    await runtime.files.write('a', new Blob(['x']));
    expect(await runtime.files.move('a', 'b/c')).to.include({ path: 'b/c', revision: 2 });
    await runtime.files.write('a', new Blob(['y']));
    expect(await failureOf(runtime.files.move('a', 'b/c'))).to.include({ code: 'conflict' });
    const { files } = await runtime.files.list({ folder: 'b' });
    expect(files.map(({ path }) => path)).to.deep.equal(['b/c']);
  });

  it('provides resources of the page’s own, read on the page each time', async () => {
    const client = await runtime.connect();
    let selection = 'first';
    const provided = await runtime.provide({
      uri: 'app://selection',
      name: 'selection',
      read: () => selection,
    });
    const read = async (): Promise<unknown> =>
      (await client.readResource('app://selection')).contents;
    const contents = { uri: 'app://selection', mimeType: 'text/plain' };
    expect(await read()).to.deep.equal([{ ...contents, text: 'first' }]);
    const updatedUri = new Promise<string>((resolve) => {
      void client.watch('app://selection', resolve).ready.then(() => {
        selection = 'second';
        void provided.changed();
      });
    });
    expect(await updatedUri).to.equal('app://selection');
    expect(await read()).to.deep.equal([{ ...contents, text: 'second' }]);
    const taken = runtime.provide({ uri: 'app://selection', name: 'x', read: () => '' });
    expect(await failureOf(taken))
      .to.be.instanceOf(RuntimeError)
      .and.include({
        code: 'invalid-argument',
      });
    await provided.remove();
    await provided.remove();
    expect(await failureOf(read())).to.include({ code: -32602 });
    const again = await runtime.provide({
      uri: 'app://selection',
      name: 'x',
      read: async () => new Blob(['third'], { type: 'text/plain' }),
    });
    // The handle of the first has no say over the second.
    await provided.remove();
    expect(await read()).to.deep.equal([{ ...contents, text: 'third' }]);
    await runtime.close();
    await again.changed();
    await again.remove();
  });

  it('asks the page before a tool writes, for connections that may only ask', async () => {
    const asked: unknown[] = [];
    let answer: unknown = true;
    const asking = await startRuntime({
      databaseName,
      confirm: (request) => {
        asked.push(request);
        if (answer === 'throw') throw new Error('no');
        return answer as boolean;
      },
    });
    const { id } = await runtime.notes.create({ title: 'Mine', text: '' });
    // A guest would be left in peace after three noes.
    const raw = new RawClient(await asking.openPort({ access: { write: 'ask' }, heldBy: 'page' }));
    const remove = async (): Promise<unknown> =>
      await raw.modern('tools/call', { name: 'delete_note', arguments: { id } });
    for (answer of [false, 'throw', undefined, 'yes']) {
      expect(await remove()).to.have.nested.property('result.isError', true);
    }
    expect((await runtime.notes.get(id)).title).to.equal('Mine');
    answer = true;
    expect(await remove()).not.to.have.nested.property('result.isError');
    expect(await failureOf(runtime.notes.get(id))).to.include({ code: 'not-found' });
    expect(asked).to.have.length(5);
    expect(asked[0]).to.have.property('tool', 'delete_note');
    expect(asked[0]).to.have.property('message').that.contains('Mine');
    await asking.close();
  });

  it('notifies runtimes of other tabs', async () => {
    const other = await startRuntime({ databaseName });
    const client = await other.connect();
    let changed!: () => void;
    const notification = new Promise<void>((resolve) => {
      changed = resolve;
    });
    await client.watchList(changed).ready;
    await runtime.notes.create({ title: 'a', text: 'b' });
    await notification;
    expect((await client.listResources()).resources[0]).to.include({ name: 'a' });
    await other.close();
  });
});

describe('a worker that cannot start', () => {
  const start = async (
    worker: Worker | (() => Worker),
    options: RuntimeOptions = {},
  ): Promise<RuntimeError> => {
    const databaseName = freshDatabaseName();
    const starting = failureOf(startRuntime({ worker, databaseName, ...options }));
    const error = await soon('the start has failed', starting);
    expect(error).to.be.instanceOf(RuntimeError).and.include({ code: 'worker-failed' });
    return error as RuntimeError;
  };
  const blobUrl = (script: string): string =>
    URL.createObjectURL(new Blob([script], { type: 'text/javascript' }));

  it('rejects when its script is missing, naming the likely causes', async () => {
    const error = await start(() => new Worker('/no-such-worker.js', { type: 'module' }));
    expect(error.message).to.contain('could not be loaded').and.not.contain('worker-src');
    expect(error.hint).to.contain('worker-src');
  });

  it('prints the hint, which a browser does not print of an error that nobody catches', async () => {
    const { warn } = console;
    const printed: string[] = [];
    console.warn = (text: string) => void printed.push(text);
    try {
      const error = await start(() => new Worker('/no-such-worker.js', { type: 'module' }));
      expect(printed).to.deep.equal([`inpage-mcp: ${error.hint}`]);
    } finally {
      console.warn = warn;
    }
  });

  it('rejects when a content security policy forbids workers, and names it', async () => {
    const frame = document.createElement('iframe');
    frame.src = '/test/fixtures/no-workers.html';
    const failure = new Promise<unknown>((resolve) => {
      window.addEventListener('message', function onMessage({ source, data }) {
        if (source !== frame.contentWindow) return;
        window.removeEventListener('message', onMessage);
        resolve(data);
      });
    });
    document.body.append(frame);
    expect(await failure).to.have.property('code', 'worker-failed');
    expect(await failure)
      .to.have.property('hint')
      .that.contains('worker-src');
    frame.remove();
  });

  it('rejects when its script throws', async () => {
    const error = await start(() => new Worker(blobUrl('throw new Error("at load")')));
    expect(error.message).to.contain('at load');
    expect(error.hint).to.equal(undefined);
  });

  it('rejects when it dies before it has started', async () => {
    const worker = answeringWorker('() => undefined', false);
    const error = await start(() => worker, {
      // It is asked to live, and watched, from then on.
      onProgress: ({ state }) => state === 'opening' && worker.terminate(),
    });
    expect(error.message).to.contain('died while it started').and.not.contain('replaced');
  });

  it('rejects when the browser refuses to make it', async () => {
    let refusal = '';
    const error = await start(() => {
      try {
        return new Worker('https://other.example/worker.js');
      } catch (thrown) {
        refusal = (thrown as Error).message;
        throw thrown;
      }
    });
    expect(error.message).not.to.contain('other.example');
    expect(error.hint).to.contain('worker-src');
    // In Chromium that names the address; Firefox makes one that has an `error` event without a word.
    expect(error.hint).to.contain(refusal);
  });

  it('refuses what is no worker', async () => {
    for (const worker of ['/worker.js', null, new MessageChannel().port1]) {
      const error = await failureOf(startRuntime({ worker: worker as never }));
      expect(error).to.be.instanceOf(TypeError);
      expect((error as Error).message).to.contain('must be a Worker');
    }
  });

  it('rejects when its function returns something else, and says what it must return', async () => {
    const { port1 } = new MessageChannel();
    for (const made of [undefined, null, '/worker.js', Promise.resolve(), {}, port1]) {
      const error = await start(() => made as never);
      expect(error.message).to.contain('could not be created');
      expect(error.hint).to.contain('must return a Worker');
    }
  });

  it('rejects with the reason of the signal', async () => {
    const controller = new AbortController();
    const worker = (): Worker => new Worker(blobUrl('onmessage = () => {}'));
    const starting = failureOf(startRuntime({ worker, signal: controller.signal }));
    controller.abort(new Error('enough'));
    // And not with what the worker, which never answers, would fail with.
    expect(await starting).to.include({ message: 'enough' });
    const { signal } = controller;
    expect(await failureOf(startRuntime({ worker, signal }))).to.include({ message: 'enough' });
  });

  it('rejects with the code of the store when the database is of a newer version', async () => {
    const databaseName = freshDatabaseName();
    await new Promise<void>((resolve) => {
      const request = indexedDB.open(databaseName, 1000);
      request.onsuccess = () => {
        request.result.close();
        resolve();
      };
    });
    expect(await failureOf(startRuntime({ databaseName }))).to.include({ code: 'newer-version' });
    await deleteDatabase(databaseName);
  });
});
