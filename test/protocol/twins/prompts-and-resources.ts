import type { InputRequiredResult, ResourceContents } from '@inpage-mcp/protocol';
import { inJson, NAME_FORM } from './questions.js';
import { SOME_MEDIA } from './tools.js';
import type { TwinCall, TwinPrompt } from './twin.js';

const resultType = 'input_required';

/** The prompts of both servers. */
export const TWIN_PROMPTS: readonly TwinPrompt[] = [
  {
    name: 'plain',
    arguments: {},
    run: () => ({ messages: [{ role: 'user', content: { type: 'text', text: 'Plain.' } }] }),
  },
  {
    name: 'describe',
    arguments: {
      animal: { required: true, values: ['cat', 'camel', 'dog'] },
      tone: {},
    },
    run: ({ animal, tone = 'plain' }) => ({
      messages: [
        { role: 'user', content: { type: 'text', text: `${animal ?? ''}, ${tone}` } },
        { role: 'assistant', content: SOME_MEDIA.image },
        { role: 'user', content: SOME_MEDIA.embedded },
      ],
    }),
  },
  {
    name: 'fails',
    arguments: {},
    run() {
      throw new Error('It broke.');
    },
  },
  {
    name: 'asks',
    arguments: {},
    run(_args, { inputResponses }) {
      const answer = inputResponses?.['name'];
      if (!answer) return { resultType, inputRequests: { name: NAME_FORM } };
      return { messages: [{ role: 'user', content: { type: 'text', text: inJson(answer) } }] };
    },
  },
];

/** How many resources are listed, and how many of them one page holds. */
const COUNT = 5;
const PAGE = 2;

/** The template of both servers, and what its variable may be. */
export const TEMPLATE = 'twin:/items/{item}';
export const ITEMS = Array.from({ length: 120 }, (_, index) => `item-${index}`);

/** The addresses of both servers that no template has. */
export const URIS: readonly string[] = [
  ...Array.from({ length: COUNT }, (_, index) => `twin:/${index}`),
  'twin:/text',
  'twin:/blob',
  'twin:/several',
  'twin:/asks',
  'twin:/breaks',
];

/** A page of the resources; `undefined` for a cursor that was not given out. */
export function resourcePage(
  cursor: string | undefined,
): { resources: { uri: string; name: string }[]; nextCursor?: string } | undefined {
  const start = cursor === undefined ? 0 : Number(/^page-(\d)$/.exec(cursor)?.[1] ?? Number.NaN);
  if (Number.isNaN(start) || start >= COUNT) return undefined;
  const end = Math.min(start + PAGE, COUNT);
  const resources = Array.from({ length: end - start }, (_, index) => ({
    uri: `twin:/${start + index}`,
    name: `resource ${start + index}`,
    mimeType: 'text/plain',
  }));
  return end < COUNT ? { resources, nextCursor: `page-${end}` } : { resources };
}

/** What is at an address; `undefined` if nothing is. */
export function resourceContents(
  uri: string,
  { inputResponses }: TwinCall,
): ResourceContents[] | InputRequiredResult | undefined {
  switch (uri) {
    case 'twin:/breaks':
      throw new Error('It broke.');
    case 'twin:/asks':
      if (inputResponses?.['name']) return [{ uri, text: inJson(inputResponses) }];
      return { resultType, inputRequests: { name: NAME_FORM } };
    case 'twin:/blob':
      return [{ uri, mimeType: 'image/png', blob: 'AAAA' }];
    case 'twin:/several':
      return [
        { uri: 'twin:/0', text: '0' },
        { uri: 'twin:/1', text: '1' },
      ];
    default: {
      const item = /^twin:\/items\/([\w-]+)$/.exec(uri)?.[1];
      const isThere = item !== undefined || URIS.includes(uri);
      return isThere ? [{ uri, mimeType: 'text/plain', text: item ?? uri }] : undefined;
    }
  }
}
