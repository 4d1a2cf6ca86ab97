import { msg, str } from '@lit/localize';
import { formatDate, formatNumber } from '../../base/text/format.js';
import { lineChanges } from '../../base/text/line-changes.js';
import { truncateText } from '../../base/text/truncate-text.js';
import { LongDocument, type TextPart } from './long-document.js';
import type { ConsentQuestion, ConsentTexts, NoteBefore } from './question.js';

/** The number of unchanged lines that are shown before and after each change. */
const CONTEXT_LINES = 2;

/** The number of lines that are shown of a note that is to be deleted. */
const FIRST_LINES = 3;

/**
 * The maximum number of removed and added lines that are compared. Texts with more are shown as two texts,
 * the old one and the new one.
 */
const MAX_CHANGED_LINES = 1_000;

/** The change of a note, to which the user is asked to agree. */
export interface ConsentDocument {
  readonly texts: Required<ConsentTexts>;
  readonly text: LongDocument;
  /** The revision of the note from which it is made; absent if the note is new. */
  readonly revision?: number | undefined;
}

/** The arguments of the tools for notes that write something. */
interface NoteArguments {
  readonly title?: string;
  readonly text?: string;
  readonly tags?: readonly string[];
  readonly audience?: readonly string[] | null;
  readonly priority?: number | null;
}

interface NoteTool {
  /** The values that the document shows. */
  readonly shows: readonly (keyof NoteArguments)[];
  parts(before: NoteBefore, note: NoteArguments): readonly TextPart[];
}

const ALL = ['title', 'text', 'tags', 'audience', 'priority'] as const;

/** The tools of `@inpage-mcp/server` that write notes. */
const TOOLS: { readonly [tool: string]: NoteTool } = {
  create_note: {
    shows: ALL,
    parts: (before, { title = '', text = '', ...rest }) => [
      titlePart(title),
      { text },
      ...factParts(before, rest),
    ],
  },
  update_note: {
    shows: ALL,
    parts: (before, { title = before.title, text = before.text, ...rest }) => [
      ...(title === before.title ? [titlePart(title)] : changedTitle(before.title, title)),
      ...changedParts(linesOf(before.text), linesOf(text)),
      ...factParts(before, rest),
    ],
  },
  append_to_note: {
    shows: ['text'],
    parts: ({ title, text }, { text: addition = '' }) => [
      titlePart(title),
      ...unchangedParts(linesOf(text), { isFirst: true, isLast: false }),
      { text: addition, kind: 'added' },
    ],
  },
  delete_note: {
    shows: [],
    parts: (before) => [titlePart(before.title), ...firstLines(before), ...dateParts(before)],
  },
};

/** The arguments that no document shows: they name the note, and write nothing. */
const SILENT = ['id', 'expectedRevision', 'idempotencyKey'];

const EMPTY: NoteBefore = { title: '', text: '', revision: 0 };

/**
 * Makes the document of a question; `undefined` if the question is not about a note, the note cannot be read,
 * or the call has a value that the document would not show.
 */
export async function documentOf({
  tool,
  arguments: values,
  documents,
}: ConsentQuestion): Promise<ConsentDocument | undefined> {
  const noteTool = Object.hasOwn(TOOLS, tool ?? '') ? TOOLS[tool!]! : undefined;
  if (!documents || !noteTool || !isShownBy(noteTool, values)) return undefined;
  const texts = wordsOf(tool!);
  if (tool === 'create_note')
    return { texts, text: new LongDocument(noteTool.parts(EMPTY, values)) };
  const id = String(values.id).replace(/^note:\/\/\//, '');
  const before = await documents.notes.get(id).catch(() => undefined);
  if (!before) return undefined;
  const text = new LongDocument(noteTool.parts(before, values));
  return { texts, text, revision: before.revision };
}

/** The types of the values that are shown; `null` removes a fact. */
const TYPES: { readonly [name in keyof NoteArguments]-?: (value: unknown) => boolean } = {
  title: isText,
  text: isText,
  tags: areTexts,
  audience: (value) => value === null || areTexts(value),
  priority: (value) => value === null || typeof value === 'number',
};

/** Whether a document shows everything that the tool will write. */
function isShownBy(
  { shows }: NoteTool,
  values: unknown,
): values is NoteArguments & { id?: unknown } {
  if (typeof values !== 'object' || values === null) return false;
  return Object.entries(values).every(([name, value]) => {
    const shown = shows.find((one) => one === name);
    return value === undefined || SILENT.includes(name) || (shown && TYPES[shown](value));
  });
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

function areTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every(isText);
}

function wordsOf(tool: string): Required<ConsentTexts> {
  const no = msg('Don’t', { id: 'mcp.consent.do-not' });
  const add = msg('Add it', { id: 'mcp.consent.add-it' });
  switch (tool) {
    case 'create_note':
      return { title: msg('Add this note?', { id: 'mcp.consent.add-note' }), yes: add, no };
    case 'append_to_note':
      return { title: msg('Add this to the note?', { id: 'mcp.consent.add-to' }), yes: add, no };
    case 'delete_note': {
      const title = msg('Delete this note for good?', { id: 'mcp.consent.delete-note' });
      return { title, yes: msg('Delete it', { id: 'mcp.consent.delete-it' }), no };
    }
    default: {
      const title = msg('Change this note?', { id: 'mcp.consent.change-note' });
      return { title, yes: msg('Change it', { id: 'mcp.consent.change-it' }), no };
    }
  }
}

function titlePart(title: string): TextPart {
  return { text: title || msg('Untitled note', { id: 'mcp.consent.untitled' }), kind: 'title' };
}

/** The first lines of a note that is to be deleted, because several notes may have the same title. */
function firstLines({ text }: NoteBefore): TextPart[] {
  const lines = linesOf(text).filter((line) => line.trim() !== '');
  const [first, rest] = [lines.slice(0, FIRST_LINES), lines.slice(FIRST_LINES)];
  const count = formatNumber(rest.length);
  const more = msg(str`More lines: ${count}`, { id: 'mcp.consent.more-lines' });
  return [
    ...first.map((line) => ({ text: truncateText(line) })),
    ...(rest.length > 0 ? [{ text: more, kind: 'skipped' as const }] : []),
  ];
}

function dateParts({ updatedAt }: NoteBefore): TextPart[] {
  if (updatedAt === undefined) return [];
  const date = formatDate(updatedAt);
  return [{ text: msg(str`Changed: ${date}`, { id: 'mcp.consent.changed-at' }), kind: 'label' }];
}

function changedTitle(before: string, title: string): TextPart[] {
  const label = msg('Title', { id: 'mcp.editor.title' });
  return [{ text: label, kind: 'label' }, ...changedParts([before], [title])];
}

/** The other facts of a note: each with its name, if it changes. */
function factParts(before: NoteBefore, { tags, audience, priority }: NoteArguments): TextPart[] {
  const facts: [name: string, old: readonly string[] | undefined, now: typeof tags | null][] = [
    [msg('Tags', { id: 'mcp.consent.tags' }), before.tags, tags],
    [msg('Audience', { id: 'mcp.consent.audience' }), before.audience, audience],
    [
      msg('Priority', { id: 'mcp.consent.priority' }),
      before.priority === undefined ? [] : [String(before.priority)],
      typeof priority === 'number' ? [String(priority)] : priority,
    ],
  ];
  return facts.flatMap(([text, old = [], now]): TextPart[] =>
    now === undefined ? [] : [{ text, kind: 'label' }, ...changedParts(old, now ?? [])],
  );
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.split('\n');
}

/** The removed and added lines, with the lines around them; the others are counted. */
function changedParts(before: readonly string[], after: readonly string[]): TextPart[] {
  const changes = lineChanges(before, after, MAX_CHANGED_LINES);
  if (!changes)
    return [
      { text: before.join('\n'), kind: 'removed' },
      { text: after.join('\n'), kind: 'added' },
    ];
  let at = 0;
  const parts = changes.flatMap(({ start, end, lines }, index): TextPart[] => {
    const around = unchangedParts(before.slice(at, start), { isFirst: index === 0, isLast: false });
    const removed = before.slice(start, end);
    at = end;
    return [
      ...around,
      ...(removed.length > 0 ? [{ text: removed.join('\n'), kind: 'removed' as const }] : []),
      ...(lines.length > 0 ? [{ text: lines.join('\n'), kind: 'added' as const }] : []),
    ];
  });
  const rest = { isFirst: changes.length === 0, isLast: true };
  return [...parts, ...unchangedParts(before.slice(at), rest)];
}

function unchangedParts(
  lines: readonly string[],
  { isFirst, isLast }: { isFirst: boolean; isLast: boolean },
): TextPart[] {
  const head = isFirst ? 0 : CONTEXT_LINES;
  const tail = isLast ? 0 : CONTEXT_LINES;
  const skipped = lines.length - head - tail;
  // One line takes no more room than the number of skipped lines.
  if (skipped <= 1) return lines.length > 0 ? [{ text: lines.join('\n') }] : [];
  const count = formatNumber(skipped);
  const text = msg(str`Lines that stay as they are: ${count}`, { id: 'mcp.consent.unchanged' });
  const [first, last] = [lines.slice(0, head), lines.slice(lines.length - tail)];
  return [
    ...(head > 0 ? [{ text: first.join('\n') }] : []),
    { text, kind: 'skipped' as const },
    ...(tail > 0 ? [{ text: last.join('\n') }] : []),
  ];
}
