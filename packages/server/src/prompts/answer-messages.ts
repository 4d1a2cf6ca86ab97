import type { NoteSummary } from '@inpage-mcp/store';
import type { Call, PromptMessage } from '@inpage-mcp/protocol';
import type { Connection } from '../access/connection-context.js';
import { AS_DATA, readIfExists, resourceMessage, textMessage } from './prompt-contents.js';
import { notesForQuestion } from './question-notes.js';
import { noteUri } from '../resources/resource-uris.js';

/** The maximum number of attached notes. */
const MAX_ATTACHED_NOTES = 10;
/** The maximum total size of their texts, in bytes of UTF-8. */
const MAX_ATTACHED_BYTES = 256 * 1024;

const ANSWER =
  'Answer the question at the end from the attached notes of the user, and from nothing else. Name ' +
  `the notes that the answer rests on. If they do not answer it, say so. ${AS_DATA}`;

const NO_NOTE =
  'No note of the user holds the words of the question below, so nothing is attached. Say so, and ' +
  'ask for other words, rather than guessing what the notes might say.';

const NO_TAGGED_NOTE =
  'No note of the user with the tag that was asked for holds the words of the question below, so ' +
  'nothing is attached. Say so, and ask for other words or another tag, rather than guessing what ' +
  'the notes might say.';

const TOO_LONG =
  'The notes of the user that fit the question below are too long to be attached. Say so, and ask ' +
  'for other words, rather than guessing what the notes might say.';

/**
 * The messages of `answer_from_notes`: the instruction, the notes that match the question best, how
 * many were omitted, and last the question in a separate message.
 */
export async function answerMessages(
  call: Call<Connection>,
  question: string,
  tag: string | undefined,
): Promise<PromptMessage[]> {
  const { store } = call.context;
  const found = await notesForQuestion(store, question, { tag, signal: call.signal });
  const { messages, gone } = await attach(call, found.notes);
  const fitting = found.total - gone;
  const rest = found.unsearched > 0 ? [textMessage(unsearchedText(found.unsearched))] : [];
  if (fitting <= 0) {
    const instruction = tag === undefined ? NO_NOTE : NO_TAGGED_NOTE;
    return [textMessage(instruction), ...rest, textMessage(question)];
  }
  const leftOut = fitting - messages.length;
  return [
    textMessage(messages.length > 0 ? ANSWER : TOO_LONG),
    ...messages,
    ...(leftOut > 0 ? [textMessage(leftOutText(leftOut, found.isAtLeast))] : []),
    ...rest,
    textMessage(question),
  ];
}

interface Attached {
  messages: PromptMessage[];
  /** The number of found notes that were deleted since. */
  gone: number;
}

/** Reads as many notes as fit, the best first, all at once, so that they wait for writes only once. */
async function attach(call: Call<Connection>, notes: readonly NoteSummary[]): Promise<Attached> {
  const chosen = chooseFitting(notes, ({ size }) => size);
  const read = await Promise.all(chosen.map(({ id }) => readIfExists(call, noteUri(id))));
  const found = read.filter((contents) => contents !== undefined && 'text' in contents);
  // A note may have grown since it was found.
  const attached = chooseFitting(found, ({ text }) => new TextEncoder().encode(text).length);
  return { messages: attached.map(resourceMessage), gone: chosen.length - found.length };
}

/** The first entries that fit. Skips an entry that is too long for the rest. */
function chooseFitting<Sized>(all: readonly Sized[], sizeOf: (one: Sized) => number): Sized[] {
  let room = MAX_ATTACHED_BYTES;
  const fits = (one: Sized): boolean => {
    const size = sizeOf(one);
    if (size > room) return false;
    room -= size;
    return true;
  };
  return all.filter(fits).slice(0, MAX_ATTACHED_NOTES);
}

function unsearchedText(count: number): string {
  return `Say that ${count} notes, written lately, could not be searched yet.`;
}

function leftOutText(leftOut: number, isAtLeast: boolean): string {
  const count = `${isAtLeast ? 'at least ' : ''}${leftOut}`;
  return `Left out, to keep this short: ${count} more of the notes that fit the question.`;
}
