import {
  definePrompt,
  defineTool,
  MAX_URI_LENGTH,
  type Connection,
  type Feature,
  type Prompt,
} from '@inpage-mcp/server';
import type { Bookmarks } from './bookmarks.js';

/** RFC 3986: a scheme, then the characters that any URI may be made of. */
const ABSOLUTE_URI =
  "^[A-Za-z][A-Za-z0-9+.-]*:(?:[A-Za-z0-9\\-._~:/?#[\\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})+$";

/** The schemes that other providers of this server answer for. */
const TAKEN_SCHEMES = ['note', 'file', 'inpage', 'app', 'clock', 'weather'];

/** A plain JSON Schema: clients are shown it, and the server checks arguments with it. */
const bookmarkInput = {
  type: 'object',
  properties: {
    uri: {
      type: 'string',
      description: 'Any absolute URI; kept as it is spelled.',
      maxLength: MAX_URI_LENGTH,
      pattern: ABSOLUTE_URI,
      not: { pattern: `^(?:${TAKEN_SCHEMES.map(inAnyCase).join('|')}):` },
      errorMessage: {
        pattern: 'must be an absolute URI (RFC 3986)',
        not: 'must have another scheme: the server itself answers for this one',
      },
    },
    title: { type: 'string', minLength: 1, maxLength: 200 },
    text: {
      type: 'string',
      description: 'What is read at the address.',
      maxLength: 10_000,
      default: '',
    },
  },
  required: ['uri', 'title'],
  additionalProperties: false,
} as const;

/** A tool and a prompt of the app's own, for all connections of the server. */
export function bookmarkFeatures(bookmarks: Bookmarks): Feature {
  const addBookmark = defineTool({
    name: 'add_bookmark',
    title: 'Add a bookmark',
    description: 'Keeps an address with a title and a text. Replaces one of the same address.',
    input: bookmarkInput,
    // It does not say that it only reads: a connection with `write: 'deny'` does not even see it.
    annotations: { destructiveHint: true, idempotentHint: true, openWorldHint: false },
    // With `write: 'ask'` the user is asked this, and `run` is not called unless they agree.
    question: ({ uri }) => `Add the bookmark ${uri}?`,
    run(bookmark) {
      const { uri, title } = bookmark;
      bookmarks.add(bookmark);
      return {
        content: [{ type: 'text', text: `Added ${title}.` }],
        links: [{ type: 'resource_link', uri, name: title }],
      };
    },
  });

  return (server) => {
    server.addTool(addBookmark);
    server.addPrompt(explainBookmark);
  };
}

const explainBookmark: Prompt<Connection> = definePrompt({
  name: 'explain_bookmark',
  title: 'Explain a bookmark',
  description: 'What a bookmarked page or file is about.',
  arguments: {
    uri: {
      description: 'The address of the bookmark, exactly as it is listed.',
      required: true,
    },
  },
  async run({ uri }, { context, signal }) {
    // Through the router, which fails for a missing address as `resources/read` does.
    const contents = await context.router.read(uri, { signal });
    const question = `Explain in two sentences what is at ${uri}.`;
    return {
      messages: [
        { role: 'user', content: { type: 'text', text: question } },
        ...contents.map((resource) => ({
          role: 'user' as const,
          content: { type: 'resource' as const, resource },
        })),
      ],
    };
  },
});

/** A pattern of JSON Schema has no flags. */
function inAnyCase(scheme: string): string {
  return scheme.replaceAll(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
}
