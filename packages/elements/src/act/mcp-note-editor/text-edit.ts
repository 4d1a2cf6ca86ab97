import { lineChanges } from '../../base/text/line-changes.js';

/**
 * A change of a text, from its start to its end. A positive number keeps this many UTF-16 code units, a
 * negative one deletes as many, and a string is inserted. The text after the last part stays.
 */
export type TextEdit = readonly (number | string)[];

/** A part of a text that is replaced. */
export interface Replacement {
  start: number;
  removed: string;
  added: string;
}

/** Deletes `length` code units from `start` on, and inserts a text there. */
export const replacing = (start: number, length: number, added: string): TextEdit =>
  [start, -length, added].filter(Boolean);

/** The edit that changes one text into another: by lines if they can be compared, and within them. */
export function editBetween(before: string, after: string): TextEdit {
  const [old, now] = [before, after].map((text) => text.split(/(?<=\n)/));
  const changes = lineChanges(old!, now!) ?? [{ start: 0, end: old!.length, lines: now! }];
  const edit: (number | string)[] = [];
  let line = 0;
  for (const { start, end, lines } of changes) {
    const kept = lengthOf(old!.slice(line, start));
    const {
      start: head,
      removed,
      added,
    } = replacementIn(old!.slice(start, end).join(''), lines.join(''));
    const tail = lengthOf(old!.slice(start, end)) - head - removed.length;
    edit.push(kept + head, -removed.length, added, tail);
    line = end;
  }
  return joined(edit);
}

/** The single part in which two texts differ; its ends are never within a character. */
export function replacementIn(before: string, after: string): Replacement {
  const start = commonStart(before, after);
  const tail = commonEnd(before, after, start);
  return {
    start,
    removed: before.slice(start, before.length - tail),
    added: after.slice(start, after.length - tail),
  };
}

/** The text after an edit. */
export function apply(edit: TextEdit, text: string): string {
  let at = 0;
  let result = '';
  for (const part of edit) {
    if (typeof part === 'string') result += part;
    else if (part > 0) result += text.slice(at, (at += part));
    else at -= part;
  }
  return result + text.slice(at);
}

/** The edit that undoes an edit of a text. */
export function inverse(edit: TextEdit, text: string): TextEdit {
  let at = 0;
  return edit.map((part) => {
    if (typeof part === 'string') return -part.length;
    if (part > 0) at += part;
    return part > 0 ? part : text.slice(at, (at -= part));
  });
}

/**
 * Adapts an edit to a text that another edit of the same text has already changed. If both insert at one
 * place, the text of the edit that is `first` comes first.
 */
export function rebase(edit: TextEdit, over: TextEdit, isFirst: boolean): TextEdit {
  const result: (number | string)[] = [];
  const others = [...over];
  for (const whole of edit) {
    let part = whole;
    for (;;) {
      const other = others[0] ?? Infinity;
      if (typeof part === 'string' && (isFirst || typeof other !== 'string')) {
        result.push(part);
        break;
      }
      if (typeof other === 'string') {
        result.push(other.length);
        others.shift();
        continue;
      }
      const left = Math.abs(part as number);
      const length = Math.min(left, Math.abs(other));
      if (length === Math.abs(other)) others.shift();
      else others[0] = other - Math.sign(other) * length;
      // A part that the other edit has deleted cannot be deleted again.
      if (other > 0) result.push(Math.sign(part as number) * length);
      if (length === left) break;
      part = (part as number) - Math.sign(part as number) * length;
    }
  }
  return joined(result);
}

/**
 * The position that a place in a text has after an edit. It stays before a text that is inserted there, but
 * moves after a line that is inserted above its own line, and after a text that replaces the text before it.
 */
export function moved(at: number, edit: TextEdit, text: string): number {
  const isAtLineStart = at === 0 || text[at - 1] === '\n';
  let [from, to] = [0, 0];
  let isReplaced = false;
  for (const part of edit) {
    if (typeof part === 'string') {
      if (from === at && !isReplaced && !(isAtLineStart && part.endsWith('\n'))) break;
      to += part.length;
    } else {
      if (at - from < Math.abs(part)) return part > 0 ? to + at - from : to;
      from += Math.abs(part);
      if (part > 0) to += part;
    }
    isReplaced = typeof part === 'number' && part < 0;
  }
  return to + at - from;
}

/** An edit without empty parts, in which adjacent parts of one kind are joined. */
function joined(edit: TextEdit): TextEdit {
  const result: (number | string)[] = [];
  for (const part of edit) {
    const last = result.at(-1) ?? 0;
    if (!part) continue;
    if (typeof part === 'string' && typeof last === 'string') result.splice(-1, 1, last + part);
    else if (typeof part === 'number' && typeof last === 'number' && last * part > 0)
      result.splice(-1, 1, last + part);
    else result.push(part);
  }
  return result;
}

const lengthOf = (lines: readonly string[]): number =>
  lines.reduce((sum, { length }) => sum + length, 0);

/** The length of the common start, which does not end within a character. */
function commonStart(a: string, b: string): number {
  const max = Math.min(a.length, b.length);
  let length = 0;
  while (length < max && a.charCodeAt(length) === b.charCodeAt(length)) length += 1;
  return length > 0 && /[\ud800-\udbff]/.test(a[length - 1]!) ? length - 1 : length;
}

/** The length of the common end after a common start, which does not begin within a character. */
function commonEnd(a: string, b: string, start: number): number {
  const max = Math.min(a.length, b.length) - start;
  let length = 0;
  while (length < max && a.at(-1 - length) === b.at(-1 - length)) length += 1;
  return length > 0 && /[\udc00-\udfff]/.test(a.at(-length)!) ? length - 1 : length;
}
