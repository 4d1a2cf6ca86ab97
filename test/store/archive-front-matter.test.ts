import { expect } from '@esm-bundle/chai';
import {
  MAX_TAG_LENGTH,
  MAX_TAGS,
  MAX_TITLE_LENGTH,
  type Note,
  type NoteSummary,
} from '@inpage-mcp/store';
// Internal to the package: how long it takes shows only without a database around it.
import { splitFields } from '../../packages/store/src/records/front-matter.js';
// Internal to the runtime, which gives it to the store.
import { parseYaml } from '../../packages/runtime/src/worker/parse-yaml.js';
import { failureOf } from '../support/failure.js';
import { leastTime } from '../support/slowness.js';
import { openArchive } from './archive-under-test.js';
import { useStore } from './store-under-test.js';
import { buildZip, bytesOf } from './zip-builder.js';

const ID = '01BX5ZZKBKACTAV9WEVGEMMVRZ';
/** When the id was made. */
const ID_TIME = 1_508_808_576_371;
const TIME = '2024-02-29T12:34:56.789Z';

const parser = (texts: string[]): Promise<unknown[]> => Promise.resolve(parseYaml(texts));

describe('the front matter of a note in an archive', () => {
  const test = useStore({ parseYaml: parser });
  const other = useStore({ parseYaml: parser });
  const offline = useStore({ parseYaml: () => Promise.reject(new Error('offline')) });

  const importing = async (
    files: { [name: string]: string },
    { store } = test,
  ): Promise<Note[]> => {
    const entries = Object.entries(files).map(([name, text]) => ({
      name: `notes/${name}`,
      content: bytesOf(text),
    }));
    const manifest = bytesOf('{"format":"inpage-mcp archive","version":2}\n');
    const zip = buildZip([...entries, { name: 'manifest.jsonl', content: manifest }]);
    const report = await store.importZip(zip);
    expect(report.skipped).to.deep.equal([]);
    const { notes } = await store.notes.list();
    return await Promise.all(notes.map(({ id }) => store.notes.get(id)));
  };

  /** The front matter and the text of the only note of an export, and the name of its file. */
  const exportedNote = async (): Promise<[name: string, lines: string[], text: string]> => {
    const entries = await openArchive(await new Response(test.store.exportZip()).blob());
    const [name, file] = [...entries][0]!;
    const [, yaml, text] = /^---\n(.*?)\n---\n(.*)$/s.exec(await file.text())!;
    return [name.replace('notes/', ''), yaml!.split('\n'), text!];
  };

  const original = {
    title: "Plans: the week's list",
    text: '# Monday\n\n---\n',
    tags: ['work', '2024', 'to do', 'yes'],
    audience: ['user' as const],
    priority: 0.5,
  };

  // Each as the program writes the fields of `original` after a change of any property.
  const programs: [program: string, edit: (lines: string[]) => string][] = [
    [
      'Obsidian',
      (lines) =>
        fencedWith(lines, {
          title: `"Plans: the week's list"`,
          tags: '\n  - work\n  - "2024"\n  - to do\n  - "yes"',
          audience: '\n  - user',
        }),
    ],
    [
      'a program that quotes with apostrophes, and does not indent lists',
      (lines) =>
        fencedWith(lines, {
          id: (value) => value.replaceAll('"', "'"),
          title: "'Plans: the week''s list'",
          tags: "\n- work\n- '2024'\n- to do\n- 'yes'",
          created: (value) => value.replaceAll('"', ''),
          updated: (value) => value.replaceAll('"', "'"),
          priority: '.5',
        }),
    ],
    [
      'a program that sorts, folds and uses CRLF',
      (lines) =>
        fencedWith(lines.toReversed(), {
          id: (value) => value.replaceAll('"', ''),
          title: ">-\n  Plans: the\n  week's list",
          tags: '[work, "2024",\n  to do, yes] # of mine',
        }).replaceAll('\n', '\r\n'),
    ],
    ['a person who types', (lines) => fencedWith(lines, { title: "Plans: the week's list" })],
  ];
  for (const [program, edit] of programs) {
    it(`is read as ${program} has written it, with the same result`, async () => {
      const { id } = await test.store.notes.create(original);
      const before = await test.store.notes.get(id);
      const [name, lines, text] = await exportedNote();
      const edited = edit(lines) + text;
      expect(await importing({ [name]: edited })).to.deep.equal([before]);
      expect(await importing({ [name]: edited }, other)).to.deep.equal([before]);
    });
  }

  it('keeps fields that a note does not have before its text', async () => {
    const { id } = await test.store.notes.create(original);
    const [name, lines, text] = await exportedNote();
    const [first, ...others] = lines;
    const added = 'aliases:\n  - weekly\ntext: mine\n';
    const edited = `---\n${first}\n${added}${others.join('\n')}\n---\n${text}`;
    const [note] = await importing({ [name]: edited }, other);
    expect(note).to.deep.include({ ...original, id, text: `---\n${added}---\n${text}` });
    expect(note!.firstLine).to.equal('Monday');
  });

  const fields = {
    id: `"${ID}"`,
    title: '"title"',
    tags: '["tag"]',
    created: `"${TIME}"`,
    updated: `"${TIME}"`,
    revision: '3',
    audience: '["user"]',
    priority: '0.5',
  };
  const good = { title: 'title', tags: ['tag'], revision: 3, audience: ['user'], priority: 0.5 };
  const times = { createdAt: Date.parse(TIME), updatedAt: Date.parse(TIME) };
  const noted = { ...good, ...times, id: ID, text: 'text' };

  const longTitle = 'x'.repeat(MAX_TITLE_LENGTH);
  const longTag = 'x'.repeat(MAX_TAG_LENGTH);
  const longTags = (length: number): string => `["tag"${' '.repeat(length - 7)}]`;
  const keeping = (line: string): string => `---\n${line}\n---\ntext`;
  const tags = (count: number): string[] => Array<string>(count).fill('t');
  const odd: [what: string, change: { [name: string]: string | null }, result: object][] = [
    ['no revision', { revision: null }, { revision: 1 }],
    ['a revision of 0', { revision: '0' }, { revision: 1 }],
    ['half a revision', { revision: '1.5' }, { revision: 1 }],
    ['a revision in quotes', { revision: "'7'" }, { revision: 7 }],
    ['a revision past all counting', { revision: '9007199254740992' }, { revision: 1 }],
    ['no time', { created: null, updated: null }, { createdAt: ID_TIME, updatedAt: ID_TIME }],
    ['a time that is none', { updated: 'yesterday' }, { updatedAt: Date.parse(TIME) }],
    ['a time beyond all', { updated: '+999999-01-01T00:00:00Z' }, { updatedAt: Date.parse(TIME) }],
    ['a day that there is not', { created: '2023-02-29' }, { createdAt: ID_TIME }],
    ['a day that may be two', { created: '11/12/2021' }, { createdAt: ID_TIME }],
    [
      'the times of another program',
      { created: '2024-02-30\ndate: 2020-01-02', updated: null },
      {
        createdAt: Date.parse('2020-01-02'),
        updatedAt: Date.parse('2020-01-02'),
        text: '---\ndate: 2020-01-02\n---\ntext',
      },
    ],
    ['a date alone', { created: '2024-02-29' }, { createdAt: Date.parse('2024-02-29') }],
    ['no title', { title: null }, { title: 'name' }],
    ['an empty title', { title: '""' }, { title: '' }],
    ['a number as title', { title: '1.10' }, { title: '1.10' }],
    ['a title of the greatest length', { title: longTitle }, { title: longTitle }],
    ['a longer title', { title: `${longTitle}y` }, { title: longTitle }],
    ['a broken title', { title: '"a' }, { title: '"a' }],
    ['a title with an alias', { title: '*a' }, { title: '*a' }],
    ['a title with a box', { title: '[x] sow seeds' }, { title: '[x] sow seeds' }],
    ['a title with an address', { title: '@home' }, { title: '@home' }],
    ['a title without a word', { title: '[' }, { title: 'name' }],
    [
      'a title that is a list',
      { title: '[Draft]' },
      { title: 'name', text: keeping('title: [Draft]') },
    ],
    ['a title with half a surrogate pair', { title: '"\\ud800"' }, { title: '\ufffd' }],
    ['tags that are a map', { tags: '{a: b}' }, { tags: [], text: keeping('tags: {a: b}') }],
    [
      'tags that are no YAML',
      { tags: '[@work, #plan, a: b]' },
      { tags: ['@work', '#plan', 'a: b'] },
    ],
    ['tags without an end', { tags: '[one, `two`' }, { tags: ['one', '`two`'] }],
    [
      'tags with a tab before them',
      { tags: '\n\t- one' },
      { tags: [], text: keeping('tags: \n\t- one') },
    ],
    ['tags that are none', { tags: '[]' }, { tags: [] }],
    ['tags of nothing', { tags: 'null' }, { tags: ['null'] }],
    ['tags in a string', { tags: 'one, two words,' }, { tags: ['one', 'two words'] }],
    ['tags with spaces between them', { tags: "' one  two '" }, { tags: ['one', 'two'] }],
    [
      'as many tags as there may be',
      { tags: JSON.stringify(tags(MAX_TAGS)) },
      { tags: tags(MAX_TAGS) },
    ],
    [
      'one tag more',
      { tags: JSON.stringify(tags(MAX_TAGS + 1)) },
      { tags: tags(MAX_TAGS), text: keeping(`tags: ${JSON.stringify(tags(MAX_TAGS + 1))}`) },
    ],
    [
      'a tag of the greatest length, and a longer one',
      { tags: `[tag, ${longTag}, ${longTag}y]` },
      { tags: ['tag', longTag, longTag] },
    ],
    ['the longest list', { tags: longTags(64 * 1024) }, { tags: ['tag'] }],
    [
      'a longer list',
      { tags: longTags(64 * 1024 + 1) },
      { tags: [], text: keeping(`tags: ${longTags(64 * 1024 + 1)}`) },
    ],
    ['the longest YAML', { tags: longTags(16 * 1024).replaceAll('"', "'") }, { tags: ['tag'] }],
    [
      'longer YAML',
      { tags: longTags(16 * 1024 + 1).replaceAll('"', "'") },
      { tags: [], text: keeping(`tags: ${longTags(16 * 1024 + 1).replaceAll('"', "'")}`) },
    ],
    ['an audience that is nobody', { audience: '[all]' }, { audience: undefined }],
    ['an audience in YAML', { audience: '[assistant]' }, { audience: ['assistant'] }],
    ['too high a priority', { priority: '1.1' }, { priority: undefined }],
    ['a priority of null', { priority: 'null' }, { priority: undefined }],
    ['the same field twice', { priority: '1\nPriority: 0' }, { priority: 0 }],
    ['comments', { title: '# of mine\n  yes # or no\n# and' }, { title: 'yes' }],
  ];
  for (const [what, change, result] of odd) {
    it(`with ${what} loses that field at most`, async () => {
      const lines = Object.entries({ ...fields, ...change }).flatMap(([name, value]) =>
        value === null ? [] : `${name}: ${value}\n`,
      );
      const file = `---\n${lines.join('')}---\ntext`;
      const [note] = await importing({ [`name-${ID}.md`]: file });
      expect(note).to.deep.include(withoutUndefined({ ...noted, ...result }));
      expect(Object.keys(note!)).to.have.members(
        Object.keys(withoutUndefined({ ...noted, firstLine: '', size: 0, ...result })),
      );
    });
  }

  for (const [where, stray] of [
    ['first', 'title:Plan\nwritten by hand\n'],
    ['after the id', 'title:Plan\n'],
    ['last', '<<<<<<< HEAD\n=======\n>>>>>>> theirs\n'],
  ] as const)
    it(`keeps the note and all its fields where a line comes ${where} that is none`, async () => {
      const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\n`);
      const at = where === 'first' ? 0 : where === 'last' ? lines.length : 1;
      const file = `---\n${lines.toSpliced(at, 0, stray).join('')}---\ntext`;
      const [note, ...others] = await importing({ [`name-${ID}.md`]: file });
      expect(others).to.deep.equal([]);
      expect(note).to.deep.include({ ...noted, text: `---\n${stray}---\ntext` });
    });

  it('keeps all its fields where the id has lost its blank in the first line', async () => {
    const { id, ...others } = fields;
    const stray = `id:${id}\n`;
    const lines = Object.entries(others).map(([name, value]) => `${name}: ${value}\n`);
    const file = `---\n${stray}${lines.join('')}---\ntext`;
    const [note] = await importing({ [`name-${ID}.md`]: file });
    expect(note).to.deep.include({ ...noted, text: `---\n${stray}---\ntext` });
  });

  it('is known by its id behind eight lines that are no fields, and not behind nine', async () => {
    for (const count of [8, 9]) {
      const stray = 'stray\n'.repeat(count);
      const file = `---\n${stray}id: "${ID}"\ntitle: "t"\n---\ntext`;
      const [note] = await importing({ 'a.md': file });
      expect(note!.id === ID, `${count}`).to.equal(count === 8);
      await test.store.clear();
    }
  });

  it('is not needed for the id, which is in the name, too', async () => {
    await test.store.notes.create(original);
    const [name, , text] = await exportedNote();
    const [before] = (await test.store.notes.list()).notes;
    const notes = await importing({ [name]: text }, other);
    expect(notes.map(({ id }) => id)).to.deep.equal([before!.id]);
    expect(notes[0]).to.deep.include({ text, title: 'Plans-the-week-s-list' });
    // Of the same words nothing is made anew, and of others a copy.
    expect(await importing({ [name]: `${text}more` }, other)).to.have.length(2);
  });

  it('has the properties of the user in the same block, and gives them back as they were', async () => {
    const own = 'aliases:\n  - weekly\nstatus: "done"\n';
    const texts = [
      `---\n${own}---\nbody`,
      // What would not come back so stays in the text: fields of ours, comments, other ends of lines.
      `---\ntitle: mine\n${own}---\nbody`,
      `---\n# of mine\n${own}---\nbody`,
      `---\r\nstatus: done\r\n---\r\nbody`,
      `---\n${own}---\n`,
      `---\n${own}...\nbody`,
    ];
    for (const [index, text] of texts.entries()) {
      await test.store.clear();
      await other.store.clear();
      await test.store.notes.create({ title: 'a', text });
      const archive = await new Response(test.store.exportZip()).blob();
      const [file] = (await openArchive(archive)).values();
      expect((await file!.text()).endsWith(`\n${own}---\nbody`)).to.equal(index < 3);
      const fences = (await file!.text()).match(/^---$/gm)!.length;
      expect(fences === 2, text).to.equal(index === 0);
      await other.store.importZip(archive);
      const [note] = (await other.store.notes.list()).notes;
      expect((await other.store.notes.get(note!.id)).text).to.equal(text);
    }
  });

  it('has the dates of other programs, where it is sure which days they are', async () => {
    const day = (text: string): number => Date.parse(text);
    const files: [yaml: string, created: number | undefined, updated: number | undefined][] = [
      [
        'created: 2024-01-02\nupdated: 2024-03-04T05:06:07Z',
        day('2024-01-02'),
        day('2024-03-04T05:06:07Z'),
      ],
      ['date: "2023-01-02 10:11:12"', day('2023-01-02 10:11:12'), undefined],
      [
        'created_at: 2022-05-06T07:08:09+02:00\nmodified: 2022-05-07',
        day('2022-05-06T07:08:09+02:00'),
        day('2022-05-07'),
      ],
      ['created: 11/12/2021', undefined, undefined],
      ['created: yesterday', undefined, undefined],
      ['created: 2024-13-45', undefined, undefined],
      ['created: 2023-02-29', undefined, undefined],
      ['created: { toString: 2024-01-02 }', undefined, undefined],
      ['date:\n  toString: a\n  valueOf: b', undefined, undefined],
      ['updated: 2020-01-02', undefined, day('2020-01-02')],
    ];
    const notes = await importing(
      Object.fromEntries(files.map(([yaml], n) => [`${n}.md`, `---\n${yaml}\n---\ntext`])),
    );
    for (const [n, [, created, updated]] of files.entries()) {
      const { createdAt, updatedAt, text } = notes.find(({ title }) => title === `${n}`)!;
      if (created !== undefined) expect(createdAt, `${n}`).to.equal(created);
      else if (updated === undefined) expect(createdAt, `${n}`).to.equal(updatedAt);
      else expect(createdAt, `${n}`).to.be.below(updatedAt);
      if (updated !== undefined) expect(updatedAt, `${n}`).to.equal(updated);
      expect(text).to.contain('---\n');
    }
  });

  it('without a revision is never taken for an older one', async () => {
    const { id, revision } = await test.store.notes.create(original);
    await test.store.notes.update(id, { text: 'text' });
    const [name, lines] = await exportedNote();
    const withoutRevision = lines.filter((line) => !line.startsWith('revision'));
    const edited = `---\n${withoutRevision.join('\n')}\n---\nedited elsewhere`;
    expect(revision).to.equal(1);
    await importing({ [name]: `---\n${withoutRevision.join('\n')}\n---\ntext` });
    const notes = await importing({ [name]: edited });
    expect(notes.map(({ text }) => text)).to.have.members(['text', 'edited elsewhere']);
  });

  it('gives a Markdown file of another program its title and tags, and stays in its text', async () => {
    const files = {
      'a.md': '---\nTitle: Mine: all\ntags: [a, b]\ndate: 2024-01-01\n---\n\n# Heading\n',
      'b.md': '---\ntitle: [\nkeywords: x\n---\ntext',
      'c.md': '---\r\ntitle: ""\r\n...\r\n> quoted',
      'd.md': '---\n\ntitle: no front matter, but a break\n\n---\n',
      'e.md': '---\ntitle: without an end\n',
    };
    const notes = await importing(files);
    expect(notes).to.have.length(5);
    const seen = notes.map(({ title, tags: found, firstLine, text }) => [
      title,
      found,
      firstLine,
      text,
    ]);
    expect(seen).to.have.deep.members([
      ['Mine: all', ['a', 'b'], 'Heading', files['a.md']],
      ['b', [], 'text', files['b.md']],
      ['c', [], 'quoted', files['c.md']],
      ['d', [], 'title: no front matter, but a break', files['d.md']],
      ['e', [], 'title: without an end', files['e.md']],
    ]);
    expect(await importing(files)).to.have.length(5);
  });

  it('is read in a moment, whatever blanks stand in it', async () => {
    const yaml = `title: mine\na${' '.repeat(60_000)}b\n`;
    const read = (): unknown => splitFields(yaml, ['title']);
    const { others } = splitFields(`${yaml}"c d ": e\n`, ['title']);
    expect(others === `${yaml.slice(yaml.indexOf('a '))}"c d ": e\n`).to.equal(true);
    expect(await leastTime(100, read)).to.be.below(100);
  });

  it('needs the parser only if another program has written it, and then fails without it', async () => {
    await test.store.notes.create(original);
    const own = await new Response(test.store.exportZip()).blob();
    expect((await offline.store.importZip(own)).notes.added).to.equal(1);
    const [name, lines, text] = await exportedNote();
    const edited = fencedWith(lines, { title: "'edited'" }) + text;
    const error = await failureOf(importing({ [name]: edited }, offline));
    expect((error as Error).message).to.equal('offline');
  });
});

/** The fields between fences, some with another value. */
function fencedWith(
  lines: readonly string[],
  changes: { [name: string]: string | ((value: string) => string) },
): string {
  const changed = lines.map((line) => {
    const [, name = '', value = ''] = /^(\w+): (.*)$/.exec(line) ?? [];
    const change = changes[name] ?? value;
    return `${name}: ${typeof change === 'string' ? change : change(value)}`;
  });
  return `---\n${changed.join('\n')}\n---\n`;
}

function withoutUndefined(record: object): Partial<NoteSummary> {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined));
}
