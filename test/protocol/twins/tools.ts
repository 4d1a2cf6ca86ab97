import type { ContentBlock } from '@inpage-mcp/protocol';
import { ASKING_TOOLS } from './questions.js';
import type { LateWork, TwinResult, TwinTool } from './twin.js';

const text = (value: string): TwinResult => ({ content: [{ type: 'text', text: value }] });

const NO_INPUT = { type: 'object', properties: {} } as const;
const PAIR = {
  type: 'object',
  properties: { a: { type: 'number' }, b: { type: 'number' } },
  required: ['a', 'b'],
  additionalProperties: false,
} as const;
const SUM = { type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] };

const IMAGE: ContentBlock = { type: 'image', data: 'AAAA', mimeType: 'image/png' };
const AUDIO: ContentBlock = { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' };
const EMBEDDED: ContentBlock = {
  type: 'resource',
  resource: { uri: 'twin:/text', mimeType: 'text/plain', text: 'Text.' },
};
const LINK: ContentBlock = { type: 'resource_link', uri: 'twin:/text', name: 'text' };

const TEXT_TOOLS: readonly TwinTool[] = [
  {
    name: 'echo',
    description: 'Repeats its argument.',
    input: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
    run: ({ text: said }) => text(`You said ${String(said)}.`),
  },
  { name: 'nothing', input: NO_INPUT, run: () => ({ content: [] }) },
  {
    name: 'add',
    input: PAIR,
    output: SUM,
    run({ a, b }) {
      const structuredContent = { sum: (a as number) + (b as number) };
      return { ...text(JSON.stringify(structuredContent)), structuredContent };
    },
  },
  {
    name: 'adds_without_words',
    input: PAIR,
    output: SUM,
    run: ({ a, b }) => ({ structuredContent: { sum: (a as number) + (b as number) } }),
  },
];

const MEDIA_TOOLS: readonly TwinTool[] = [
  { name: 'image', input: NO_INPUT, run: () => ({ content: [IMAGE] }) },
  { name: 'audio', input: NO_INPUT, run: () => ({ content: [AUDIO] }) },
  { name: 'embedded', input: NO_INPUT, run: () => ({ content: [EMBEDDED] }) },
  { name: 'link', input: NO_INPUT, run: () => ({ content: [LINK] }) },
  {
    name: 'all_media',
    input: NO_INPUT,
    run: () => ({ content: [IMAGE, AUDIO, EMBEDDED, { type: 'text', text: 'All.' }] }),
  },
];

const FAILING_TOOLS: readonly TwinTool[] = [
  {
    name: 'wrong_output',
    input: NO_INPUT,
    output: SUM,
    run: () => ({ content: [], structuredContent: { sum: 'many' } }),
  },
  {
    name: 'wrong_content',
    input: NO_INPUT,
    run: () => ({ content: [{ type: 'text' } as never] }),
  },
  {
    name: 'uncloneable',
    input: NO_INPUT,
    run: () => ({ content: [], _meta: { call: () => 0 } }),
  },
  {
    name: 'says_it_failed',
    input: NO_INPUT,
    output: SUM,
    run: () => ({ ...text('It did not work.'), isError: true }),
  },
  {
    name: 'fails',
    input: NO_INPUT,
    run() {
      throw new Error('It broke.');
    },
  },
  {
    name: 'fails_later',
    input: NO_INPUT,
    run: () => Promise.reject(new Error('It broke.')),
  },
];

const REPORTING_TOOLS: readonly TwinTool[] = [
  {
    name: 'reports',
    input: NO_INPUT,
    run(_args, call) {
      call.progress(0, 2, 'It begins.');
      call.progress(0.5, 2);
      call.progress(2);
      return text('Reported.');
    },
  },
  {
    name: 'logs',
    input: NO_INPUT,
    run(_args, call) {
      call.log('debug', 'a text');
      call.log('info', { some: ['data'] }, 'a logger');
      call.log('warning', null);
      call.log('emergency', 'the last', 'a logger');
      return text('Logged.');
    },
  },
  {
    name: 'logs_and_reports',
    input: NO_INPUT,
    run(_args, call) {
      call.log('error', 'first');
      call.progress(1, 3);
      call.log('error', 'second');
      call.progress(2, 3);
      throw new Error('It broke after that.');
    },
  },
];

/** Waits until it is cancelled, and says so then. */
const WAITS: TwinTool = {
  name: 'waits',
  input: NO_INPUT,
  run(_args, call) {
    call.progress(1);
    call.log('error', 'waits');
    return new Promise((resolve) =>
      call.signal.addEventListener('abort', () => {
        call.progress(2);
        call.log('error', 'too late');
        resolve(text('Cancelled.'));
      }),
    );
  },
};

/** Logs and reports also when it has answered. */
function goesOn(late: LateWork): TwinTool {
  return {
    name: 'goes_on',
    input: NO_INPUT,
    run(_args, call) {
      call.progress(1);
      call.log('error', 'in time');
      late.add(() => {
        call.progress(2);
        call.log('error', 'too late');
      });
      return text('Goes on.');
    },
  };
}

/** The tools of both servers. */
export function twinTools(late: LateWork): TwinTool[] {
  const fixed = [TEXT_TOOLS, MEDIA_TOOLS, FAILING_TOOLS, REPORTING_TOOLS, ASKING_TOOLS].flat();
  return [...fixed, WAITS, goesOn(late)];
}

/** Tools that neither server has before they are added. */
export const ADDED_TOOLS = {
  added: { name: 'added', input: NO_INPUT, run: () => text('Added.') },
  list: {
    name: 'list',
    input: NO_INPUT,
    output: { type: 'array', items: { type: 'number' } },
    run: () => ({ ...text('[1,2]'), structuredContent: [1, 2] }),
  },
} satisfies { [name: string]: TwinTool };

/** Content for prompts. */
export const SOME_MEDIA = { image: IMAGE, embedded: EMBEDDED };
