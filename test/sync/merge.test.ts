import { expect } from '@open-wc/testing';
import { MAX_PATH_BYTES, MAX_TAGS, MAX_TEXT_BYTES, MAX_TITLE_LENGTH } from '@inpage-mcp/store';
import { checkPayload, type DeletionPayload } from '../../packages/sync/src/keys/payload.js';
import { mergeEntry, mergeFile, mergeNote } from '../../packages/sync/src/merge/merge-entry.js';
import {
  CONFLICT_MARK,
  containsLines,
  MAX_LINES,
  MAX_WORDS_LENGTH,
  mergeText,
} from '../../packages/sync/src/merge/merge-text.js';
import { MAX_COMPARISONS, MAX_EDITS } from '../../packages/sync/src/merge/three-way.js';
import { Random } from '../fuzz/random.js';
import { fileOf, noteOf } from './sync-under-test.js';
import { itInAll } from '../support/it-in-all.js';

/** Merges both ways, which must not matter. */
function merge(base: string, mine: string, theirs: string) {
  const merged = mergeText(base, mine, theirs);
  expect(mergeText(base, theirs, mine), 'the other way').to.deep.equal(merged);
  return merged;
}

const MARK = `\n${CONFLICT_MARK}\n`;

/** Without conflicts. */
const merges: [what: string, base: string, mine: string, theirs: string, merged: string][] = [
  ['an unchanged side', 'a', 'a', 'b', 'b'],
  ['the same change', 'a', 'b', 'b', 'b'],
  ['lines far apart', '1\n2\n3\n4', '1x\n2\n3\n4', '1\n2\n3\n4y', '1x\n2\n3\n4y'],
  ['neighbouring lines', '1\n2', '1x\n2', '1\n2y', '1x\n2y'],
  ['an insertion before a changed line', '1\n2', '1\nnew\n2', '1\n2y', '1\nnew\n2y'],
  ['an insertion after a changed line', '1\n2', '1\nnew\n2', '1y\n2', '1y\nnew\n2'],
  ['lines at the same end', '1', '1\na', '1\nb', '1\na\nb'],
  ['lines in the place of an empty one', '1\n', '1\na', '1\nb', '1\na\nb'],
  ['paragraphs at the same end', '1\n', '1\n\na\n', '1\n\nb\n', '1\n\na\n\nb\n'],
  ['the same line and another', '1', '1\na', '1\na\nb', '1\na\nb'],
  ['the same line and two others', '1', '1\na\nc', '1\na\nb', '1\na\nb\nc'],
  [
    'words of one line',
    'the quick red fox',
    'the quick fox',
    'the very quick red fox',
    'the very quick fox',
  ],
  ['words of two lines', 'a b c\nd e f', 'x b c\nd e y', 'a b z\nw e f', 'x b z\nw e y'],
  [
    'characters of a script without spaces',
    '我喜欢喝绿茶',
    '我不喜欢喝绿茶',
    '我喜欢喝红茶',
    '我不喜欢喝红茶',
  ],
  ['a deletion and another edit', '1\n2\n3', '1\n3', '1\n2\n3y', '1\n3y'],
  ['an edit of a deleted line', '1\n2\n3', '1\n3', '1\n2y\n3', '1\n2y\n3'],
  ['deletions that overlap', '1\n2\n3\n4', '1\n4', '1\n2\n4', '1\n2\n4'],
  ['all of it deleted, and an insertion', '1', '', '1\n2', '\n2'],
  ['words of the prototype', '1\n2', 'constructor\n2', '1\n__proto__', 'constructor\n__proto__'],
];

/** With one conflict. */
const conflicts: [what: string, base: string, mine: string, theirs: string, merged: string][] = [
  ['one word', 'the red fox', 'the old fox', 'the blue fox', `the blue fox${MARK}the old fox`],
  [
    'words at one place',
    'the fox',
    'the red fox',
    'the blue fox',
    `the blue fox${MARK}the red fox`,
  ],
  ['neighbouring words', 'a b', 'ax b', 'a by', 'ax by'],
  ['one line of some', '1\na\n3', '1\nb\n3', '1\nc\n3', `1\nb${MARK}c\n3`],
  ['another number of lines', '1\na', '1\nb\nd', '1\nc', `1\nc${MARK}b\nd`],
  ['only what differs', '1\na', '1\nsame\nb', '1\nsame\nc', `1\nsame\nb${MARK}c`],
];

describe('mergeText', () => {
  for (const [what, base, mine, theirs, text] of merges) {
    it(`merges ${what}`, () => {
      expect(merge(base, mine, theirs)).to.deep.equal({ text, conflicts: 0 });
    });
  }

  for (const [what, base, mine, theirs, text] of conflicts) {
    it(`keeps both where both have changed ${what}`, () => {
      expect(merge(base, mine, theirs)?.text).to.equal(text);
      const isMarked = text.includes(CONFLICT_MARK);
      expect(merge(base, mine, theirs)?.conflicts).to.equal(isMarked ? 1 : 0);
    });
  }

  it('counts the conflicts', () => {
    expect(merge('a\n\nb', 'a1\n\nb1', 'a2\n\nb2')?.conflicts).to.equal(2);
  });

  it('does not merge a conflict once more', () => {
    const { text } = merge('a', 'b', 'c')!;
    expect(merge('c', text, 'c')?.text).to.equal(text);
    expect(merge('a', text, 'c')?.text).to.equal(text);
    expect(merge('a', 'b', text)?.text).to.equal(text);
  });

  it('loses no inserted line, whatever else is changed', () => {
    const random = new Random(1);
    for (let round = 0; round < 5_000; round += 1) {
      const base = Array.from({ length: random.below(8) }, () =>
        random.pick(['a', 'b c d', '', 'e']),
      );
      const change = (side: string) => {
        const lines = [...base];
        for (let edit = 0; edit < 3; edit += 1) {
          const at = random.below(lines.length + 1);
          if (random.chance(0.6)) lines.splice(at, 0, `${side}${edit}`);
          else if (random.chance(0.5)) lines.splice(at, 1);
          else if (at < lines.length) lines[at] += random.pick([' x', ' y', '\n']);
        }
        return lines.join('\n');
      };
      const [mine, theirs] = [change('mine'), change('theirs')];
      const lines = merge(base.join('\n'), mine, theirs)?.text.split('\n');
      const inserted = `${mine}\n${theirs}`
        .split('\n')
        .filter((line) => /^(mine|theirs)\d$/.test(line));
      expect(lines).to.include.members(inserted);
    }
  });

  it('gives up where more has changed than the limit, and not before', () => {
    const base = Array.from({ length: MAX_EDITS + 1 }, (_, index) => `line ${index}`);
    const rewrite = (count: number) =>
      base.map((line, index) => (index < count ? line.toUpperCase() : line)).join('\n');
    const [text, theirs] = [base.join('\n'), `${base.join('\n')}\nmore`];
    // Half of the edits remove, the other half inserts.
    expect(merge(text, rewrite(MAX_EDITS / 2), theirs)?.text).to.equal(
      `${rewrite(MAX_EDITS / 2)}\nmore`,
    );
    expect(merge(text, rewrite(MAX_EDITS / 2 + 1), theirs)).to.equal(undefined);
  });

  itInAll('merges texts of the most lines, and none of more', () => {
    const lines = Array.from({ length: MAX_LINES - 1 }, (_, index) => String(index));
    const base = lines.join('\n');
    const merged = merge(base, `first\n${base}`, lines.with(MAX_LINES - 5, 'changed').join('\n'));
    expect(merged?.conflicts).to.equal(0);
    expect(merged?.text).to.equal(`first\n${lines.with(MAX_LINES - 5, 'changed').join('\n')}`);
    expect(merge(`${base}\n`, `${base}\n\n`, `a${base}\n`)).to.equal(undefined);
  });

  it('merges the words of lines up to the limit', () => {
    const base = `a ${'x'.repeat(MAX_WORDS_LENGTH / 3 - 5)} b`;
    const [mine, theirs] = [base.replace('a', 'c'), base.replace('b', 'd')];
    expect(merge(base, mine, theirs)).to.deep.include({ text: mine.replace('b', 'd') });
    expect(merge(`${base}xxx`, `${mine}xxx`, `${theirs}xxx`)?.conflicts).to.equal(1);
  });

  it('takes only so many comparisons, whatever the texts are', () => {
    const same = (count: number) => 'a\n'.repeat(count);
    const block = (text: string) => text.repeat(MAX_TEXT_BYTES / text.length);
    const hostile: [base: string, mine: string, theirs: string][] = [
      [block('a'), block('b'), block('c')],
      [block('a '), `b ${block('a ').slice(2)}`, `${block('a ').slice(0, -2)} c`],
      [same(400_000), same(400_900), `${same(399_200)}b`],
      [same(400_000), `b\n${same(400_000)}`, `${same(400_000)}b`],
      ['a b\n'.repeat(1_000), 'a c\n'.repeat(1_000), 'b c\n'.repeat(1_000)],
    ];
    for (const [base, mine, theirs] of hostile) {
      const work = { comparisons: MAX_COMPARISONS };
      const merged = mergeText(base, mine, theirs, work);
      // Where they are used up, the diff that has used them up still ends its edits.
      expect(work.comparisons).to.be.greaterThan(-2 * MAX_EDITS ** 2);
      expect(merged === undefined || merged.text.length <= MAX_TEXT_BYTES).to.equal(true);
    }
  });

  it('gives up when the comparisons are used up', () => {
    const work = { comparisons: 1_000_000 };
    mergeText('1\n2\n3', '1x\n2\n3', '1\n2\n3y', work);
    const needed = 1_000_000 - work.comparisons;
    const merged = (comparisons: number) =>
      mergeText('1\n2\n3', '1x\n2\n3', '1\n2\n3y', { comparisons })?.text;
    expect(merged(needed)).to.equal('1x\n2\n3y');
    expect(merged(needed - 1)).to.equal(undefined);
  });

  it('makes no text that is too long for a note', () => {
    const half = 'a'.repeat(MAX_TEXT_BYTES / 2 - 1);
    const base = '1\n2';
    expect(merge(base, `1\n${half}\n2`, `1\n${half}b\n2`)).to.equal(undefined);
    const ends = half.length - CONFLICT_MARK.length;
    expect(merge(base, `1\n${half}\n2`, `1\nb${half.slice(0, ends)}\n2`)?.conflicts).to.equal(0);
  });
});

describe('containsLines', () => {
  it('finds lines in their order, and leaves empty ones out', () => {
    expect(containsLines('1\n2\n3', '1\n\n3')).to.equal(true);
    expect(containsLines('1', '')).to.equal(true);
    expect(containsLines('1\n2', '2\n1')).to.equal(false);
    expect(containsLines('1', '1\n1')).to.equal(false);
    expect(containsLines('\n'.repeat(MAX_LINES - 1), '')).to.equal(true);
    expect(containsLines('\n'.repeat(MAX_LINES), '')).to.equal(false);
  });
});

describe('mergeNote', () => {
  const base = noteOf({ title: 'a', text: '1\n2', tags: ['x', 'y'], counter: 4 });

  async function mergeBoth(known: typeof base | undefined, mine: typeof base, theirs: typeof base) {
    const merged = await mergeNote(known, mine, theirs);
    expect(await mergeNote(known, theirs, mine), 'the other way').to.deep.equal(merged);
    for (const note of [merged.merged, merged.copy]) if (note) checkPayload(note);
    return merged;
  }

  it('takes each field from the side that has changed it', async () => {
    const mine = {
      ...base,
      title: 'b',
      text: '1x\n2',
      updatedAt: 3_000,
      counter: 5,
      colour: 'red',
    };
    const theirs = {
      ...base,
      text: '1\n2y',
      priority: 1,
      updatedAt: 2_500,
      createdAt: 900,
      counter: 6,
    };
    const { merged, conflicts, copy } = await mergeBoth(base, mine, theirs);
    expect(merged).to.deep.equal({
      ...base,
      title: 'b',
      text: '1x\n2y',
      priority: 1,
      colour: 'red',
      createdAt: 900,
      updatedAt: 3_000,
      counter: 6,
    });
    expect([conflicts, copy]).to.deep.equal([0, undefined]);
  });

  it('takes a field that both have changed from the later side, and from either at the same time', async () => {
    const known = { ...base, priority: 0.5, audience: ['user'] };
    const { audience: _, ...mine } = { ...known, title: 'mine', priority: 1, updatedAt: 3_000 };
    const theirs = {
      ...known,
      title: 'theirs',
      priority: 0,
      audience: ['assistant'],
      updatedAt: 3_001,
    };
    const fields = ({ title, priority, audience }: typeof theirs) => ({
      title,
      priority,
      audience,
    });
    expect(fields((await mergeBoth(known, mine, theirs)).merged as typeof theirs)).to.deep.equal(
      fields(theirs),
    );
    const later = (await mergeBoth(known, { ...mine, updatedAt: 4_000 }, theirs)).merged;
    expect(later).to.include({ title: 'mine', priority: 1 }).and.not.have.property('audience');
    const tie = (await mergeBoth(known, { ...mine, updatedAt: 3_001 }, theirs)).merged;
    expect(tie.title).to.be.oneOf(['mine', 'theirs']);
    expect((await mergeBoth(known, { ...known, title: 'b' }, mine)).merged).not.to.have.property(
      'audience',
    );
  });

  it('merges tags as sets, in their order', async () => {
    const tagsOf = async (mine: string[], theirs: string[]) =>
      (await mergeBoth(base, { ...base, tags: mine, updatedAt: 3_000 }, { ...base, tags: theirs }))
        .merged.tags;
    expect(await tagsOf(['y', 'x'], ['x', 'y'])).to.deep.equal(['y', 'x']);
    expect(await tagsOf(['x'], ['x', 'y', 'z'])).to.deep.equal(['x', 'z']);
    expect(await tagsOf(['x', 'y', 'a'], ['b', 'x', 'y'])).to.deep.equal(['x', 'y', 'a', 'b']);
    expect(await tagsOf([], ['y', 'x'])).to.deep.equal([]);
    const many = (side: string) => Array.from({ length: MAX_TAGS }, (_, index) => side + index);
    expect(await tagsOf(many('a'), many('b'))).to.deep.equal(many('a'));
  });

  it('keeps both where texts are too different, the later one as it is', async () => {
    const text = (line: string) =>
      Array.from({ length: MAX_EDITS }, (_, at) => `${line}${at}`).join('\n');
    const [mine, theirs] = [
      {
        ...base,
        title: 'm'.repeat(MAX_TITLE_LENGTH),
        text: text('m'),
        updatedAt: 3_000,
        counter: 9,
      },
      { ...base, title: 't', text: text('t'), updatedAt: 4_000, counter: 5 },
    ];
    const { merged, copy } = await mergeBoth(base, mine, theirs);
    expect(merged).to.deep.equal({ ...theirs, counter: 9 });
    expect(copy).to.include({ text: mine.text, counter: 1, updatedAt: 3_000 });
    expect(copy!.title)
      .to.match(/^m+ \(other version\)$/)
      .and.have.length(MAX_TITLE_LENGTH);
    expect(copy!.key.slice(0, 10)).to.equal(base.key.slice(0, 10));
    expect(copy!.key).not.to.equal(base.key);
    const again = await mergeNote(base, { ...mine, counter: 20 }, theirs);
    expect(again.copy).to.deep.equal(copy);
    const other = await mergeNote(base, { ...mine, text: text('n') }, theirs);
    expect(other.copy!.key).not.to.equal(copy!.key);
  });

  it('without a base unites what one side has more, and else keeps both', async () => {
    const more = { ...base, text: '1\n1.5\n2', tags: ['z'], updatedAt: 1_500 };
    const { merged, copy } = await mergeBoth(undefined, base, more);
    expect(merged).to.include({ text: '1\n1.5\n2', title: 'a' });
    expect([merged.tags, copy]).to.deep.equal([['x', 'y', 'z'], undefined]);
    const other = { ...base, text: '1\n3', updatedAt: 1_500 };
    const both = await mergeBoth(undefined, base, other);
    expect([both.merged.text, both.copy?.text]).to.deep.equal(['1\n2', '1\n3']);
    const longer = await mergeBoth(undefined, base, { ...base, text: '1\n2\n3' });
    expect(longer.merged.text).to.equal('1\n2\n3');
    const blank = await mergeBoth(undefined, { ...base, text: '1\n\n2' }, base);
    expect(blank.copy).to.equal(undefined);
  });
});

describe('mergeFile', () => {
  const digest = (digit: string) => digit.repeat(64);
  const base = fileOf({ digest: digest('a') });
  const mine = fileOf({ digest: digest('b'), size: 5, updatedAt: 3_000, counter: 2 });
  const theirs = fileOf({ digest: digest('c'), mediaType: 'image/x', updatedAt: 4_000 });

  function mergeBoth(known: typeof base | undefined, left: typeof base, right: typeof base) {
    const merged = mergeFile(known, left, right);
    expect(mergeFile(known, right, left), 'the other way').to.deep.equal(merged);
    for (const file of [merged.merged, merged.copy]) if (file) checkPayload(file);
    return merged;
  }

  it('of one content has one', () => {
    const same = { ...theirs, digest: mine.digest, size: 5 };
    expect(mergeBoth(base, mine, same).merged).to.include({
      mediaType: 'image/x',
      updatedAt: 4_000,
    });
    expect(mergeBoth(undefined, mine, same)).not.to.have.property('copy');
    const renamed = { ...base, mediaType: 'image/y' };
    const { merged } = mergeBoth(base, renamed, { ...base, priority: 1, updatedAt: 9_000 });
    expect(merged).to.include({ mediaType: 'image/y', priority: 1, digest: base.digest });
  });

  it('takes the content that is new, whatever else the other side has changed', () => {
    const hinted = { ...base, priority: 1, updatedAt: 9_000 };
    const { merged, copy } = mergeBoth(base, mine, hinted);
    expect(merged).to.include({ digest: mine.digest, size: 5, priority: 1, updatedAt: 9_000 });
    expect(copy).to.equal(undefined);
  });

  it('keeps both contents: the later one at the path, the other one under a name of its own', () => {
    for (const known of [base, undefined]) {
      const { merged, copy } = mergeBoth(known, mine, theirs);
      expect(merged).to.include({
        key: base.key,
        digest: theirs.digest,
        mediaType: 'image/x',
        counter: 2,
      });
      expect(copy).to.deep.equal({
        ...mine,
        key: `photos/cat (${'b'.repeat(12)}).png`,
        counter: 1,
      });
    }
  });

  it('makes names that are valid and no longer than allowed', () => {
    const suffix = ` (${'b'.repeat(12)})`;
    const folder = (size: number) => `${'f'.repeat(size - 1)}/`;
    const names: [key: string, copied: string][] = [
      ['cat', `cat${suffix}`],
      ['.cat', `.cat${suffix}`],
      ['a.b/cat', `a.b/cat${suffix}`],
      ['a.tar.gz', `a.tar${suffix}.gz`],
      [`a.${'e'.repeat(15)}`, `a${suffix}.${'e'.repeat(15)}`],
      [`a.${'e'.repeat(16)}`, `a.${'e'.repeat(16)}${suffix}`],
      ['a'.repeat(MAX_PATH_BYTES), 'a'.repeat(MAX_PATH_BYTES - 15) + suffix],
      ['😀'.repeat(MAX_PATH_BYTES / 4), '😀'.repeat(MAX_PATH_BYTES / 4 - 4) + suffix],
      [`${folder(MAX_PATH_BYTES - 16)}cat`, `${folder(MAX_PATH_BYTES - 16)}c${suffix}`],
      [`${folder(MAX_PATH_BYTES - 15)}cat`, `cat${suffix}`],
    ];
    for (const [key, copied] of names) {
      const { copy } = mergeBoth(undefined, { ...mine, key }, { ...theirs, key });
      expect(copy?.key).to.equal(copied);
    }
  });
});

describe('mergeEntry', () => {
  const base = noteOf({ text: 'a' });
  const edited = { ...base, text: 'b', updatedAt: 3_000, counter: 2 };
  const { v, key } = base;
  const deleted = (at: number): DeletionPayload => ({
    v,
    kind: 'note',
    key,
    counter: 5,
    deleted: true,
    at,
  });

  it('lets an edit win over a deletion, and a deletion over what is unchanged', async () => {
    const sides = [deleted(9_000), edited] as const;
    for (const [mine, theirs] of [sides, sides.toReversed()] as const) {
      expect((await mergeEntry(base, mine!, theirs!)).merged).to.deep.equal({
        ...edited,
        counter: 5,
      });
      expect((await mergeEntry(undefined, mine!, theirs!)).merged).to.include({ text: 'b' });
    }
    const unchanged = { ...base, counter: 7 };
    for (const [mine, theirs] of [
      [deleted(1), unchanged],
      [unchanged, deleted(1)],
    ] as const) {
      expect((await mergeEntry(base, mine, theirs)).merged).to.deep.equal({
        ...deleted(1),
        counter: 7,
      });
    }
  });

  it('keeps deleted what both have deleted', async () => {
    for (const known of [base, undefined, deleted(1)]) {
      const { merged } = await mergeEntry(known, deleted(3), deleted(2));
      expect(merged).to.deep.equal(deleted(3));
    }
    expect((await mergeEntry(base, deleted(3), deleted(3))).merged).to.deep.equal(deleted(3));
  });

  it('merges notes with notes and files with files', async () => {
    const theirs = { ...base, text: 'a\nc' };
    expect((await mergeEntry(base, { ...base, text: 'x\na' }, theirs)).merged).to.include({
      text: 'x\na\nc',
    });
    expect((await mergeEntry(deleted(1), edited, theirs)).copy).to.include({ text: 'a\nc' });
    const file = fileOf({ digest: 'f'.repeat(64) });
    expect((await mergeEntry(undefined, fileOf({}), file)).copy).to.include({ kind: 'file' });
    const error: unknown = await mergeEntry(undefined, base, file).catch(
      (reason: unknown) => reason,
    );
    expect(error).to.be.instanceOf(TypeError);
  });
});
