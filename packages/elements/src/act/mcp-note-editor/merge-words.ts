import { lineChanges, type LineChange } from '../../base/text/line-changes.js';
import type { NoteWords } from './note-storage.js';

/**
 * Merges the changes of two authors to a note; `undefined` if both have changed the same line, or the title,
 * or so much that it is not compared. If both have inserted lines at one place, theirs come first.
 */
export function mergeWords(
  base: NoteWords,
  mine: NoteWords,
  theirs: NoteWords,
): NoteWords | undefined {
  const title = mergeWhole(base.title, mine.title, theirs.title);
  const text =
    mergeWhole(base.text, mine.text, theirs.text) ?? mergeLines(base.text, mine.text, theirs.text);
  return title === undefined || text === undefined ? undefined : { title, text };
}

/** Merges a text as a whole, if only one author has changed it, or both have made the same change. */
function mergeWhole(base: string, mine: string, theirs: string): string | undefined {
  if (mine === theirs || theirs === base) return mine;
  return mine === base ? theirs : undefined;
}

function mergeLines(base: string, mine: string, theirs: string): string | undefined {
  const lines = base.split('\n');
  const [own, other] = [mine, theirs].map((text) => lineChanges(lines, text.split('\n')));
  if (!own || !other) return undefined;
  const merged: string[] = [];
  let at = 0;
  const take = ({ start, end, lines: added }: LineChange): void => {
    merged.push(...lines.slice(at, start), ...added);
    at = end;
  };
  while (own.length > 0 || other.length > 0) {
    const [a, b] = [own[0], other[0]];
    if (a && b && areSame(a, b)) {
      own.shift();
      continue;
    }
    if (a && b && a.start < b.end && b.start < a.end) return undefined;
    const isTheirs = !a || (b && (b.start < a.start || (b.start === a.start && b.end <= a.start)));
    take((isTheirs ? other : own).shift()!);
  }
  merged.push(...lines.slice(at));
  return merged.join('\n');
}

const areSame = (a: LineChange, b: LineChange): boolean =>
  a.start === b.start && a.end === b.end && a.lines.join('\n') === b.lines.join('\n');
