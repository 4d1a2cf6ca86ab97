import { expect } from '@esm-bundle/chai';
import { CompleteResultSchema } from '@modelcontextprotocol/core';
import type { JsonRpcError, JsonRpcResult } from '@inpage-mcp/transport';
import { MAX_INLINE_BYTES } from '@inpage-mcp/server';
import { deleteDatabase, putRecords } from '../support/database.js';
import { openLinkedServer, useLinkedServer } from '../support/linked-server.js';
import { MODERN_META, type RawClient } from '../support/raw-client.js';
// The file is internal to the package and pure, so it is tested where it is.
import { completeFolderPaths } from '../../packages/server/src/resources/files/file-completions.js';
import { fileUri, folderUri } from '../../packages/server/src/resources/resource-uris.js';
import { leastTime } from '../support/slowness.js';

const MISSING_ID = '01ARZ3NDEKTSV4RRFFQ69G5FAV';
const NOTE = { type: 'ref/resource', uri: 'note:///{id}' };
const FILE = { type: 'ref/resource', uri: 'file:///{+path}' };
const SUMMARIZE = { type: 'ref/prompt', name: 'summarize_note' };
const COMPARE = { type: 'ref/prompt', name: 'compare_notes' };
const ANSWER = { type: 'ref/prompt', name: 'answer_from_notes' };
const DESCRIBE = { type: 'ref/prompt', name: 'describe_image' };

type Answer = JsonRpcResult | JsonRpcError;
type Reference = { [key: string]: string };
interface Completion {
  values: string[];
  total?: number | undefined;
  hasMore?: boolean | undefined;
}

const NOTHING: Completion = { values: [], total: 0, hasMore: false };

/** What fits on one answer. */
function whole(...values: string[]): Completion {
  return { values, total: values.length, hasMore: false };
}

/**
 * RFC 6570 section 3.2.1, for one variable with the operator `+`: what is unreserved, reserved or
 * an escape stays, everything else is escaped.
 */
function expand(value: string): string {
  const kept = /%[0-9A-Fa-f]{2}|[-\w.~:/?#[\]@!$&'()*+,;=]/;
  return value.replaceAll(/%[0-9A-Fa-f]{2}|[^]/gu, (part) =>
    kept.test(part) ? part : escapeBytes(part),
  );
}

function escapeBytes(character: string): string {
  const bytes = [...new TextEncoder().encode(character)];
  return bytes.map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');
}

describe('completions', () => {
  const linked = useLinkedServer();
  let client: RawClient;

  beforeEach(() => {
    client = linked.connectRaw();
  });

  const ask = (ref: Reference, name: string, value: unknown, chosen?: object): Promise<Answer> => {
    const params = {
      ref,
      argument: { name, value },
      ...(chosen && { context: { arguments: chosen } }),
    };
    const method = 'completion/complete';
    return client.modern(method, params);
  };

  const complete = async (...query: Parameters<typeof ask>): Promise<Completion> => {
    const answer = await ask(...query);
    expect(answer).to.have.property('result');
    const { values, total, hasMore } = CompleteResultSchema.parse(
      (answer as JsonRpcResult).result,
    ).completion;
    return { values, total, hasMore };
  };

  const refusal = async (...query: Parameters<typeof ask>): Promise<JsonRpcError['error']> => {
    const answer = await ask(...query);
    expect(answer).to.have.property('error');
    return (answer as JsonRpcError).error;
  };

  const create = (title: string, tags: string[] = []) =>
    linked.server.store.notes.create({ title, text: 'text', tags });

  /** The newest first. */
  const createMany = async (count: number, titleOf: (index: number) => string) => {
    const notes = Array.from({ length: count }, (_, index) => ({
      title: titleOf(index),
      text: 'text',
    }));
    return (await linked.server.store.notes.createAll(notes)).toReversed();
  };

  const write = (path: string, type = 'text/plain') =>
    linked.server.store.files.write(path, new Blob(['x'], { type }));

  describe('of a note of the template', () => {
    it('are the newest notes, as long as nothing is typed', async () => {
      expect(await complete(NOTE, 'id', '')).to.deep.equal(NOTHING);
      const [newest, older] = await createMany(2, () => 'n');
      expect(await complete(NOTE, 'id', '')).to.deep.equal(whole(newest!.id, older!.id));
      expect(await complete(NOTE, 'id', ' ')).to.deep.equal(whole(newest!.id, older!.id));
    });

    it('are at most 100, and say how many there are', async () => {
      const notes = await createMany(100, (index) => `note ${index}`);
      const ids = notes.map(({ id }) => id);
      for (const value of ['', 'NOTE', '0']) {
        expect(await complete(NOTE, 'id', value)).to.deep.equal(whole(...ids));
      }
      const more = (await createMany(50, (index) => `more notes ${index}`)).map(({ id }) => id);
      const first = [...more, ...ids].slice(0, 100);
      for (const value of ['', 'NOTE', '0']) {
        const expected = { values: first, total: 150, hasMore: true };
        expect(await complete(NOTE, 'id', value), value).to.deep.equal(expected);
      }
    });

    it('begin with what is typed, in the case of ids', async () => {
      const [newest, older] = await createMany(2, () => 'Zucchini');
      expect(await complete(NOTE, 'id', older!.id)).to.deep.equal(whole(older!.id));
      const common = newest!.id.slice(0, 5);
      expect(await complete(NOTE, 'id', common)).to.deep.equal(whole(newest!.id, older!.id));
      expect(await complete(NOTE, 'id', `${older!.id}0`)).to.deep.equal(NOTHING);
      expect(await complete(NOTE, 'id', older!.id.toLowerCase())).to.deep.equal(NOTHING);
      expect(await complete(NOTE, 'id', older!.id.slice(1))).to.deep.equal(NOTHING);
    });

    it('have titles with all the words that are typed, in whatever order, case and width', async () => {
      const roses = await create('Watering the ROSES, ｍａｒｃｈ');
      await create('Roses');
      const cafe = await create('Cafe\u0301 STRASSE');
      for (const value of ['roses watering', ' rose  MARCH ', 'March']) {
        expect(await complete(NOTE, 'id', value), value).to.deep.equal(whole(roses.id));
      }
      expect(await complete(NOTE, 'id', 'café')).to.deep.equal(whole(cafe.id));
      expect(await complete(NOTE, 'id', 'roses lilies')).to.deep.equal(NOTHING);
      expect(await complete(NOTE, 'id', 'text')).to.deep.equal(NOTHING);
    });

    it('take what is typed for words, and never for a pattern', async () => {
      const odd = await create('a.*b (c) [d] \\ $& __proto__');
      await create('axxb');
      for (const value of ['a.*b', '(c', '[d]', '\\', '$&', '__proto__']) {
        expect(await complete(NOTE, 'id', value), value).to.deep.equal(whole(odd.id));
      }
      expect(await complete(NOTE, 'id', 'constructor')).to.deep.equal(NOTHING);
    });
  });

  describe('of a file of the template', () => {
    it('go one name further, folders with a slash', async () => {
      for (const path of [
        'a.txt',
        'photos/2024/a.png',
        'photos/2024/b.png',
        'photos/z.png',
        'phone',
      ])
        await write(path);
      const steps: [typed: string, values: string[]][] = [
        ['', ['a.txt', 'phone', 'photos/']],
        ['pho', ['phone', 'photos/']],
        ['phot', ['photos/']],
        ['photos', ['photos/']],
        ['photos/', ['photos/2024/', 'photos/z.png']],
        ['photos/2024/', ['photos/2024/a.png', 'photos/2024/b.png']],
        ['Pho', []],
        ['/', []],
        ['photos//', []],
      ];
      for (const [typed, values] of steps) {
        expect(await complete(FILE, 'path', typed), typed).to.deep.equal(whole(...values));
      }
    });

    it('are at most 100, and say how many there are', async () => {
      const names = Array.from({ length: 100 }, (_, index) => `d/${index + 100}.txt`);
      const file = { mediaType: 'text/plain', size: 1, createdAt: 1, updatedAt: 1, revision: 1 };
      const records = names.map((path) => ({ path, ...file }));
      await putRecords(linked.databaseName, 'files', records);
      expect(await complete(FILE, 'path', 'd/')).to.deep.equal(whole(...names));
      await write('d/000/x');
      expect(await complete(FILE, 'path', 'd/')).to.deep.equal({
        values: ['d/000/', ...names.slice(0, 99)],
        total: 101,
        hasMore: true,
      });
    });

    it('expand to exactly the addresses of the files, for any name', async () => {
      const reserved = [...":?#[]@!$&'()*+,;=%"];
      const odd =
        '日本/😀.md|a b| |ä|e\u0301|100%|%41|%|%%|a%2|a%2Fb|%25|%252|C# & F#/x+y.txt|[a]/b|"<>^`{}\\|' +
        '\x01\x7f|-_.~|...|\ufffd\uffff|\u{10ffff}|🇩🇪|ی\u200c|__proto__|constructor|search2';
      const taken = ['search', 'storage', 'activity', MISSING_ID, 'x/search', `x/${MISSING_ID}`];
      const inside = reserved.map((character) => `a${character}b`);
      const paths = [...reserved, ...inside, ...odd.split('|'), ...taken];
      await Promise.all(paths.map((path) => write(path)));
      for (const path of paths) {
        const { values } = await complete(FILE, 'path', path);
        const expanded = values.map((value) => `file:///${expand(value)}`);
        expect(expanded, path).to.include(fileUri(path));
        const read = { uri: fileUri(path) };
        const answer = await client.modern('resources/read', read);
        expect(answer, path).to.have.property('result');
      }
      const { values, total } = await complete(FILE, 'path', '');
      const { names } = await linked.server.store.files.children('', { limit: 1_000 });
      expect(total).to.equal(names.length);
      const addresses = names.map((name) =>
        name.endsWith('/') ? folderUri(name.slice(0, -1)) : fileUri(name),
      );
      expect(values.map((value) => `file:///${expand(value)}`)).to.deep.equal(addresses);
    });

    it('are as people read them, except for what the template would not escape', async () => {
      const names: [path: string, value: string][] = [
        ['日本 😀 (1)!.md', '日本 😀 (1)!.md'],
        ["it's *~ fine-_", "it's *~ fine-_"],
        [':?#[]@$&+,;=%', '%3A%3F%23%5B%5D%40%24%26%2B%2C%3B%3D%25'],
      ];
      for (const [path, value] of names) {
        await write(path);
        expect(await complete(FILE, 'path', path.slice(0, 3))).to.deep.equal(whole(value));
      }
    });

    it('are found by any beginning of a value, and by the path itself', async () => {
      for (const path of ['C# & [x]/100%/50%25.txt', '日本 1+1=2.md', 'a%23b', 'a#b']) {
        await write(path);
        const [value, ...names] = [
          (await complete(FILE, 'path', path)).values.at(-1)!,
          ...Array.from(path, (_, index) => path.slice(0, index)),
        ];
        const typed = [
          ...names,
          ...Array.from(value!, (_, index) => value!.slice(0, index)),
          value!,
        ];
        for (const start of typed) {
          const { values } = await complete(FILE, 'path', start);
          const leads = values.some((found) => value!.startsWith(found));
          expect(leads, `${start} leads to ${value}`).to.equal(true);
        }
      }
    });

    it('have no other slashes than those that are typed', async () => {
      await write('a/b');
      for (const typed of ['a%2Fb', 'a%2f', '%2F']) {
        expect(await complete(FILE, 'path', typed), typed).to.deep.equal(NOTHING);
      }
    });

    it('count a file once, in whichever form its path is typed', async () => {
      for (const path of ['a%', 'a%2', 'a%25', 'a%2525', 'a%25/b', 'a#']) await write(path);
      for (const typed of ['a', 'a%', 'a%2', 'a%25', 'a%252', 'a%25252', 'a%23', 'a%25%2F']) {
        const { values, total } = await complete(FILE, 'path', typed);
        expect(new Set(values), typed).to.have.property('size', values.length);
        expect(total, typed).to.equal(values.length);
      }
      expect(await complete(FILE, 'path', 'a%25')).to.deep.equal(
        whole('a%25', 'a%252', 'a%2525', 'a%2525/', 'a%252525'),
      );
    });
  });

  describe('of a note of a prompt', () => {
    it('are titles, newest first, each once, and the ids of notes without', async () => {
      await create('Diary');
      const untitled = await create('');
      await create('Shopping');
      await create('Diary');
      const all = whole('Diary', 'Shopping', untitled.id);
      expect(await complete(SUMMARIZE, 'note', '')).to.deep.equal(all);
      expect(await complete(SUMMARIZE, 'note', 'diar')).to.deep.equal(whole('Diary'));
      expect(await complete(SUMMARIZE, 'note', 'shop diary')).to.deep.equal(NOTHING);
    });

    it('are ids, when the beginning of one is typed', async () => {
      const titled = await create('Diary');
      const untitled = await create('');
      const byTitle = await create(`About ${titled.id}`);
      expect(await complete(SUMMARIZE, 'note', titled.id)).to.deep.equal(
        whole(byTitle.title, titled.id),
      );
      expect(await complete(SUMMARIZE, 'note', untitled.id)).to.deep.equal(whole(untitled.id));
    });

    it('are titles before ids, where what is typed may be either', async () => {
      const { title } = await create('Part 0');
      const { id } = await create('Diary');
      expect(await complete(SUMMARIZE, 'note', '0')).to.deep.equal(whole(title, id));
    });

    it('are at most 100, and say how many there are', async () => {
      const titles = (await createMany(100, (index) => `note ${index}`)).map(({ title }) => title);
      expect(await complete(SUMMARIZE, 'note', '')).to.deep.equal(whole(...titles));
      await createMany(50, (index) => `older ${index}`);
      const { values, total, hasMore } = await complete(SUMMARIZE, 'note', '');
      expect(values).to.have.lengthOf(100);
      expect({ total, hasMore }).to.deep.equal({ total: 150, hasMore: true });
      expect(await complete(SUMMARIZE, 'note', 'NOTE')).to.deep.equal(whole(...titles));
    });

    it('lead to the note that they name', async () => {
      await create('Diary');
      await create('');
      await create('x'.repeat(1_000));
      const { values } = await complete(SUMMARIZE, 'note', '');
      expect(values).to.have.lengthOf(3);
      for (const note of values) {
        const params = { name: 'summarize_note', arguments: { note } };
        const answer = await client.modern('prompts/get', params);
        expect(answer, note).to.have.property('result');
      }
    });

    it('leave out the one that is chosen already', async () => {
      const older = await create('Diary');
      const newer = await create('Diary');
      const shopping = await create('Shopping');
      const others: [first: string, values: string[]][] = [
        ['Shopping', ['Diary']],
        [shopping.id, ['Diary']],
        [`note:///${shopping.id}`, ['Diary']],
        // A title means the newest note of it.
        ['Diary', ['Shopping']],
        [newer.id, ['Shopping']],
        [older.id, ['Shopping', 'Diary']],
        ['nothing', ['Shopping', 'Diary']],
        ['', ['Shopping', 'Diary']],
        ['__proto__', ['Shopping', 'Diary']],
        ['x'.repeat(100_000), ['Shopping', 'Diary']],
      ];
      for (const [first, values] of others) {
        expect(await complete(COMPARE, 'second', '', { first }), first).to.deep.equal(
          whole(...values),
        );
      }
      const both = whole('Shopping', 'Diary');
      expect(await complete(COMPARE, 'first', '', { first: 'Diary' })).to.deep.equal(both);
      expect(await complete(COMPARE, 'second', '', { second: 'Diary' })).to.deep.equal(both);
      expect(await complete(COMPARE, 'second', newer.id, { first: 'Diary' })).to.deep.equal(
        NOTHING,
      );
    });
  });

  it('of a tag begin with what is typed, the most frequent first', async () => {
    await create('', ['work', 'Garden', '']);
    await create('', ['work', 'garden', 'work']);
    await create('', ['home', 'garden', '__proto__']);
    await create('', ['wood']);
    const all = whole('garden', 'work', 'Garden', '__proto__', 'home', 'wood');
    expect(await complete(ANSWER, 'tag', '')).to.deep.equal(all);
    expect(await complete(ANSWER, 'tag', 'GAR')).to.deep.equal(whole('garden', 'Garden'));
    expect(await complete(ANSWER, 'tag', 'wo')).to.deep.equal(whole('work', 'wood'));
    expect(await complete(ANSWER, 'tag', '__p')).to.deep.equal(whole('__proto__'));
    expect(await complete(ANSWER, 'tag', 'ork')).to.deep.equal(NOTHING);
  });

  it('of an image are the paths of images that can be sent', async () => {
    await write('photos/Cat 1.png', 'image/png');
    await write('photos/cat.txt', 'text/plain');
    await write('drawings/cat + dog.svg', 'image/svg+xml');
    const { files } = linked.server.store;
    const large = new Blob([new Uint8Array(MAX_INLINE_BYTES + 1)], { type: 'image/png' });
    await files.write('photos/large cat.png', large);
    const [dog, cat] = ['drawings/cat + dog.svg', 'photos/Cat 1.png'];
    expect(await complete(DESCRIBE, 'path', '')).to.deep.equal(whole(dog!, cat!));
    expect(await complete(DESCRIBE, 'path', 'CAT')).to.deep.equal(whole(dog!, cat!));
    expect(await complete(DESCRIBE, 'path', 'png photos')).to.deep.equal(whole(cat!));
    expect(await complete(DESCRIBE, 'path', 'photos/Cat 1.png')).to.deep.equal(whole(cat!));
    expect(await complete(DESCRIBE, 'path', 'large')).to.deep.equal(NOTHING);
  });

  it('of many images are at most 100, and say how many there are', async () => {
    const images = Array.from({ length: 1_050 }, (_, index) => ({
      path: `${index}.png`,
      mediaType: 'image/png',
      size: 1,
      createdAt: 1,
      updatedAt: 1,
      revision: 1,
    }));
    await putRecords(linked.databaseName, 'files', images);
    const { values, total, hasMore } = await complete(DESCRIBE, 'path', 'png');
    expect(values).to.have.lengthOf(100);
    expect({ total, hasMore }).to.deep.equal({ total: 1_050, hasMore: true });
  });

  it('of an unknown template or prompt are refused', async () => {
    for (const uri of ['note:///{name}', 'note:///', '', '__proto__', 'constructor']) {
      expect((await refusal({ type: 'ref/resource', uri }, 'id', '')).code, uri).to.equal(-32602);
    }
    for (const name of ['nobody', '', '__proto__', 'constructor']) {
      const { code } = await refusal({ type: 'ref/prompt', name }, 'note', '');
      expect(code, name).to.equal(-32602);
    }
    expect((await refusal({ type: 'ref/nothing' }, 'id', '')).code).to.equal(-32602);
    expect((await refusal(NOTE, 'id', 5)).code).to.equal(-32602);
  });

  it('of an unknown argument are empty', async () => {
    await create('a');
    await write('a.png', 'image/png');
    for (const name of ['nobody', '', '__proto__', 'constructor', 'toString']) {
      for (const ref of [NOTE, FILE, SUMMARIZE, COMPARE, DESCRIBE]) {
        const { values, hasMore } = await complete(ref, name, '');
        expect({ values, hasMore }, name).to.deep.equal({ values: [], hasMore: false });
      }
    }
    expect((await complete(ANSWER, 'question', '')).values).to.deep.equal([]);
  });

  it('of what is longer than anything that there is are empty at once', async () => {
    await create('a a a');
    await write('a.png', 'image/png');
    const values = ['a', '%', '%25', '\u0301', ' ', '/', '0'].map((part) =>
      part.repeat(100_000 / part.length),
    );
    const queries: [ref: Reference, name: string][] = [
      [NOTE, 'id'],
      [FILE, 'path'],
      [SUMMARIZE, 'note'],
      [COMPARE, 'second'],
      [ANSWER, 'tag'],
      [DESCRIBE, 'path'],
    ];
    for (const [ref, name] of queries) {
      for (const value of values) {
        const least = await leastTime(50, async () => {
          expect(await complete(ref, name, value)).to.deep.equal(NOTHING);
        });
        expect(least, `${name} ${value.slice(0, 3)}`).to.be.below(50);
      }
    }
  });
});

describe('completions of folders', () => {
  it('expand to exactly the addresses of the folders', async () => {
    const linked = await openLinkedServer();
    const { store } = linked.server;
    const { signal } = new AbortController();
    for (const path of ['a.txt', 'C# & F#/x/y', '日本/50%/z', 'search/q']) {
      await store.files.write(path, new Blob([]));
    }
    const complete = async (value: string): Promise<readonly string[]> =>
      (await completeFolderPaths(store, value, signal)).values;
    expect(await complete('')).to.deep.equal(['C%23 %26 F%23', 'search', '日本']);
    expect(await complete('日本/')).to.deep.equal(['日本/50%25']);
    for (const [folder, value] of [
      ['C# & F#', 'C%23 %26 F%23'],
      ['日本/50%', '日本/50%25'],
      ['search', 'search'],
    ] as const) {
      expect(`file:///${expand(value)}/`).to.equal(folderUri(folder));
    }
    expect(await completeFolderPaths(store, '', signal)).to.have.property('total', 3);
    await linked.server.close();
    await deleteDatabase(linked.databaseName);
  });
});

describe('completions that look through everything', () => {
  const linked = useLinkedServer();
  let client: RawClient;
  /** How often all notes, or a page of the files, were read. */
  let reads: number;
  let signals: (AbortSignal | undefined)[];

  beforeEach(async () => {
    client = linked.connectRaw();
    reads = 0;
    signals = [];
    const { notes, files } = linked.server.store;
    await notes.create({ title: 'Shopping', text: '', tags: ['home'] });
    await files.write('a.png', new Blob(['a']));
    const { summaries } = notes;
    notes.summaries = (options) => {
      reads += 1;
      signals.push(options?.signal);
      return summaries.call(notes, options);
    };
  });

  const params = (ref: Reference, name: string, value: string, chosen = {}) => ({
    ref,
    argument: { name, value },
    context: { arguments: chosen },
  });
  const ASKED: [ref: Reference, name: string, chosen?: object][] = [
    [NOTE, 'id'],
    [SUMMARIZE, 'note'],
    [COMPARE, 'second', { first: 'none' }],
    [ANSWER, 'tag'],
  ];

  it('read the notes once, however many keys are pressed', async () => {
    for (const value of ['s', 'sh', 'sho']) {
      for (const [ref, name, chosen] of ASKED) {
        const answer = await client.modern('completion/complete', params(ref, name, value, chosen));
        expect(answer).to.have.nested.property('result.completion.total');
      }
    }
    expect(reads).to.equal(1);
    await linked.server.store.notes.create({ title: 'Shipping', text: '' });
    const answer = await client.modern('completion/complete', params(SUMMARIZE, 'note', 'sh'));
    expect(answer).to.have.nested.property('result.completion.total', 2);
    expect(reads).to.equal(2);
  });

  for (const [ref, name, chosen] of ASKED) {
    it(`end when nobody waits for them (${name} of ${ref['uri'] ?? ref['name']})`, async () => {
      let begun!: () => void;
      const hasBegun = new Promise<void>((resolve) => {
        begun = resolve;
      });
      linked.server.store.notes.summaries = async function* held(options) {
        const signal = options?.signal;
        signals.push(signal);
        begun();
        await new Promise((_resolve, reject) => {
          signal?.addEventListener('abort', () => reject(signal.reason));
        });
        yield [];
      };
      const requestId = client.post('completion/complete', {
        ...params(ref, name, 's', chosen),
        _meta: MODERN_META,
      });
      await hasBegun;
      expect(signals).to.have.length(1);
      const signal = signals[0]!;
      const aborted = new Promise((resolve) => signal.addEventListener('abort', resolve));
      client.notify('notifications/cancelled', { requestId });
      await aborted;
    });
  }

  it('of images end between two pages of files', async () => {
    const { files } = linked.server.store;
    let goOn!: (page: { files: never[]; next: string }) => void;
    let begun!: () => void;
    const hasBegun = new Promise<void>((resolve) => {
      begun = resolve;
    });
    files.list = () => {
      reads += 1;
      begun();
      return new Promise((resolve) => {
        goOn = resolve;
      });
    };
    const requestId = client.post('completion/complete', {
      ...params(DESCRIBE, 'path', 'a'),
      _meta: MODERN_META,
    });
    await hasBegun;
    client.notify('notifications/cancelled', { requestId });
    await client.modern('server/discover');
    goOn({ files: [], next: 'a' });
    await client.modern('server/discover');
    expect(reads).to.equal(1);
  });
});
