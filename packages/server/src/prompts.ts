import type { McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { answerMessages } from './answer-messages.js';
import type { Connection, Feature } from './connection.js';
import { ICONS } from './icons.js';
import { invalidParams } from './protocol-errors.js';
import { imageArgument, noteArgument, tagArgument, textArgument } from './prompt-arguments.js';
import {
  AS_DATA,
  readImage,
  readNamedNote,
  resourceMessage,
  textMessage,
} from './prompt-contents.js';

const SUMMARIZE =
  'Summarize the attached note in a few sentences, in its own language: its main points, then what ' +
  `it says is still to be done, if anything. ${AS_DATA}`;

const COMPARE =
  'Compare the two attached notes, the first with the second: what they agree on, where they differ ' +
  `or contradict each other, and what only one of them says. ${AS_DATA}`;

const DESCRIBE =
  'Describe the attached image: what it shows, what stands out, and any text in it, word for word. ' +
  AS_DATA;

/**
 * The prompts about the user's notes and images: `summarize_note`, `answer_from_notes`,
 * `compare_notes` and `describe_image`.
 */
export function notePrompts(): Feature {
  return (mcp, connection) => {
    registerSummarizeNote(mcp, connection);
    registerAnswerFromNotes(mcp, connection);
    registerCompareNotes(mcp, connection);
    registerDescribeImage(mcp, connection);
  };
}

function registerSummarizeNote(mcp: McpServer, connection: Connection): void {
  const config = {
    title: 'Summarize a note',
    description: 'Says in short what a note says.',
    icons: ICONS.summarize,
    argsSchema: z.object({
      note: noteArgument(connection.store, 'The title, id or note:/// uri of the note.'),
    }),
  };
  mcp.registerPrompt('summarize_note', config, async ({ note }, { mcpReq: { signal } }) => {
    const contents = await readNamedNote(connection, note, signal);
    return { messages: [textMessage(SUMMARIZE), resourceMessage(contents)] };
  });
}

function registerAnswerFromNotes(mcp: McpServer, connection: Connection): void {
  const { store } = connection;
  const config = {
    title: 'Answer from the notes',
    description: 'Answers a question from the notes that fit it best.',
    icons: ICONS.answer,
    argsSchema: z.object({
      question: textArgument('The question, in words that the notes may hold.'),
      tag: tagArgument(store, 'Only notes with this tag.'),
    }),
  };
  mcp.registerPrompt('answer_from_notes', config, async (args, { mcpReq: { signal } }) => {
    const { question } = args;
    const tag = args.tag === '' ? undefined : args.tag;
    return { messages: await answerMessages(connection, question, { tag, signal }) };
  });
}

function registerCompareNotes(mcp: McpServer, connection: Connection): void {
  const { store } = connection;
  const config = {
    title: 'Compare two notes',
    description: 'Says what two notes agree on and where they differ.',
    icons: ICONS.compare,
    argsSchema: z.object({
      first: noteArgument(store, 'The title, id or note:/// uri of a note.'),
      second: noteArgument(store, 'The title, id or note:/// uri of another note.', 'first'),
    }),
  };
  mcp.registerPrompt('compare_notes', config, async ({ first, second }, { mcpReq: { signal } }) => {
    const left = await readNamedNote(connection, first, signal);
    const right = await readNamedNote(connection, second, signal);
    if (left.uri === right.uri) throw invalidParams('Both arguments name the same note.');
    return { messages: [textMessage(COMPARE), resourceMessage(left), resourceMessage(right)] };
  });
}

function registerDescribeImage(mcp: McpServer, connection: Connection): void {
  const config = {
    title: 'Describe an image',
    description: 'Says what an image among the files shows.',
    icons: ICONS.describe,
    argsSchema: z.object({
      path: imageArgument(connection.store, 'The path or file:/// uri of the image.'),
    }),
  };
  mcp.registerPrompt('describe_image', config, async ({ path }, { mcpReq: { signal } }) => ({
    messages: [textMessage(DESCRIBE), await readImage(connection, path, signal)],
  }));
}
