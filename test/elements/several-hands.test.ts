// Two who change one text: what is merged, and what each can take back.
import { expect } from '@esm-bundle/chai';
import { EditHistory } from '../../packages/elements/src/act/mcp-note-editor/edit-history.js';
import { mergeWords } from '../../packages/elements/src/act/mcp-note-editor/merge-words.js';
import {
  apply,
  editBetween,
  inverse,
  moved,
  rebase,
  replacementIn,
  type TextEdit,
} from '../../packages/elements/src/act/mcp-note-editor/text-edit.js';
import { randomFrom } from '../support/random.js';

describe('an edit of a text', () => {
  const random = randomFrom(48);
  const letters = (alphabet: string, most: number): string =>
    Array.from({ length: random(most) }, () => alphabet[random(alphabet.length)]).join('');
  const editOf = (text: string, alphabet: string): TextEdit => {
    const start = random(text.length + 1);
    const end = start + random(Math.min(6, text.length - start + 1));
    return editBetween(text, text.slice(0, start) + letters(alphabet, 5) + text.slice(end));
  };

  it('leads from one text to the other, and back', () => {
    for (let round = 0; round < 500; round += 1) {
      const [before, after] = [letters('ab\n', 40), letters('ab\n', 40)];
      const edit = editBetween(before, after);
      expect(apply(edit, before)).to.equal(after);
      expect(apply(inverse(edit, before), after)).to.equal(before);
    }
  });

  it('leads to the same text in either order', () => {
    for (let round = 0; round < 2_000; round += 1) {
      const text = letters('ab\n', 30);
      const [mine, theirs] = [editOf(text, 'M\n'), editBetween(text, letters('abt\n', 30))];
      const mineFirst = apply(rebase(theirs, mine, true), apply(mine, text));
      expect(apply(rebase(mine, theirs, false), apply(theirs, text))).to.equal(mineFirst);
    }
  });

  it('moves the caret with its text', () => {
    for (const [before, after, expected] of [
      ['one |two', 'ONE two', 'ONE |two'],
      ['one |two', 'one and two', 'one |and two'],
      ['one\n|two', 'one\nnew\ntwo', 'one\nnew\n|two'],
      ['|one', 'new\none', 'new\n|one'],
      ['one|', 'one\nnew', 'one|\nnew'],
      ['one|', 'two|', 'two|'],
      ['on|e two', 'two', '|two'],
      ['|', '', '|'],
    ] as const) {
      const [text, at] = [before.replace('|', ''), before.indexOf('|')];
      const place = moved(at, editBetween(text, after.replace('|', '')), text);
      expect(place, `${before} → ${after}`).to.equal(expected.indexOf('|'));
    }
  });
});

describe('the history of a text', () => {
  /** A text as its user and others change it; the words of the user are in capitals. */
  class Shared {
    text = '';
    readonly history = new EditHistory();

    mine(after: string, isTyped = false): void {
      this.history.record(replacementIn(this.text, after), isTyped);
      this.text = after;
    }

    theirs(after: string): void {
      this.history.rebase(editBetween(this.text, after));
      this.text = after;
    }

    step(how: 'undo' | 'redo'): boolean {
      const edit = this.history[how](this.text);
      if (edit) this.text = apply(edit, this.text);
      return edit !== undefined;
    }
  }

  it('takes back the words of its user, and leaves those of others', () => {
    const shared = new Shared();
    shared.mine('MILK\n');
    shared.theirs('MILK\neggs\n');
    expect(shared.step('undo')).to.equal(true);
    expect(shared.text).to.equal('eggs\n');
    expect(shared.step('undo')).to.equal(false);
    shared.theirs('eggs, ten\n');
    expect(shared.step('redo')).to.equal(true);
    expect(shared.text).to.equal('MILK\neggs, ten\n');
  });

  it('takes back what was typed by words, and what was deleted key by key at once', () => {
    const shared = new Shared();
    for (const key of 'ONE TWO\nTHREE') shared.mine(shared.text + key, true);
    for (const left of ['ONE TWO\nTHRE', 'ONE TWO\nTHR']) shared.mine(left, true);
    const texts = ['ONE TWO\nTHREE', 'ONE TWO\n', 'ONE ', ''];
    for (const text of texts) {
      expect(shared.step('undo')).to.equal(true);
      expect(shared.text).to.equal(text);
    }
    expect(shared.step('undo')).to.equal(false);
    for (const text of [...texts.toReversed().slice(1), 'ONE TWO\nTHR']) {
      expect(shared.step('redo')).to.equal(true);
      expect(shared.text).to.equal(text);
    }
  });

  it('leaves nothing of its user and everything of others, whatever came between', () => {
    const random = randomFrom(49);
    for (let round = 0; round < 300; round += 1) {
      const shared = new Shared();
      let others = 0;
      const insert = (words: string): string => {
        const at = random(shared.text.length + 1);
        return shared.text.slice(0, at) + words + shared.text.slice(at);
      };
      for (let step = 0; step < 12; step += 1) {
        const kind = random(5);
        if (kind === 0) shared.theirs(insert(`${'abc\n'[(others += 1) % 4]}`));
        else if (kind === 1) shared.step('undo');
        else if (kind === 2) shared.step('redo');
        else if (kind === 3) {
          const [start, length] = [random(shared.text.length + 1), random(4)];
          shared.mine(shared.text.slice(0, start) + shared.text.slice(start + length));
        } else shared.mine(insert('MINE'.slice(random(4))));
      }
      while (shared.step('undo'));
      expect(shared.text).to.match(/^[abc\n]*$/);
      expect(shared.text).to.have.length(others);
    }
  });

  it('knows 1,000 steps, and no more', () => {
    const shared = new Shared();
    for (let step = 0; step <= 1_000; step += 1) shared.mine(`${shared.text}X`);
    let steps = 0;
    while (shared.step('undo')) steps += 1;
    expect(steps).to.equal(1_000);
    expect(shared.text).to.equal('X');
  });

  it('forgets the oldest where all have more than 8 MiB, but never the last', () => {
    const shared = new Shared();
    const large = 'x'.repeat(5 * 1024 * 1024);
    for (const text of [large, '', large, '', `${large}${large}`, '']) shared.mine(text);
    expect(shared.step('undo')).to.equal(true);
    expect(shared.text).to.have.length(2 * large.length);
    while (shared.step('undo'));
    expect(shared.text).to.not.equal('');
  });
});

describe('the words of two', () => {
  const base = { title: 'Shopping', text: 'milk\neggs\nbread\n' };
  const merged = (mine: string, theirs: string, text = base.text): string | undefined =>
    mergeWords({ ...base, text }, { ...base, text: mine }, { ...base, text: theirs })?.text;

  for (const [what, mine, theirs, expected] of [
    ['other lines', 'MILK\neggs\nbread\n', 'milk\neggs\nbread, two\n', 'MILK\neggs\nbread, two\n'],
    [
      'lines side by side',
      'MILK\neggs\nbread\n',
      'milk\nten eggs\nbread\n',
      'MILK\nten eggs\nbread\n',
    ],
    ['the same line', 'MILK\neggs\nbread\n', 'soy milk\neggs\nbread\n', undefined],
    [
      'the same line, to the same',
      'oat\neggs\nbread\nMINE\n',
      'oat\neggs\nbread\n',
      'oat\neggs\nbread\nMINE\n',
    ],
    ['the end', `${base.text}MINE`, `${base.text}theirs\n`, `${base.text}theirs\nMINE`],
    ['the start', `MINE\n${base.text}`, `theirs\n${base.text}`, `theirs\nMINE\n${base.text}`],
    ['a line that one has deleted', 'eggs\nbread\n', 'milk, cold\neggs\nbread\n', undefined],
    ['lines of which one has deleted others', 'MILK\neggs\nbread\n', 'milk\n', 'MILK\n'],
    ['nothing, as one has written', base.text, 'milk\n', 'milk\n'],
  ] as const)
    it(`are ${expected === undefined ? 'not ' : ''}merged where they have changed ${what}`, () => {
      expect(merged(mine, theirs)).to.equal(expected);
    });

  it('are merged where one has changed the title, and not where both have', () => {
    const mine = { title: 'Mine', text: base.text };
    const theirs = { title: base.title, text: 'theirs' };
    expect(mergeWords(base, mine, theirs)).to.deep.equal({ title: 'Mine', text: 'theirs' });
    expect(mergeWords(base, mine, { ...theirs, title: 'Theirs' })).to.equal(undefined);
  });

  it('keep every line that one of them has written, whatever both do', () => {
    const random = randomFrom(50);
    let count = 0;
    for (let round = 0; round < 500; round += 1) {
      const text = Array.from({ length: random(12) }, (_, line) => `line ${line}`).join('\n');
      const changed = (name: string): { text: string; added: string[] } => {
        const lines = text.split('\n');
        const added = Array.from({ length: random(4) }, (_, key) => `${name} ${key}`);
        for (const line of added) lines.splice(random(lines.length + 1), 0, line);
        return { text: lines.join('\n'), added };
      };
      const [mine, theirs] = [changed('mine'), changed('theirs')];
      const lines = merged(mine.text, theirs.text, text)?.split('\n');
      if (!lines) continue;
      count += 1;
      expect(lines).to.include.members([...text.split('\n'), ...mine.added, ...theirs.added]);
    }
    expect(count).to.be.above(250);
  });

  it('are merged with 500 changed lines, and not with one more', () => {
    for (const [count, isMerged] of [
      [500, true],
      [501, false],
    ] as const) {
      const mine = base.text + 'MINE\n'.repeat(count);
      const expected = isMerged ? mine.replace('milk', 'soy') : undefined;
      expect(merged(mine, base.text.replace('milk', 'soy')), `${count}`).to.equal(expected);
    }
  });

  it('are compared with 50,000 lines, and not with one more', () => {
    for (const [count, expected] of [
      [50_000, `MINE\n${'line\n'.repeat(49_998)}theirs`],
      [50_001, undefined],
    ] as const) {
      const lines = 'line\n'.repeat(count - 1);
      const [mine, theirs] = [`MINE${lines.slice(4)}`, `${lines}theirs`];
      expect(merged(mine, theirs, lines), `${count}`).to.equal(expected);
    }
  });
});
