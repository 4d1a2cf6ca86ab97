import { blobContents, files, notes, runtimeResources } from '@inpage-mcp/server';
import { expect } from '@esm-bundle/chai';
import { BLOB_EXTENSION, bytesIn, ContentReader } from '../support/content-reader.js';
import { useLinkedServer } from '../support/linked-server.js';
import { MODERN_META } from '../support/raw-client.js';
import { errorOf, resultOf } from '../support/revisions.js';

const LIMIT = 100;
const PNG = { type: 'image/png' };

describe('the extension for Blobs', () => {
  let reader: ContentReader;
  const write = (path: string, content: BlobPart, options?: BlobPropertyBag): Promise<unknown> =>
    linked.server.store.files.write(path, new Blob([content], options));
  /** A provider of an app's own, with the ways in which it can give its contents. */
  const own = {
    name: 'own',
    templates: [],
    list: async () => ({ resources: [] }),
    async read(uri: string) {
      if (uri === 'own:handle') return [blobContents(uri, 'image/png', new Blob(['12345']))];
      if (uri === 'own:base64') return [{ uri, mimeType: 'image/png', blob: btoa('12345') }];
      if (uri === 'own:large') return [{ uri, blob: btoa('x'.repeat(LIMIT + 1)) }];
      if (uri === 'own:text') return [{ uri, text: 'x'.repeat(LIMIT + 1), _meta: { own: 1 } }];
      return undefined;
    },
    listen: () => () => undefined,
  };

  const providers = [notes(), files(), runtimeResources(), own];
  const linked = useLinkedServer({ providers });
  beforeEach(async () => {
    linked.server.setLimits({ page: { inlineBytes: LIMIT } });
    reader = await ContentReader.connect(linked, 'with the extension');
  });

  it('is declared in the modern era only', async () => {
    const [modern, legacy] = [linked.connectRaw(), linked.connectRaw()];
    const discovered = resultOf(await modern.modern('server/discover'));
    expect(discovered['capabilities']).to.deep.include({ extensions: { [BLOB_EXTENSION]: {} } });
    const initialized = resultOf(await legacy.initialize());
    expect(initialized['capabilities']).not.to.have.property('extensions');
  });

  it('gives what is not text as a handle, however small', async () => {
    await write('a.png', 'small', PNG);
    await write('bad.txt', Uint8Array.of(0xff, 0xfe, 0xff));
    const content = await reader.content('file:///a.png');
    const { handle, resource, ...rest } = content;
    expect(rest).to.deep.equal({ uri: 'file:///a.png', mimeType: 'image/png', blob: '' });
    expect(handle).to.be.instanceOf(Blob);
    expect(await handle!.text()).to.equal('small');
    expect(resource).to.include({ size: 5, revision: 1 });
    const bad = await reader.content('file:///bad.txt');
    expect(bad).to.include({ mimeType: 'text/plain', blob: '' });
    expect([...(await bytesIn(bad))]).to.deep.equal([0xff, 0xfe, 0xff]);
  });

  it('gives handles that have no type: behind an object URL they are no documents', async () => {
    const html = `<p>${'x'.repeat(LIMIT)}`;
    await write('a.html', html, { type: 'text/html' });
    linked.server.provided.add(
      { uri: 'app:svg', name: 'x' },
      (() => new Blob([html], { type: 'image/svg+xml' })) as never,
    );
    for (const uri of ['file:///a.html', 'app:svg']) {
      const { handle, mimeType } = await reader.content(uri);
      expect(handle).to.include({ type: '', size: html.length });
      expect(mimeType).to.match(/html|svg/);
    }
  });

  it('leaves text as it is up to the limit, and gives one byte more as a handle', async () => {
    const { store } = linked.server;
    const [fits, large] = ['ä'.repeat(LIMIT / 2), `${'ä'.repeat(LIMIT / 2)}a`];
    const uris = await Promise.all(
      [fits, large].map(async (text, index) => {
        const { id } = await store.notes.create({ title: 'a', text });
        await write(`${index}.txt`, text);
        linked.server.provided.add({ uri: `app:${index}`, name: 'x' }, (() => text) as never);
        return [`note:///${id}`, `file:///${index}.txt`, `app:${index}`];
      }),
    );
    for (const uri of uris[0]!) {
      const content = await reader.content(uri);
      expect(content, uri).to.include({ text: fits }).and.not.have.any.keys('blob', 'handle');
    }
    for (const uri of uris[1]!) {
      const content = await reader.content(uri);
      expect(content, uri).to.include({ blob: '' }).and.not.have.property('text');
      expect(await content.handle!.text()).to.equal(large);
      if (!uri.startsWith('app')) expect(content.resource).to.include({ size: LIMIT + 1 });
    }
  });

  it('reaches what a provider of an app’s own gives, in whatever form', async () => {
    for (const uri of ['own:handle', 'own:base64']) {
      const content = await reader.content(uri);
      expect(content, uri).to.include({ mimeType: 'image/png', blob: '' });
      expect(await content.handle!.text()).to.equal('12345');
    }
    const large = await reader.content('own:large');
    expect(large).to.include({ blob: '' }).and.not.have.property('mimeType');
    expect(large.handle!.size).to.equal(LIMIT + 1);
    const text = resultOf(
      await reader.client.request('resources/read', {
        uri: 'own:text',
        _meta: {
          ...MODERN_META,
          'io.modelcontextprotocol/clientCapabilities': { extensions: { [BLOB_EXTENSION]: {} } },
        },
      }),
    );
    expect(text['contents']).to.have.nested.property('[0]._meta.own', 1);
  });

  it('gives a large file by its handle, of which a part can be read', async () => {
    const [MIB, COUNT] = [1024 * 1024, 64];
    const pieces = Array.from({ length: COUNT }, (_, index) => new Uint8Array(MIB).fill(index));
    await linked.server.store.files.write('large.bin', new Blob(pieces));
    const { handle, blob, resource } = await reader.content('file:///large.bin');
    expect(blob).to.equal('');
    expect(handle).to.include({ size: COUNT * MIB });
    expect(resource).to.include({ size: COUNT * MIB });
    const part = await handle!.slice(41 * MIB - 1, 41 * MIB + 1).arrayBuffer();
    expect([...new Uint8Array(part)]).to.deep.equal([40, 41]);
  });

  it('gives the bytes of a moment: they stay when the file is written over and deleted', async () => {
    const { files: stored } = linked.server.store;
    await write('a.bin', Uint8Array.of(1, 2));
    const { handle } = await reader.content('file:///a.bin');
    await write('a.bin', Uint8Array.of(3));
    await stored.delete('a.bin');
    expect([...new Uint8Array(await handle!.arrayBuffer())]).to.deep.equal([1, 2]);
  });

  it('gives neither a handle nor a range of what is outside the access', async () => {
    await write('in/a.png', '12345', PNG);
    await write('out/a.png', '12345', PNG);
    reader = await ContentReader.connect(linked, 'with the extension', { read: ['file:///in/'] });
    expect((await reader.content('file:///in/a.png')).handle).to.include({ size: 5 });
    for (const range of [undefined, { offset: 0, length: 1 }, { offset: 5, length: 1 }]) {
      const outside = await reader.failure('file:///out/a.png', range);
      const missing = await reader.failure('file:///out/b.png', range);
      expect(outside).to.deep.equal({ ...missing, data: { uri: 'file:///out/a.png' } });
    }
  });

  it('counts only what is inline of a folder', async () => {
    await write('f/1.txt', 'a'.repeat(LIMIT));
    await write('f/2.png', 'b'.repeat(5 * LIMIT), PNG);
    await write('f/3.txt', 'c');
    await write('f/4.txt', 'd'.repeat(LIMIT + 1));
    const contents = await reader.contents('file:///f/');
    expect(contents.map(({ uri }) => uri)).to.deep.equal([
      'file:///f/1.txt',
      'file:///f/2.png',
      'file:///f/4.txt',
      'file:///f/',
    ]);
    expect(contents.map(({ handle }) => handle?.size)).to.deep.equal([
      undefined,
      5 * LIMIT,
      LIMIT + 1,
      undefined,
    ]);
    expect(contents[0]!.text).to.have.length(LIMIT);
    expect(contents[3]!.text).to.contain('file:///f/3.txt').and.not.contain('2.png');
  });

  for (const kind of ['without it', 'of the legacy era'] as const) {
    describe(`for a client ${kind}`, () => {
      beforeEach(async () => {
        reader = await ContentReader.connect(linked, kind);
      });

      it('gives base64 up to the limit, and an error that names the ways round it', async () => {
        await write('fits', 'x'.repeat(LIMIT), PNG);
        await write('large', 'x'.repeat(LIMIT + 1), PNG);
        await write('large.txt', 'x'.repeat(LIMIT + 1));
        const { id } = await linked.server.store.notes.create({
          title: 'a',
          text: 'x'.repeat(LIMIT + 1),
        });
        const fits = await reader.content('file:///fits');
        expect(fits)
          .to.include({ blob: btoa('x'.repeat(LIMIT)) })
          .and.not.have.property('handle');
        const uris = ['file:///large', 'file:///large.txt', `note:///${id}`, 'own:large'];
        for (const uri of [...uris, 'own:text']) {
          const { code, message, data } = await reader.failure(uri);
          expect(code, uri).to.equal(-32603);
          expect(data).to.deep.equal({ uri, size: LIMIT + 1, limit: LIMIT });
          expect(message)
            .to.contain(`has ${LIMIT + 1} bytes; at most ${LIMIT} `)
            .and.contain('io.github.inpage-mcp/range')
            .and.contain(BLOB_EXTENSION);
        }
      });

      it('encodes what a provider of an app’s own gives as a Blob', async () => {
        const content = await reader.content('own:handle');
        expect(content).to.deep.equal({
          uri: 'own:handle',
          mimeType: 'image/png',
          blob: btoa('12345'),
        });
      });

      it('leaves out of a folder what is too large', async () => {
        await write('f/a', 'x'.repeat(LIMIT), PNG);
        await write('f/b', 'x'.repeat(LIMIT + 1), PNG);
        const contents = await reader.contents('file:///f/');
        expect(contents.map(({ uri }) => uri)).to.deep.equal(['file:///f/a', 'file:///f/']);
        expect(contents[1]!.text).to.contain(`${LIMIT} bytes`).and.contain('file:///f/b');
      });
    });
  }

  it('never reaches tools and prompts', async () => {
    await write('a.png', '12345', PNG);
    await write('large.png', 'x'.repeat(LIMIT + 1), PNG);
    const meta = {
      ...MODERN_META,
      'io.modelcontextprotocol/clientCapabilities': { extensions: { [BLOB_EXTENSION]: {} } },
    };
    const ask = (method: string, name: string, args: object) =>
      reader.client.request(method, { name, arguments: args, _meta: meta });
    const read = async (uri: string) => resultOf(await ask('tools/call', 'read_resource', { uri }));
    expect((await read('file:///a.png'))['content']).to.deep.equal([
      { type: 'image', data: btoa('12345'), mimeType: 'image/png' },
    ]);
    const large = await read('file:///large.png');
    expect(large).to.include({ isError: true });
    expect(large).to.have.nested.property('content[0].text').that.contains(`at most ${LIMIT}`);
    const describe = (path: string) => ask('prompts/get', 'describe_image', { path });
    const messages = resultOf(await describe('a.png'))['messages'];
    expect(messages)
      .to.have.nested.property('[1].content')
      .that.includes({
        type: 'image',
        data: btoa('12345'),
      });
    const error = errorOf(await describe('large.png'));
    expect(error).to.deep.nested.include({ code: -32603, 'data.limit': LIMIT });
  });
});
