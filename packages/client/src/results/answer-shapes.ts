/** The types of this client as checks, for the messages of a server. */
import {
  amount,
  date,
  flag,
  fraction,
  arrayOf,
  nothing,
  object,
  shape,
  text,
  oneOf,
  type Check,
} from './checks.js';
import { META } from '../api/protocol-types.js';

const role = oneOf('user', 'assistant');

/** The checks of field names, in all objects, unless a shape overrides them. */
const TYPES: [Check, string][] = [
  [
    text,
    'blob data description instructions message mimeType name nextCursor src text title uri ' +
      'uriTemplate version websiteUrl',
  ],
  [
    flag,
    'destructiveHint hasMore idempotentHint isError listChanged openWorldHint readOnlyHint ' +
      'subscribe',
  ],
  [amount, 'length offset progress size total ttlMs'],
  [object, '_meta completions outputSchema'],
  [arrayOf(text), 'resourceSubscriptions sizes supportedVersions'],
  [arrayOf(role), 'audience'],
  [role, 'role'],
  [oneOf('light', 'dark'), 'theme'],
  [oneOf('public', 'private'), 'cacheScope'],
  [date, 'lastModified'],
  [fraction, 'priority'],
];
const FIELDS = new Map(
  TYPES.flatMap(([check, names]) => names.split(' ').map((name) => [name, check] as const)),
);

/** @param own Checks for names that have another meaning, or none, in other objects. */
const fields = (required: string[], own: { [name: string]: Check } = {}): Check =>
  shape(new Map([...FIELDS, ...Object.entries(own)]), required);

const hints = fields([]);
FIELDS.set('icons', arrayOf(fields(['src']))).set('annotations', hints);

const resource = fields(['uri', 'name']);

const textContents = fields(['uri', 'text'], { blob: nothing });
const blobContents = fields(['uri', 'blob']);
const contents: Check = (value) => textContents(value) ?? blobContents(value);

const media = fields(['data', 'mimeType']);
const BLOCKS = new Map<unknown, Check>([
  ['text', fields(['text'])],
  ['image', media],
  ['audio', media],
  ['resource_link', resource],
  ['resource', fields(['resource'], { resource: contents })],
]);

/** A content block of a type that this client knows. */
const block: Check = (value) => BLOCKS.get((value as { type?: unknown } | null)?.type)?.(value);

/** The answer to a request: the field with its entries, and their check. */
interface Answer {
  key: string;
  entry: Check;
  /** Whether the answer is invalid if none of its entries is valid. */
  isEssential?: boolean;
}

/** The answers that have entries, by method. */
export const ANSWERS: { [method: string]: Answer } = {
  'resources/list': { key: 'resources', entry: resource },
  'resources/templates/list': {
    key: 'resourceTemplates',
    entry: fields(['uriTemplate', 'name']),
  },
  'resources/read': { key: 'contents', entry: contents, isEssential: true },
  'tools/list': {
    key: 'tools',
    entry: fields(['name', 'inputSchema'], {
      inputSchema: fields(['type'], {
        type: oneOf('object'),
        properties: object,
        required: arrayOf(text),
      }),
    }),
  },
  'tools/call': { key: 'content', entry: block },
  'prompts/list': {
    key: 'prompts',
    entry: fields(['name'], { arguments: arrayOf(fields(['name'], { required: flag })) }),
  },
  'prompts/get': {
    key: 'messages',
    entry: fields(['role', 'content'], { content: block }),
    isEssential: true,
  },
  'completion/complete': { key: 'values', entry: text },
};

/** The other fields of any answer; only the client sets `unusable`. */
export const answer = fields([], { unusable: nothing });

export const discovery = fields(['supportedVersions'], {
  capabilities: fields([], { resources: hints, tools: hints, prompts: hints }),
  _meta: fields([], { [META.serverInfo]: fields(['name', 'version']) }),
});

export const progress = fields(['progress']);
/** The filter of a `subscriptions/listen` stream. */
export const filter = fields([]);
export const range = fields(['offset', 'length', 'size']);
