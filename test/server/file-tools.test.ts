import { expect } from '@esm-bundle/chai';
import { failureOf } from '../support/failure.js';
import { useLinkedServer } from '../support/linked-server.js';
import { toolsOf, type ToolCaller } from '../support/tool-caller.js';

const linked = useLinkedServer();

describe('tools that write files', () => {
  let tools: ToolCaller;

  beforeEach(() => {
    tools = toolsOf(linked);
  });

  it('save text and answer with the record and a link', async () => {
    const { content, structuredContent } = await tools.call('save_file', {
      path: 'a b/ü.md',
      text: '# ü\r\n',
      audience: ['assistant'],
      priority: 0.5,
    });
    const { file, blob } = await linked.server.store.files.read('a b/ü.md');
    expect(await blob.text()).to.equal('# ü\r\n');
    const uri = 'file:///a%20b/%C3%BC.md';
    const lastModified = new Date(file.updatedAt).toISOString();
    expect(structuredContent).to.deep.equal({
      path: 'a b/ü.md',
      uri,
      mediaType: 'text/markdown',
      size: 6,
      revision: 1,
      updatedAt: lastModified,
    });
    const [text, link, ...rest] = content;
    expect(text).to.deep.equal({ type: 'text', text: JSON.stringify(structuredContent) });
    expect(link).to.deep.include({ type: 'resource_link', uri, name: 'ü.md', size: 6 });
    const annotations = { audience: ['assistant'], priority: 0.5, lastModified };
    expect(link?.annotations).to.deep.equal(annotations);
    expect(rest).to.deep.equal([]);
  });

  it('save the bytes of base64, over a file that is there', async () => {
    const { files } = linked.server.store;
    await files.write('a.bin', new Blob(['old']), { priority: 1 });
    const args = { path: 'file:///a.bin', base64: 'AP/+', mediaType: 'Image/PNG' };
    const saved = await tools.data('save_file', { ...args, expectedRevision: 1 });
    expect(saved).to.include({ path: 'a.bin', mediaType: 'image/png', size: 3, revision: 2 });
    const { file, blob } = await files.read('a.bin');
    expect([...new Uint8Array(await blob.arrayBuffer())]).to.deep.equal([0, 255, 254]);
    expect(file.priority).to.equal(1);
  });

  it('move a file', async () => {
    const { files } = linked.server.store;
    await files.write('a.txt', new Blob(['a']));
    const args = { from: 'a.txt', to: 'file:///b/c%20d.txt', expectedRevision: 1 };
    const { content, structuredContent } = await tools.call('move_file', args);
    const uri = 'file:///b/c%20d.txt';
    const moved = { from: 'a.txt', path: 'b/c d.txt', uri, mediaType: 'text/plain', size: 1 };
    expect(structuredContent).to.deep.include({ ...moved, revision: 2 });
    expect(content[1]).to.deep.include({ type: 'resource_link', uri });
    expect((await files.list()).files.map(({ path }) => path)).to.deep.equal(['b/c d.txt']);
  });

  it('delete a file', async () => {
    const { files } = linked.server.store;
    await files.write('a.txt', new Blob(['a']));
    const { content, structuredContent } = await tools.call('delete_file', { path: 'a.txt' });
    const deleted = { path: 'a.txt', uri: 'file:///a.txt', deleted: true };
    expect(structuredContent).to.deep.equal(deleted);
    expect(content).to.have.length(1);
    expect(await failureOf(files.get('a.txt'))).to.include({ code: 'not-found' });
  });
});

describe('tools that write files', () => {
  let tools: ToolCaller;

  beforeEach(() => {
    tools = toolsOf(linked);
  });

  it('refuse a revision that is no longer the current one, and write nothing', async () => {
    const { files } = linked.server.store;
    await files.write('a', new Blob(['1']));
    await files.write('a', new Blob(['2']));
    for (const [name, args] of [
      ['save_file', { path: 'a', text: '3', expectedRevision: 1 }],
      ['move_file', { from: 'a', to: 'b', expectedRevision: 1 }],
      ['delete_file', { path: 'a', expectedRevision: 1 }],
    ] as const) {
      const message = await tools.failure(name, args);
      expect(message).to.equal('The file "a" has revision 2, not 1: read it again.');
    }
    const exists = { path: 'a', text: '3', expectedRevision: 0 };
    expect(await tools.failure('save_file', exists)).to.contain('has revision 2, not 0');
    expect(await (await files.read('a')).blob.text()).to.equal('2');
    expect(await files.count()).to.equal(1);
  });

  it('move over another file only when asked to', async () => {
    const { files } = linked.server.store;
    await files.write('a', new Blob(['1']));
    await files.write('b', new Blob(['2']));
    const message = await tools.failure('move_file', { from: 'a', to: 'b' });
    expect(message).to.contain('A file "b" already exists');
    await tools.call('move_file', { from: 'a', to: 'b', overwrite: true });
    expect(await (await files.read('b')).blob.text()).to.equal('1');
    expect(await files.count()).to.equal(1);
  });

  it('say which file is missing and how to find it', async () => {
    for (const path of ['a/b', 'file:///a/b']) {
      for (const [name, args] of [
        ['move_file', { from: path, to: 'c' }],
        ['delete_file', { path }],
      ] as const) {
        const message = await tools.failure(name, args);
        expect(message).to.equal(
          'There is no file "a/b". Find the file with search_files or in the list of resources.',
        );
      }
    }
  });

  it('refuse what cannot be a path or is not a uri of a file', async () => {
    for (const [path, message] of [
      ['/a', /single slashes/],
      ['a/../b', /single slashes/],
      ['a/', /single slashes/],
      ['file:///a b', /"file:\/\/\/a b" is not the uri of a file: percent-encode/],
      ['file:///a/', /not the uri of a file/],
      ['file:///a/../b', /not the uri of a file/],
      ['x'.repeat(641), /641 bytes; at most 640/],
      ['x'.repeat(2_049), /path: .*2048/],
      ['', /path: /],
    ] as const) {
      expect(await tools.failure('save_file', { path, text: '' })).to.match(message);
    }
    await tools.call('save_file', { path: 'x'.repeat(640), text: '' });
    expect(await linked.server.store.files.count()).to.equal(1);
    const same = await tools.failure('move_file', { from: 'a', to: 'file:///a' });
    expect(same).to.contain('cannot be moved to where it is');
  });

  it('do once what is repeated with the same idempotency key', async () => {
    const { files } = linked.server.store;
    const twice = async (name: string, args: object): Promise<unknown> => {
      const call = { ...args, idempotencyKey: `of-${name}` };
      const first = await tools.data(name, call);
      expect(await tools.data(name, call)).to.deep.equal(first);
      return first;
    };
    expect(await twice('save_file', { path: 'a', text: 't' })).to.include({ revision: 1 });
    expect((await files.get('a')).revision).to.equal(1);
    expect(await twice('move_file', { from: 'a', to: 'b' })).to.include({ revision: 2 });
    expect((await files.get('b')).revision).to.equal(2);
    await twice('delete_file', { path: 'b' });
    expect(await files.count()).to.equal(0);
    const other = { path: 'c', text: 't', idempotencyKey: 'of-save_file' };
    expect(await tools.failure('save_file', other)).to.contain('used for another write');
  });

  it('write nothing and answer nothing once they are cancelled', async () => {
    const { files } = linked.server.store;
    await files.write('a', new Blob(['1']));
    for (const [name, args] of [
      ['move_file', { from: 'a', to: 'b' }],
      ['delete_file', { path: 'a' }],
    ] as const) {
      const requestId = await tools.postCancelled(linked.databaseName, name, args);
      // Writes wait for each other: when this one is done, so is the one before.
      await tools.call('save_file', { path: 'c', text: '' });
      expect(tools.hasAnswered(requestId), name).to.be.false;
    }
    expect((await files.list()).files.map(({ path }) => path)).to.deep.equal(['a', 'c']);
  });
});
