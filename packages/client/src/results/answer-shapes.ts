/** What the messages of a server are checked against: the types of this client, as values. */
import {
  amount,
  date,
  flag,
  fraction,
  list,
  nothing,
  object,
  shape,
  text,
  word,
  type Check,
} from './checks.js';
import { META } from '../api/protocol-types.js';

const role = word('user', 'assistant');

/** What a name stands for wherever it occurs, unless a shape says otherwise. */
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
  [list(text), 'resourceSubscriptions sizes supportedVersions'],
  [list(role), 'audience'],
  [role, 'role'],
  [word('light', 'dark'), 'theme'],
  [word('public', 'private'), 'cacheScope'],
  [date, 'lastModified'],
  [fraction, 'priority'],
];
const FIELDS = new Map(
  TYPES.flatMap(([check, names]) => names.split(' ').map((name) => [name, check] as const)),
);

/** @param own Checks for names that mean something else, or nothing, in other objects. */
const fields = (required: string[], own: { [name: string]: Check } = {}): Check =>
  shape(new Map([...FIELDS, ...Object.entries(own)]), required);

const hints = fields([]);
FIELDS.set('icons', list(fields(['src']))).set('annotations', hints);

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

/** A piece of content, of a type that this client knows. */
const block: Check = (value) => BLOCKS.get((value as { type?: unknown } | null)?.type)?.(value);

/** The answer to a request: where its entries are, and what each has to be. */
interface Answer {
  key: string;
  entry: Check;
  /** Whether it says nothing when none of its entries is usable. */
  isEssential?: boolean;
}

/** By method, the answers that have entries. */
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
        type: word('object'),
        properties: object,
        required: list(text),
      }),
    }),
  },
  'tools/call': { key: 'content', entry: block },
  'prompts/list': {
    key: 'prompts',
    entry: fields(['name'], { arguments: list(fields(['name'], { required: flag })) }),
  },
  'prompts/get': {
    key: 'messages',
    entry: fields(['role', 'content'], { content: block }),
    isEssential: true,
  },
  'completion/complete': { key: 'values', entry: text },
};

/** What else an answer may have, whichever it is; `unusable` is for the client to say. */
export const answer = fields([], { unusable: nothing });

export const discovery = fields(['supportedVersions'], {
  capabilities: fields([], { resources: hints, tools: hints, prompts: hints }),
  _meta: fields([], { [META.serverInfo]: fields(['name', 'version']) }),
});

export const progress = fields(['progress']);
/** What a `subscriptions/listen` stream is to tell. */
export const filter = fields([]);
export const range = fields(['offset', 'length', 'size']);
