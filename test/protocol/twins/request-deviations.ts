import {
  CallToolRequestSchema,
  CompleteRequestSchema,
  GetPromptRequestSchema,
  InitializeRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
  SubscribeRequestSchema,
  SubscriptionsListenRequestSchema,
  UnsubscribeRequestSchema,
} from '@modelcontextprotocol/core';
import * as z from 'zod';
import { isModern, type Revision } from '../../support/revisions.js';
import { refusal, withCode, withResults, type Deviation } from './deviation.js';
import { isObject, type Members, type Transcript } from './outline.js';
import { LEVELS, type RequestCase } from './request.js';
import { dressed } from './twin-client.js';
import { INFO } from './twin.js';

/** In the place of the id of a request that is sent by itself. */
export const THE_ID = 'the id';

/**
 * What the SDK does otherwise than the specification has it, of single requests. Where several
 * entries are about a request, the first decides.
 */
export const REQUEST_DEVIATIONS: readonly Deviation<RequestCase>[] = [
  {
    section: 'JSON-RPC 2.0 › 5 Response object; Base Protocol › Progress',
    sdk: 'does not answer a request whose _meta is no object, or whose progress token is none',
    concerns: (request) => !isReadable(request),
    instead: () => [{ id: THE_ID, error: { code: -32602 } }],
  },
  {
    section: '2026-07-28 Versioning › Protocol Version Negotiation',
    sdk: 'looks at the revision of the first request only',
    concerns: (request, revision) => otherRevision(request, revision) !== undefined,
    instead(sdk, request, revision) {
      const requested = otherRevision(request, revision);
      return refusal(-32022, { supported: ['2026-07-28'], requested })(sdk);
    },
  },
  {
    section: '2026-07-28 Base Protocol › _meta: such a request MUST be rejected with −32602',
    sdk: 'answers an unknown method with −32601, whether its _meta fits or not',
    concerns: (request, revision) => isModern(revision) && !isEnveloped(request, revision),
    instead: refusal(-32602),
  },
  {
    section: 'JSON-RPC 2.0 › 5.1 Error object: invalid params are −32602',
    sdk: 'answers params that do not fit with −32603',
    concerns: (request, revision) => hasMethod(request, revision) && !fits(request),
    instead: withCode(-32603, -32602),
  },
  {
    section: 'Server › Utilities › Pagination › Error Handling',
    sdk: 'ignores the cursors of lists that have no pages',
    concerns: ({ method, params }) =>
      WITHOUT_PAGES.includes(method) && isObject(params) && typeof params['cursor'] === 'string',
    instead: refusal(-32602),
  },
  {
    section: '2025-11-25 and before, Server › Resources › Error Handling',
    sdk: 'answers −32602 where a resource does not exist',
    concerns: ({ method, params }, revision) =>
      !isModern(revision) &&
      method === 'resources/read' &&
      isObject(params) &&
      URL.canParse(String(params['uri'])),
    instead: withCode(-32602, -32002),
  },
  {
    section: 'Server › Tools › Error Handling: failures of the server are protocol errors',
    sdk: 'takes an output that does not fit its schema for a failure of the tool',
    concerns: calls('wrong_output'),
    instead: refusal(-32603),
  },
  {
    section: 'JSON-RPC 2.0 › 5.1 Error object: the params are valid',
    sdk: 'answers content of a tool that does not fit the protocol with −32602',
    concerns: calls('wrong_content'),
    instead: refusal(-32603),
  },
  {
    section: 'JSON-RPC 2.0 › 5 Response object',
    sdk: 'does not answer where a result cannot be sent',
    concerns: calls('uncloneable'),
    // The tool has run: what cannot be sent is left out.
    instead: (_sdk, _request, revision) => [
      {
        id: THE_ID,
        result: isModern(revision)
          ? {
              content: [],
              resultType: 'complete',
              _meta: { 'io.modelcontextprotocol/serverInfo': INFO },
            }
          : { content: [], _meta: {} },
      },
    ],
  },
  {
    section: 'Server › Tools › Structured Content: its JSON SHOULD be there as a text, too',
    sdk: 'leaves the content of a tool empty that gives none',
    concerns: calls('adds_without_words'),
    instead: withResults(({ structuredContent }) =>
      structuredContent === undefined
        ? {}
        : { content: [{ type: 'text', text: JSON.stringify(structuredContent) }] },
    ),
  },
  {
    section: '2025-03-26 and before, Schema › CallToolResult',
    sdk: 'sends links to resources, which there are not',
    concerns: (request, revision) => revision < '2025-06-18' && calls('link')(request),
    instead: withContent('resource_link', ({ name, uri }) => ({
      type: 'text',
      text: `${String(name)}: ${String(uri)}`,
    })),
  },
  {
    section: '2024-11-05, Schema › CallToolResult',
    sdk: 'sends audio, which there is not',
    concerns: ({ method }, revision) => revision < '2025-03-26' && method === 'tools/call',
    instead: withContent('audio', ({ data, mimeType }) => ({
      type: 'resource',
      resource: { uri: 'data:,', mimeType, blob: data },
    })),
  },
];

/** Each block of one type is another. */
function withContent(
  type: string,
  instead: (block: Members) => Members,
): (sdk: Transcript) => Transcript {
  return withResults(({ content }) => {
    if (!Array.isArray(content)) return {};
    const blocks = content as Members[];
    return { content: blocks.map((block) => (block['type'] === type ? instead(block) : block)) };
  });
}

function calls(name: string): (request: RequestCase) => boolean {
  return ({ method, params }) =>
    method === 'tools/call' && isObject(params) && params['name'] === name;
}

const VERSION = 'io.modelcontextprotocol/protocolVersion';
const WITHOUT_PAGES = ['tools/list', 'prompts/list', 'resources/templates/list'];

function metaOf(params: unknown): unknown {
  return isObject(params) ? params['_meta'] : undefined;
}

/** Whether the SDK's schema of JSON-RPC messages takes a request. */
function isReadable({ params }: RequestCase): boolean {
  const meta = metaOf(params);
  if (meta === undefined) return true;
  if (!isObject(meta)) return false;
  const { progressToken: token } = meta;
  return token === undefined || typeof token === 'string' || Number.isSafeInteger(token);
}

/** Whether a request of the modern era says what it has to of its client. */
function isEnveloped({ params }: RequestCase, revision: Revision): boolean {
  const meta = metaOf(dressed(params, revision));
  if (!isObject(meta)) return false;
  const capabilities = meta['io.modelcontextprotocol/clientCapabilities'];
  const info = meta['io.modelcontextprotocol/clientInfo'];
  const level = meta['io.modelcontextprotocol/logLevel'];
  const isInfo =
    isObject(info) && typeof info['name'] === 'string' && typeof info['version'] === 'string';
  return (
    typeof meta[VERSION] === 'string' &&
    isObject(capabilities) &&
    (info === undefined || isInfo) &&
    (level === undefined || LEVELS.some((one) => one === (level as string)))
  );
}

/** The revision that a request of the modern era names, if it is another. */
function otherRevision({ params }: RequestCase, revision: Revision): string | undefined {
  if (!isModern(revision)) return undefined;
  const meta = metaOf(dressed(params, revision));
  const named = isObject(meta) ? meta[VERSION] : undefined;
  return typeof named === 'string' && named !== '2026-07-28' ? named : undefined;
}

const SCHEMAS: { [method: string]: { safeParse(value: unknown): { success: boolean } } } = {
  initialize: InitializeRequestSchema,
  'tools/list': ListToolsRequestSchema,
  'tools/call': CallToolRequestSchema,
  'prompts/list': ListPromptsRequestSchema,
  'prompts/get': GetPromptRequestSchema,
  'resources/list': ListResourcesRequestSchema,
  'resources/templates/list': ListResourceTemplatesRequestSchema,
  'resources/read': ReadResourceRequestSchema,
  'resources/subscribe': SubscribeRequestSchema,
  'resources/unsubscribe': UnsubscribeRequestSchema,
  'completion/complete': CompleteRequestSchema,
  // Not that of the SDK, which is deprecated.
  'logging/setLevel': z.object({ params: z.object({ level: z.enum(LEVELS) }) }),
  'subscriptions/listen': SubscriptionsListenRequestSchema,
};

const OF_LEGACY_ERA = [
  'initialize',
  'logging/setLevel',
  'resources/subscribe',
  'resources/unsubscribe',
];

function hasMethod({ method }: RequestCase, revision: Revision): boolean {
  const isOther = isModern(revision)
    ? OF_LEGACY_ERA.includes(method)
    : method === 'subscriptions/listen';
  return !isOther && Object.hasOwn(SCHEMAS, method);
}

function fits({ method, params }: RequestCase): boolean {
  return SCHEMAS[method]!.safeParse({ method, params }).success;
}
