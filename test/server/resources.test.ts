import { expect } from '@esm-bundle/chai';
import { MAX_INLINE_BYTES, PAGE_SIZES } from '@inpage-mcp/server';
import { deleteDatabase, putRecords } from '../support/database.js';
import { itInAll } from '../support/it-in-all.js';
import { openLinkedServer, useLinkedServer } from '../support/linked-server.js';
import type { RawClient } from '../support/raw-client.js';
import { errorOf, resultOf, type Answer } from '../support/revisions.js';

const MISSING_ID = '01ARZ3NDEKTSV4RRFFQ69G5FAV';

type Listed = { uri: string; name: string; title: string; mimeType: string; size: number };

describe('resources', () => {
  const linked = useLinkedServer();
  let client: RawClient;
  const request = (method: string, params = {}): Promise<Answer> => client.modern(method, params);

  beforeEach(() => {
    client = linked.connectRaw();
  });

  const list = async (cursor?: string): Promise<{ resources: Listed[]; nextCursor?: string }> =>
    resultOf(await request('resources/list', cursor === undefined ? {} : { cursor })) as never;

  it('lists notes newest first, then files by path, with their metadata', async () => {
    const { notes, files } = linked.server.store;
    const older = await notes.create({ title: 'Older', text: 'ä' });
    const newer = await notes.create({ title: '', text: '' });
    const file = await files.write('b/c d.png', new Blob(['12345'], { type: 'image/png' }));
    const { resources, nextCursor } = await list();
    expect(nextCursor).to.equal(undefined);
    expect(resources).to.deep.equal([
      {
        uri: `note:///${newer.id}`,
        name: newer.id,
        title: 'Untitled note',
        mimeType: 'text/markdown',
        size: 0,
        annotations: { lastModified: new Date(newer.updatedAt).toISOString() },
      },
      {
        uri: `note:///${older.id}`,
        name: 'Older',
        title: 'Older',
        description: 'ä',
        mimeType: 'text/markdown',
        size: 2,
        annotations: { lastModified: new Date(older.updatedAt).toISOString() },
      },
      {
        uri: 'file:///b/',
        name: 'b/',
        title: 'b/',
        description: 'Folder',
        mimeType: 'inode/directory',
      },
      {
        uri: 'file:///b/c%20d.png',
        name: 'c d.png',
        title: 'b/c d.png',
        description: 'Image (image/png)',
        mimeType: 'image/png',
        size: 5,
        annotations: { lastModified: new Date(file.updatedAt).toISOString() },
      },
    ]);
  });

  it('lists nothing where there is nothing', async () => {
    expect((await list()).resources).to.deep.equal([]);
  });

  it('reads code of any language as text', async () => {
    for (const name of ['a.ts', 'a.rs', 'a.yml', 'a.toml', 'a.jsonl', 'a.sql', 'Dockerfile']) {
      const blob = new Blob(['code'], { type: 'application/x-own' });
      await linked.server.store.files.write(name, blob);
      const result = resultOf(await request('resources/read', { uri: `file:///${name}` }));
      expect(result['contents'], name).to.have.nested.property('[0].text', 'code');
    }
  });

  it('reads text in another encoding as text, and says which, certain or not', async () => {
    const encodingOf = async (name: string, bytes: number[]): Promise<unknown> => {
      await linked.server.store.files.write(name, new Blob([Uint8Array.from(bytes)]));
      const result = resultOf(await request('resources/read', { uri: `file:///${name}` }));
      const [{ text, blob, _meta }] = result['contents'] as [
        { text?: string; blob?: string; _meta: { [name: string]: unknown } },
      ];
      return [text ?? blob, _meta['io.github.inpage-mcp/encoding']];
    };
    const utf16 = await encodingOf('a.txt', [0xff, 0xfe, 0x41, 0, 0xe9, 0]);
    expect(utf16).to.deep.equal(['Aé', { name: 'utf-16le', isGuess: false }]);
    const legacy = await encodingOf('a.csv', [0x63, 0x61, 0x66, 0xe9]);
    expect(legacy).to.deep.equal(['café', { name: 'windows-1252', isGuess: true }]);
    expect(await encodingOf('b.txt', [0x63, 0, 0xff])).to.deep.equal(['YwD/', undefined]);
  });

  it('reads text as text, also with a byte order mark', async () => {
    const { notes, files } = linked.server.store;
    const note = await notes.create({ title: 'a', text: '# Ünï\r\n' });
    const file = await files.write('a.json', new Blob(['\ufeff{"a":1}']));
    const read = async (uri: string): Promise<unknown> =>
      resultOf(await request('resources/read', { uri }))['contents'];
    const uri = `note:///${note.id}`;
    const updated = (at: number) => ({ lastModified: new Date(at).toISOString() });
    expect(await read(uri)).to.deep.equal([
      {
        uri,
        mimeType: 'text/markdown',
        text: '# Ünï\r\n',
        _meta: {
          'io.github.inpage-mcp/resource': {
            title: 'a',
            description: 'Ünï',
            size: 9,
            annotations: updated(note.updatedAt),
            revision: 1,
          },
        },
      },
    ]);
    expect(await read('file:///a.json')).to.deep.equal([
      {
        uri: 'file:///a.json',
        mimeType: 'application/json',
        text: '\ufeff{"a":1}',
        _meta: {
          'io.github.inpage-mcp/resource': {
            title: 'a.json',
            description: 'JSON data (application/json)',
            size: 10,
            annotations: updated(file.updatedAt),
            revision: 1,
          },
        },
      },
    ]);
  });

  it('reads bytes as base64, also those of a text that is none', async () => {
    const bytes = Uint8Array.from({ length: 1000 }, (_, index) => index % 256);
    await linked.server.store.files.write('a.bin', new Blob([bytes]));
    await linked.server.store.files.write('bad.txt', new Blob([bytes]));
    for (const uri of ['file:///a.bin', 'file:///bad.txt']) {
      const [contents] = resultOf(await request('resources/read', { uri }))['contents'] as [
        { blob: string },
      ];
      expect(contents).not.to.have.property('text');
      expect([...atob(contents.blob)].map((c) => c.charCodeAt(0))).to.deep.equal([...bytes]);
    }
  });

  itInAll('reads the largest file that fits inline, and refuses one byte more', async () => {
    const { files } = linked.server.store;
    await files.write('fits', new Blob([new Uint8Array(MAX_INLINE_BYTES)]));
    await files.write('big', new Blob([new Uint8Array(MAX_INLINE_BYTES + 1)]));
    const fits = resultOf(await request('resources/read', { uri: 'file:///fits' }));
    const [{ blob }] = fits['contents'] as [{ blob: string }];
    expect(blob.length).to.equal(Math.ceil(MAX_INLINE_BYTES / 3) * 4);
    const error = errorOf(await request('resources/read', { uri: 'file:///big' }));
    expect(error.code).to.equal(-32603);
    expect(error.message).to.contain(String(MAX_INLINE_BYTES));
  });

  it('answers a missing resource with the code of its era and the uri', async () => {
    const legacy = linked.connectRaw();
    await legacy.initialize();
    for (const uri of [`note:///${MISSING_ID}`, 'file:///no%20such', 'https://a.b/', '..', '']) {
      const missing = { message: 'Resource not found', data: { uri } };
      const error = errorOf(await request('resources/read', { uri }));
      expect(error).to.deep.equal({ code: -32602, ...missing });
      const before = errorOf(await legacy.request('resources/read', { uri }));
      expect(before).to.deep.equal({ code: -32002, ...missing });
    }
  });

  it('answers bad params with their code and no dump', async () => {
    const bad: [method: string, params: object, message: RegExp][] = [
      ['resources/read', {}, /^Invalid params: uri: expected string, received undefined/],
      ['resources/read', { uri: 5 }, /^Invalid params: uri: /],
      ['resources/list', { cursor: {} }, /^Invalid params: cursor: /],
    ];
    for (const [method, params, message] of bad) {
      const error = errorOf(await request(method, params));
      expect(error.code).to.equal(-32602);
      expect(error.message).to.match(message).and.not.contain('\n');
    }
  });

  it('offers the templates of its uris', async () => {
    const { resourceTemplates } = resultOf(await request('resources/templates/list')) as {
      resourceTemplates: { uriTemplate: string }[];
    };
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).to.deep.equal([
      'note:///{id}',
      'note:///search{?q}',
      'file:///{+path}',
      'file:///{+folder}/',
    ]);
  });

  it('refuses a cursor that it did not make', async () => {
    const json = (value: unknown): string => btoa(JSON.stringify(value)).replace(/=+$/, '');
    const made = [
      '',
      'x',
      'äöü',
      '!!!!',
      btoa('[1,"notes"]'),
      json(null),
      json({}),
      json([]),
      json(['notes']),
      json([0, 'notes']),
      json([1.5, 'notes']),
      json([1, 'nobody']),
      json([1, '__proto__']),
      json([1, 'notes', 5]),
      json([1, 'notes', 'no-ulid']),
      json([1, 'notes', MISSING_ID, 'more']),
      'A'.repeat(100_000),
    ];
    for (const cursor of made) {
      expect(errorOf(await request('resources/list', { cursor })).code).to.equal(-32602);
    }
  });

  it('pages through everything once, in growing pages, across notes and files', async () => {
    const { notes } = linked.server.store;
    const uris: string[] = [];
    const created = await notes.createAll(
      Array.from({ length: 230 }, () => ({ title: 'n', text: '' })),
    );
    uris.push(...created.map(({ id }) => `note:///${id}`).toReversed());
    const paths = Array.from({ length: 1_000 }, (_, index) => `f${String(index).padStart(4, '0')}`);
    const times = { createdAt: 1, updatedAt: 1, revision: 1 };
    const records = paths.map((path) => ({ path, mediaType: 'text/plain', size: 0, ...times }));
    await putRecords(linked.databaseName, 'files', records);
    uris.push(...paths.map((path) => `file:///${path}`));
    const pages: Listed[][] = [];
    let cursor: string | undefined;
    do {
      const page = await list(cursor);
      pages.push(page.resources);
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect(pages.flat().map(({ uri }) => uri)).to.deep.equal(uris);
    expect(pages.map(({ length }) => length)).to.deep.equal([PAGE_SIZES[0], PAGE_SIZES[1], 30]);
  });

  it('keeps its place when resources come and go between pages', async () => {
    const { notes } = linked.server.store;
    const created = await notes.createAll(
      Array.from({ length: 250 }, (_, index) => ({ title: `${index}`, text: '' })),
    );
    const first = await list();
    await notes.create({ title: 'new', text: '' });
    await notes.delete(created[50]!.id);
    await notes.delete(created[49]!.id);
    await notes.delete(created[200]!.id);
    const second = await list(first.nextCursor);
    expect(second.resources.map(({ title }) => title)).to.deep.equal(
      Array.from({ length: 49 }, (_, index) => `${48 - index}`),
    );
  });
});

describe('results of the modern era', () => {
  it('say how long they hold and for whom', async () => {
    const linked = await openLinkedServer();
    const client = linked.connectRaw();
    const { id } = await linked.server.store.notes.create({ title: '', text: '' });
    const answers = [
      await client.modern('server/discover'),
      await client.modern('resources/list'),
      await client.modern('resources/templates/list'),
      await client.modern('resources/read', { uri: `note:///${id}` }),
    ];
    for (const answer of answers) {
      expect(resultOf(answer)).to.include({ resultType: 'complete', cacheScope: 'private' });
      expect(resultOf(answer)['ttlMs']).to.equal(0);
    }
    await linked.server.close();
    await deleteDatabase(linked.databaseName);
  });
});
