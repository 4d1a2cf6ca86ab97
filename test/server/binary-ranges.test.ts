import { files, notes, runtimeResources } from '@inpage-mcp/server';
import { expect } from '@esm-bundle/chai';
import { bytesIn, ContentReader, type ReaderKind } from '../support/content-reader.js';
import { deleteDatabase, freshDatabaseName } from '../support/database.js';
import { openLinkedServer, type LinkedServer } from '../support/linked-server.js';

const LIMIT = 100;
const SIZE = 250;
const BYTES = Uint8Array.from({ length: SIZE }, (_, index) => index);

const KINDS: ReaderKind[] = ['with the extension', 'without it', 'of the legacy era'];

for (const kind of KINDS) {
  describe(`ranges for a client ${kind}`, () => {
    const takesHandles = kind === 'with the extension';
    let linked: LinkedServer;
    let reader: ContentReader;

    beforeEach(async () => {
      const own = {
        name: 'own',
        templates: [],
        list: async () => ({ resources: [] }),
        async read(uri: string) {
          if (uri === 'own:base64') return [{ uri, blob: btoa('12345') }];
          if (uri === 'own:two')
            return [
              { uri, text: '1' },
              { uri, text: '2' },
            ];
          if (uri === 'own:other') return [{ uri: 'own:it', text: '1' }];
          return uri === 'own:none' ? [] : undefined;
        },
        listen: () => () => undefined,
      };
      const providers = [notes(), files(), runtimeResources(), own];
      linked = await openLinkedServer(freshDatabaseName(), { providers });
      linked.server.setLimits({ page: { inlineBytes: LIMIT } });
      reader = await ContentReader.connect(linked, kind);
      await linked.server.store.files.write('a.bin', new Blob([BYTES]));
    });

    afterEach(async () => {
      await linked.server.close();
      await deleteDatabase(linked.databaseName);
    });

    const expectRange = async (uri: string, range: object, expected: object, bytes: Uint8Array) => {
      const content = await reader.range(uri, range);
      expect(content.range, uri).to.deep.equal(expected);
      expect(content).not.to.have.property('text');
      expect(content.handle instanceof Blob).to.equal(takesHandles);
      expect(content.blob === '').to.equal(takesHandles);
      expect([...(await bytesIn(content))]).to.deep.equal([...bytes]);
      return content;
    };

    it('are read at the start, in the middle and at the end, which cuts them', async () => {
      const cases = [
        [0, 1, 1],
        [0, LIMIT, LIMIT],
        [17, 30, 30],
        [SIZE - 1, 1, 1],
        [SIZE - 1, 2, 1],
        [SIZE - LIMIT, Number.MAX_SAFE_INTEGER, LIMIT],
      ] as const;
      for (const [offset, asked, length] of cases) {
        const content = await expectRange(
          'file:///a.bin',
          { offset, length: asked },
          { offset, length, size: SIZE },
          BYTES.slice(offset, offset + length),
        );
        expect(content).to.include({
          uri: 'file:///a.bin',
          mimeType: 'application/octet-stream',
        });
        expect(content.resource).to.include({ size: SIZE, revision: 1 });
      }
    });

    it('put a file together piece by piece, and report when it has become another', async () => {
      const pieces: Uint8Array[] = [];
      for (let offset = 0; offset < SIZE; offset += LIMIT) {
        const piece = await reader.range('file:///a.bin', { offset, length: LIMIT });
        expect(piece.resource!.revision).to.equal(1);
        pieces.push(await bytesIn(piece));
      }
      expect(pieces.flatMap((piece) => [...piece])).to.deep.equal([...BYTES]);
      await linked.server.store.files.write('a.bin', new Blob([BYTES, BYTES]));
      const piece = await reader.range('file:///a.bin', { offset: 0, length: 1 });
      expect(piece.resource!.revision).to.equal(2);
      expect(piece.range).to.include({ size: 2 * SIZE });
    });

    it('that begin at the end or behind it are an error that names the size', async () => {
      await linked.server.store.files.write('empty', new Blob([]));
      const cases: [uri: string, offset: number, size: number][] = [
        ['file:///a.bin', SIZE, SIZE],
        ['file:///a.bin', Number.MAX_SAFE_INTEGER, SIZE],
        ['file:///empty', 1, 0],
      ];
      for (const [uri, offset, size] of cases) {
        const { code, data } = await reader.failure(uri, { offset, length: 1 });
        expect(code).to.equal(-32602);
        expect(data).to.deep.equal({ uri, size });
      }
    });

    it('that begin at the beginning of an empty resource are empty, and no error', async () => {
      await linked.server.store.files.write('empty', new Blob([]));
      const piece = await reader.range('file:///empty', { offset: 0, length: 10 });
      expect(await bytesIn(piece)).to.have.length(0);
      expect(piece.range).to.include({ offset: 0, size: 0 });
    });

    it('that are none are an error, whatever they are of', async () => {
      const malformed: unknown[] = [
        null,
        5,
        '0-1',
        [],
        [0, 1],
        {},
        { offset: 0 },
        { length: 1 },
        { offset: -1, length: 1 },
        { offset: 0, length: 0 },
        { offset: 0, length: -1 },
        { offset: 0.5, length: 1 },
        { offset: 0, length: 1.5 },
        { offset: '0', length: '1' },
        { offset: null, length: null },
        { offset: 2 ** 53, length: 1 },
        { offset: 0, length: 2 ** 53 },
      ];
      for (const range of malformed) {
        const { code, message } = await reader.failure('file:///a.bin', range);
        expect(code, JSON.stringify(range)).to.equal(-32602);
        expect(message).to.contain('io.github.inpage-mcp/range');
      }
    });

    it('are of the UTF-8 of a text: of a note, a file, a string of the page', async () => {
      const text = 'aäb'.repeat(SIZE);
      const { id } = await linked.server.store.notes.create({ title: 'n', text });
      await linked.server.store.files.write('a.txt', new Blob([text]));
      linked.server.provided.add({ uri: 'app:text', name: 'x' }, (() => text) as never);
      // In the middle of a character.
      const bytes = new TextEncoder().encode(text);
      for (const uri of [`note:///${id}`, 'file:///a.txt', 'app:text']) {
        const range = { offset: 2, length: 4 };
        const expected = { ...range, size: bytes.length };
        await expectRange(uri, range, expected, bytes.slice(2, 6));
      }
    });

    it('are of what the page provides as a Blob, and of what a provider has in base64', async () => {
      const blob = new Blob([BYTES], { type: 'image/png' });
      linked.server.provided.add({ uri: 'app:blob', name: 'x' }, (() => blob) as never);
      const range = { offset: 240, length: 20 };
      const expected = { offset: 240, length: 10, size: SIZE };
      const content = await expectRange('app:blob', range, expected, BYTES.slice(240));
      expect(content.mimeType).to.equal('image/png');
      const digits = Uint8Array.of(0x32, 0x33);
      await expectRange(
        'own:base64',
        { offset: 1, length: 2 },
        { offset: 1, length: 2, size: 5 },
        digits,
      );
    });

    it('are of one content only, and not of several', async () => {
      await linked.server.store.files.write('f/a', new Blob(['a']));
      await linked.server.store.files.write('g/a', new Blob(['a']));
      await linked.server.store.files.write('g/b', new Blob(['b']));
      await linked.server.store.notes.create({ title: 'milk', text: '' });
      const uris = ['file:///f/', 'file:///g/', 'note:///search?q=milk'];
      for (const uri of [...uris, 'own:two', 'own:other', 'own:none']) {
        const { code, message } = await reader.failure(uri, { offset: 0, length: 1 });
        expect(code, uri).to.equal(-32602);
        expect(message).to.match(/one content/);
      }
    });

    it('of what is not there are not found', async () => {
      const { code, message } = await reader.failure('file:///none', { offset: 0, length: 1 });
      expect(code).to.equal(kind === 'of the legacy era' ? -32002 : -32602);
      expect(message).to.equal('Resource not found');
    });

    it('are no larger than a message can be, except by a handle', async () => {
      const range = { offset: 0, length: LIMIT + 1 };
      if (takesHandles) {
        await expectRange(
          'file:///a.bin',
          range,
          { ...range, size: SIZE },
          BYTES.slice(0, LIMIT + 1),
        );
        return;
      }
      const { code, data } = await reader.failure('file:///a.bin', range);
      expect(code).to.equal(-32603);
      expect(data).to.deep.equal({ uri: 'file:///a.bin', size: LIMIT + 1, limit: LIMIT });
    });

    it('read no other bytes of a file of 256 KiB or more', async () => {
      await linked.server.store.files.write('large.bin', new Blob([new Uint8Array(256 * 1024)]));
      const reads: number[] = [];
      const { arrayBuffer } = Blob.prototype;
      Blob.prototype.arrayBuffer = function counting() {
        reads.push(this.size);
        return arrayBuffer.call(this);
      };
      try {
        await reader.range('file:///large.bin', { offset: 10, length: 20 });
      } finally {
        Blob.prototype.arrayBuffer = arrayBuffer;
      }
      expect(reads).to.deep.equal(takesHandles ? [] : [20]);
    });
  });
}
