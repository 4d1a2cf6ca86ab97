import { invalidParams, type Prompt } from '@inpage-mcp/protocol';
import { answerMessages } from './answer-messages.js';
import type { Connection, Feature } from '../access/connection-context.js';
import { ICONS } from '../resources/icons.js';
import { definePrompt } from './define-prompt.js';
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
  return (server) => {
    for (const prompt of [summarizeNote, answerFromNotes, compareNotes, describeImage]) {
      server.addPrompt(prompt);
    }
  };
}

const summarizeNote: Prompt<Connection> = definePrompt({
  name: 'summarize_note',
  title: 'Summarize a note',
  description: 'Says in short what a note says.',
  icons: ICONS.summarize,
  arguments: { note: noteArgument('The title, id or note:/// uri of the note.') },
  async run({ note }, call) {
    const contents = await readNamedNote(call, note);
    return { messages: [textMessage(SUMMARIZE), resourceMessage(contents)] };
  },
});

const answerFromNotes: Prompt<Connection> = definePrompt({
  name: 'answer_from_notes',
  title: 'Answer from the notes',
  description: 'Answers a question from the notes that fit it best.',
  icons: ICONS.answer,
  arguments: {
    question: textArgument('The question, in words that the notes may hold.'),
    tag: tagArgument('Only notes with this tag.'),
  },
  async run({ question, tag }, call) {
    // An empty form field counts as absent.
    return { messages: await answerMessages(call, question, tag === '' ? undefined : tag) };
  },
});

const compareNotes: Prompt<Connection> = definePrompt({
  name: 'compare_notes',
  title: 'Compare two notes',
  description: 'Says what two notes agree on and where they differ.',
  icons: ICONS.compare,
  arguments: {
    first: noteArgument('The title, id or note:/// uri of a note.'),
    second: noteArgument('The title, id or note:/// uri of another note.', 'first'),
  },
  async run({ first, second }, call) {
    const left = await readNamedNote(call, first);
    const right = await readNamedNote(call, second);
    if (left.uri === right.uri) throw invalidParams('Both arguments name the same note.');
    return { messages: [textMessage(COMPARE), resourceMessage(left), resourceMessage(right)] };
  },
});

const describeImage: Prompt<Connection> = definePrompt({
  name: 'describe_image',
  title: 'Describe an image',
  description: 'Says what an image among the files shows.',
  icons: ICONS.describe,
  arguments: { path: imageArgument('The path or file:/// uri of the image.') },
  run: async ({ path }, call) => ({
    messages: [textMessage(DESCRIBE), await readImage(call, path)],
  }),
});
