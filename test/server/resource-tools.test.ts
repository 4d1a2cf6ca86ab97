import type { CallToolResult } from '@modelcontextprotocol/client';
import { expect } from '@esm-bundle/chai';
import { MAX_INLINE_BYTES, PAGE_SIZES } from '@inpage-mcp/server';
import { useLinkedServer } from '../support/linked-server.js';
import { toolsOf, type ToolCaller } from '../support/tool-caller.js';

interface Listed {
  resources: { uri: string }[];
  nextCursor?: string;
}

interface Read {
  contents: { range?: { offset: number; length: number; size: number } }[];
}

/** The text from a byte of its UTF-8 on. */
const tailFrom = (text: string, start: number): string =>
  new TextDecoder().decode(new TextEncoder().encode(text).subarray(start));

describe('tools for clients that know no resources', () => {
  const linked = useLinkedServer();
  let tools: ToolCaller;

  beforeEach(() => {
    tools = toolsOf(linked);
  });

  const read = (uri: string): Promise<CallToolResult> => tools.call('read_resource', { uri });

  it('list what resources/list lists, once as data and once as text', async () => {
    const { notes, files } = linked.server.store;
    await notes.create({ title: '', text: '' });
    await notes.create({ title: 'Shopping', text: 'Milk', priority: 1 });
    await files.write('a/b.png', new Blob(['12345']));
    const answer = await tools.request('resources/list');
    const listed = 'result' in answer ? (answer.result['resources'] as Listed['resources']) : [];
    expect(listed.length).to.be.above(2);
    const { content, structuredContent } = await tools.call('list_resources');
    const keys = ['uri', 'name', 'title', 'description', 'mimeType', 'size'];
    const known = listed.map((resource) =>
      Object.fromEntries(Object.entries(resource).filter(([key]) => keys.includes(key))),
    );
    expect(structuredContent).to.deep.equal({ resources: known });
    expect(content).to.deep.equal([{ type: 'text', text: JSON.stringify(structuredContent) }]);
  });

  it('list page after page, each once', async () => {
    const { notes } = linked.server.store;
    const [size = 0] = PAGE_SIZES;
    const numbers = Array.from({ length: size + 1 }, (_, index) => index);
    await notes.createAll(numbers.map((n) => ({ title: `${n}`, text: '' })));
    const first = await tools.data<Listed>('list_resources');
    expect(first.resources).to.have.length(size);
    const cursor = first.nextCursor;
    const second = await tools.data<Listed>('list_resources', { cursor });
    expect(second).not.to.have.property('nextCursor');
    const uris = [...first.resources, ...second.resources].map(({ uri }) => uri);
    expect(new Set(uris).size).to.equal(size + 1);
  });

  it('refuse a cursor that was not given out, and say what to do', async () => {
    const message = await tools.failure('list_resources', { cursor: 'x' });
    expect(message).to.equal('Invalid cursor: start again without one.');
    const long = await tools.failure('list_resources', { cursor: 'x'.repeat(16_385) });
    expect(long).to.match(/cursor: .*16384/);
  });

  it('read text as text', async () => {
    const { notes, files } = linked.server.store;
    const { id } = await notes.create({ title: 'a', text: '# Ünï' });
    await files.write('a.svg', new Blob(['<svg/>']));
    const uri = `note:///${id}`;
    const note = await read(uri);
    expect(note.content).to.deep.equal([{ type: 'text', text: '# Ünï' }]);
    expect(note.structuredContent).to.deep.equal({
      contents: [{ uri, mimeType: 'text/markdown', kind: 'text', size: 7, revision: 1 }],
    });
    expect((await read('file:///a.svg')).content).to.deep.equal([{ type: 'text', text: '<svg/>' }]);
  });

  for (const mimeType of ['image/png', 'image/jpeg', 'image/gif', 'image/webp']) {
    it(`read ${mimeType} as an image`, async () => {
      await linked.server.store.files.write('a', new Blob(['1234'], { type: mimeType }));
      const { content, structuredContent } = await read('file:///a');
      expect(content).to.deep.equal([{ type: 'image', data: 'MTIzNA==', mimeType }]);
      const contents = [{ uri: 'file:///a', mimeType, kind: 'image', size: 4, revision: 1 }];
      expect(structuredContent).to.deep.equal({ contents });
    });
  }

  it('read audio as audio', async () => {
    await linked.server.store.files.write('a.mp3', new Blob(['123']));
    const { content, structuredContent } = await read('file:///a.mp3');
    expect(content).to.deep.equal([{ type: 'audio', data: 'MTIz', mimeType: 'audio/mpeg' }]);
    const [{ kind, size } = {}] = (structuredContent as { contents: { [key: string]: unknown }[] })
      .contents;
    expect({ kind, size }).to.deep.equal({ kind: 'audio', size: 3 });
  });

  it('read anything else as a resource with its bytes', async () => {
    const { files } = linked.server.store;
    await files.write('a.pdf', new Blob(['123']));
    await files.write('b.bmp', new Blob(['123'], { type: 'image/bmp' }));
    for (const [uri, mimeType] of [
      ['file:///a.pdf', 'application/pdf'],
      ['file:///b.bmp', 'image/bmp'],
    ] as const) {
      const { content, structuredContent } = await read(uri);
      expect(content).to.have.length(1);
      const [block] = content;
      expect(block?.type).to.equal('resource');
      const resource = block?.type === 'resource' ? block.resource : undefined;
      expect(resource).to.include({ uri, mimeType, blob: 'MTIz' });
      const contents = [{ uri, mimeType, kind: 'blob', size: 3, revision: 1 }];
      expect(structuredContent).to.deep.equal({ contents });
    }
  });

  it('read the several contents of a folder after a list of them', async () => {
    const { files } = linked.server.store;
    await files.write('a/1.txt', new Blob(['one']));
    await files.write('a/2.png', new Blob(['two']));
    const { content, structuredContent } = await read('file:///a/');
    expect(structuredContent).to.deep.equal({
      contents: [
        { uri: 'file:///a/1.txt', mimeType: 'text/plain', kind: 'text', size: 3, revision: 1 },
        { uri: 'file:///a/2.png', mimeType: 'image/png', kind: 'image', size: 3, revision: 1 },
      ],
    });
    expect(content).to.deep.equal([
      { type: 'text', text: JSON.stringify(structuredContent) },
      { type: 'text', text: 'one' },
      { type: 'image', data: 'dHdv', mimeType: 'image/png' },
    ]);
  });

  it('name the resource that is missing, in part when it is long', async () => {
    expect(await tools.failure('read_resource', { uri: 'file:///no' })).to.equal(
      'There is no resource "file:///no". Find the uri with list_resources.',
    );
    const long = await tools.failure('read_resource', { uri: `x:${'y'.repeat(2_046)}` });
    expect(long).to.match(/^There is no resource "x:y+…"/);
    expect(long.length).to.be.below(300);
    const longer = await tools.failure('read_resource', { uri: 'y'.repeat(2_049) });
    expect(longer).to.match(/uri: .*2048/);
  });

  it('say when a file is too large to be read', async () => {
    await linked.server.store.files.write('a', new Blob([new Uint8Array(MAX_INLINE_BYTES + 1)]));
    const message = await tools.failure('read_resource', { uri: 'file:///a' });
    expect(message).to.contain(`${MAX_INLINE_BYTES + 1} bytes; at most ${MAX_INLINE_BYTES}`);
    expect(message).to.contain('pass offset');
    const { contents } = await tools.data<Read>('read_resource', { uri: 'file:///a', length: 5 });
    expect(contents[0]!.range).to.deep.equal({ offset: 0, length: 5, size: MAX_INLINE_BYTES + 1 });
  });

  it('read a text in parts of whole characters, which together are the text', async () => {
    const text = 'aé漢😀\n'.repeat(50);
    const { id } = await linked.server.store.notes.create({ title: '', text });
    const uri = `note:///${id}`;
    for (const length of [5, 6, 7, 64, 10_000]) {
      let whole = '';
      for (let offset = 0, size = 1; offset < size;) {
        const { content, structuredContent } = await tools.call('read_resource', {
          uri,
          offset,
          length,
        });
        const { range } = (structuredContent as unknown as Read).contents[0]!;
        whole += (content[0] as { text: string }).text;
        expect(range!.offset).to.equal(offset);
        expect(range!.length).to.be.above(0);
        [offset, size] = [range!.offset + range!.length, range!.size];
      }
      expect(whole === text, `${length}`).to.equal(true);
    }
    // Within a character, the part begins with the next one.
    const { contents } = await tools.data<Read>('read_resource', { uri, offset: 2, length: 4 });
    expect(contents[0]!.range).to.include({ offset: 3, length: 3 });
  });

  it('read a whole character where a part is to be shorter, from every byte on', async () => {
    const text = 'aé漢😀';
    const { id } = await linked.server.store.notes.create({ title: '', text });
    const uri = `note:///${id}`;
    for (const length of [1, 2, 3, 4])
      for (let from = 0; from < 10; from += 1) {
        let [whole, offset, size] = ['', from, 10];
        while (offset < size) {
          const { content, structuredContent } = await tools.call('read_resource', {
            uri,
            offset,
            length,
          });
          const { range } = (structuredContent as unknown as Read).contents[0]!;
          whole += (content[0] as { text: string }).text;
          expect(range!.offset + range!.length, 'the next part').to.be.above(offset);
          [offset, size] = [range!.offset + range!.length, range!.size];
        }
        const rest = [0, 1, 3, 3, 6, 6, 6, 10, 10, 10].map((start) => tailFrom(text, start));
        expect(whole, `${length} from ${from}`).to.equal(rest[from]);
      }
  });

  it('lose no byte of a text in another encoding than its type says', async () => {
    // In Latin-1: "a", and 300 times "©", which is a byte within a character of UTF-8.
    const latin = Uint8Array.from({ length: 301 }, (_, index) => (index === 0 ? 0x61 : 0xa9));
    await linked.server.store.files.write('latin.txt', new Blob([latin, 'b'.repeat(99)]));
    const parts: number[] = [];
    for (let offset = 0; offset < 400;) {
      const { contents } = await tools.data<Read>('read_resource', {
        uri: 'file:///latin.txt',
        offset,
        length: 50,
      });
      const { range } = contents[0]!;
      parts.push(range!.offset - offset);
      offset = range!.offset + range!.length;
    }
    expect(parts).to.deep.equal(parts.map(() => 0));
  });

  it('read what is no text in parts of bytes, and say what no part is', async () => {
    const { files } = linked.server.store;
    await files.write('a.bin', new Blob([new Uint8Array([1, 2, 255, 4])]));
    await files.write('x/y.txt', new Blob(['y']));
    const uri = 'file:///a.bin';
    const { content } = await tools.call('read_resource', { uri, offset: 1, length: 2 });
    expect(content).to.deep.include({
      type: 'resource',
      resource: { uri, mimeType: 'application/octet-stream', blob: 'Av8=' },
    });
    for (const [values, words] of [
      [{ uri, offset: 4 }, 'at or after the end'],
      [{ uri: 'file:///x/', offset: 0 }, 'in ranges'],
      [{ uri: 'file:///none', offset: 0 }, 'There is no resource'],
      [{ uri, offset: -1 }, 'offset'],
      [{ uri, length: 0 }, 'length'],
      [{ uri, length: 1_048_577 }, 'length'],
    ] as const)
      expect(await tools.failure('read_resource', values)).to.contain(words);
    const longest = await tools.data<Read>('read_resource', { uri, length: 1_048_576 });
    expect(longest.contents[0]!.range).to.include({ length: 4 });
    await files.write('long.txt', new Blob(['x'.repeat(70_000)]));
    const part = await tools.data<Read>('read_resource', { uri: 'file:///long.txt', offset: 0 });
    expect(part.contents[0]!.range).to.deep.equal({ offset: 0, length: 65_536, size: 70_000 });
  });
});
