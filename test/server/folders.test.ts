import { MAX_GATHERED, MAX_GATHERED_BYTES } from '@inpage-mcp/server';
import { expect } from '@esm-bundle/chai';
import { countingTransactions, deleteRecord, putRecords } from '../support/database.js';
import { useLinkedClient } from '../support/linked-server.js';

const META_KEY = 'io.github.inpage-mcp/resource';

describe('folders', () => {
  const setup = useLinkedClient();
  const write = (path: string, content: BlobPart = 'x'): Promise<unknown> =>
    setup.linked.server.store.files.write(path, new Blob([content]));
  const read = async (uri: string) => (await setup.client.readResource(uri)).contents;
  const listed = async (): Promise<string[]> => {
    const uris: string[] = [];
    for await (const page of setup.client.resources()) uris.push(...page.map(({ uri }) => uri));
    return uris;
  };

  it('are listed once each, before the first file that is in them', async () => {
    for (const path of ['a', 'a-b', 'a/b', 'a/c/d/e', 'a/c/f', 'b/g', 'ä b/h']) await write(path);
    expect(await listed()).to.deep.equal([
      'file:///a',
      'file:///a-b',
      'file:///a/',
      'file:///a/b',
      'file:///a/c/',
      'file:///a/c/d/',
      'file:///a/c/d/e',
      'file:///a/c/f',
      'file:///b/',
      'file:///b/g',
      'file:///%C3%A4%20b/',
      'file:///%C3%A4%20b/h',
    ]);
  });

  it('say that they are folders', async () => {
    await write('photos/summer/cat.png');
    const { resources } = await setup.client.listResources();
    expect(resources[1]).to.deep.equal({
      uri: 'file:///photos/summer/',
      name: 'summer/',
      title: 'photos/summer/',
      description: 'Folder',
      mimeType: 'inode/directory',
    });
  });

  it('are listed once also where a page ends between them and their files', async () => {
    // The first page has 200 entries: its last ones are the folders of the file that is next.
    const times = { createdAt: 1, updatedAt: 1, revision: 1 };
    const others = Array.from({ length: 198 }, (_, index) => `a${index}`);
    const records = others.map((path) => ({ path, mediaType: 'text/plain', size: 1, ...times }));
    await putRecords(setup.linked.databaseName, 'files', records);
    await write('b/c/d/e');
    const first = await setup.client.listResources();
    expect(first.resources.slice(-2).map(({ uri }) => uri)).to.deep.equal([
      'file:///b/',
      'file:///b/c/',
    ]);
    const second = await setup.client.listResources({ cursor: first.nextCursor });
    expect(second.resources.map(({ uri }) => uri)).to.deep.equal([
      'file:///b/c/d/',
      'file:///b/c/d/e',
    ]);
    expect(second.nextCursor).to.equal(undefined);
  });

  it('give all files in them and in the folders inside, each with what the list says', async () => {
    await write('docs/b/c.txt', 'deep');
    await write('docs/a.txt', 'flat');
    await write('docs2/x.txt');
    const contents = await read('file:///docs/');
    expect(contents.map((content) => [content.uri, (content as { text: string }).text]))
      .to.deep //
      .equal([
        ['file:///docs/a.txt', 'flat'],
        ['file:///docs/b/c.txt', 'deep'],
      ]);
    expect(contents[0]!._meta?.[META_KEY]).to.deep.include({
      title: 'docs/a.txt',
      description: 'Text (text/plain)',
      size: 4,
    });
  });

  it('give at most the documented number of files, and say what was left out', async () => {
    const paths = Array.from({ length: MAX_GATHERED }, (_, index) => `f/${1000 + index}.txt`);
    await Promise.all(paths.map((path) => write(path)));
    expect(await read('file:///f/')).to.have.length(MAX_GATHERED);
    await write('f/2000.txt');
    const contents = await read('file:///f/');
    expect(contents).to.have.length(MAX_GATHERED + 1);
    expect(contents.at(-1)).to.deep.include({ uri: 'file:///f/', mimeType: 'text/plain' });
    expect((contents.at(-1) as { text: string }).text).to.match(/^Left out: 1 /);
  });

  it('give at most the documented number of bytes, and name what was left out', async () => {
    await write('f/a.txt', 'x'.repeat(MAX_GATHERED_BYTES - 10));
    await write('f/b.txt', 'x'.repeat(10));
    const whole = (await read('file:///f/')).map(({ uri }) => uri);
    expect(whole).to.deep.equal(['file:///f/a.txt', 'file:///f/b.txt']);
    await write('f/b.txt', 'x'.repeat(11));
    await write('f/c.txt', 'x');
    const contents = await read('file:///f/');
    expect(contents.map(({ uri }) => uri)).to.deep.equal([
      'file:///f/a.txt',
      'file:///f/c.txt',
      'file:///f/',
    ]);
    const { text } = contents.at(-1) as { text: string };
    expect(text).to.contain('- file:///f/b.txt (11 bytes)');
  });

  it('are read in two transactions, however many files are in them', async () => {
    const paths = Array.from({ length: MAX_GATHERED }, (_, index) => `f/${1000 + index}.txt`);
    await Promise.all(paths.map((path) => write(path)));
    expect(await countingTransactions(() => read('file:///f/'), 'files')).to.equal(2);
  });

  it('leave out a file whose bytes are lost', async () => {
    for (const path of ['f/a', 'f/b', 'f/c']) await write(path);
    await deleteRecord(setup.linked.databaseName, 'file-bytes', 'f/b');
    expect((await read('file:///f/')).map(({ uri }) => uri)).to.deep.equal([
      'file:///f/a',
      'file:///f/c',
    ]);
  });

  it('are not found when no file is in them, or spelled otherwise', async () => {
    await write('a b/c');
    for (const uri of ['file:///x/', 'file:///a b/', 'file:///a%20b//', 'file:///', 'file:////']) {
      const error = await setup.client.readResource(uri).catch((reason: unknown) => reason);
      expect(error, uri).to.include({ code: -32602, message: 'Resource not found' });
    }
  });

  it('notify their subscribers of every file that is in them', async () => {
    const received: string[] = [];
    const uris = ['file:///c/', 'file:///a/', 'file:///a/b/', 'file:///a/b/c'];
    const all = new Promise<void>((resolve) => {
      const receive = (uri: string): void => {
        received.push(uri);
        if (received.length === 3) resolve();
      };
      for (const uri of uris) setup.client.watch(uri, receive);
    });
    await setup.client.watchList(() => undefined).ready;
    await write('other');
    await write('a/b/c');
    await all;
    expect(received).to.have.members(['file:///a/', 'file:///a/b/', 'file:///a/b/c']);
  });
});
