import { MAX_URI_LENGTH, type Feature } from '@inpage-mcp/server';
import * as z from 'zod';
import type { Bookmarks } from './bookmarks.js';

/** RFC 3986: a scheme, then the characters that any URI may be made of. */
const ABSOLUTE_URI =
  /^[A-Za-z][A-Za-z0-9+.-]*:(?:[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})+$/;

/** The schemes that other providers of this server answer for. */
const TAKEN = /^(?:note|file|inpage|app|clock|weather):/i;

const bookmarkInput = z.strictObject({
  uri: z
    .string()
    .max(MAX_URI_LENGTH)
    .regex(ABSOLUTE_URI, 'Not an absolute URI (RFC 3986).')
    .refine((uri) => !TAKEN.test(uri), 'The server itself answers for this scheme.')
    .describe('Any absolute URI; kept as it is spelled.'),
  title: z.string().min(1).max(200),
  text: z.string().max(10_000).default('').describe('What is read at the address.'),
});

const promptArguments = z.strictObject({
  uri: z.string().describe('The address of the bookmark, exactly as it is listed.'),
});

/** A tool and a prompt of the app's own, made with the SDK's `McpServer` of each connection. */
export function bookmarkFeatures(bookmarks: Bookmarks): Feature {
  return (mcp, { router, writing }) => {
    // It does not say that it only reads: a connection with `write: 'deny'` does not even see it.
    mcp.registerTool(
      'add_bookmark',
      {
        title: 'Add a bookmark',
        description: 'Keeps an address with a title and a text. Replaces one of the same address.',
        inputSchema: bookmarkInput,
        annotations: { destructiveHint: true, idempotentHint: true, openWorldHint: false },
      },
      async (bookmark, ctx) => {
        const { uri, title } = bookmark;
        // With `write: 'ask'` this asks the user; what comes back then is the call's answer.
        const question = (): string => `Add the bookmark ${uri}?`;
        const refusal = await writing.ask('add_bookmark', question, ctx);
        if (refusal) return refusal;
        bookmarks.add(bookmark);
        return {
          content: [
            { type: 'text', text: `Added ${title}.` },
            { type: 'resource_link', uri, name: title },
          ],
        };
      },
    );

    mcp.registerPrompt(
      'explain_bookmark',
      {
        title: 'Explain a bookmark',
        description: 'What a bookmarked page or file is about.',
        argsSchema: promptArguments,
      },
      async ({ uri }, { mcpReq }) => {
        // Through the router, which fails for a missing address as `resources/read` does.
        const contents = await router.read(uri, { signal: mcpReq.signal });
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
    );
  };
}
