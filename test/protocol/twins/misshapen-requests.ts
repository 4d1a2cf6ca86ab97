import {
  ANIMAL,
  call,
  complete,
  ITEM,
  plain,
  prompt,
  PROMPT_REF,
  read,
  type RequestCase,
} from './request.js';

/** Values of every type of JSON. */
const VALUES: readonly unknown[] = ['text', 7, 1.5, true, null, [], ['text'], {}, { a: 1 }];

/** Requests with a value of each wrong type, and with none, in one place. */
function misfits(
  fits: (value: unknown) => boolean,
  make: (value: unknown) => RequestCase,
  isOptional = false,
): RequestCase[] {
  const wrong = VALUES.filter((value) => !fits(value));
  return [...wrong, ...(isOptional ? [] : [undefined])].map(make);
}

const isText = (value: unknown): boolean => typeof value === 'string';
const isRecord = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isEmptyRecord = (value: unknown): boolean =>
  isRecord(value) && Object.keys(value as object).length === 0;

/** Params of wrong types, and without what they need. */
export const MISSHAPEN: readonly RequestCase[] = [
  ...misfits(isText, (name) => call(name)),
  ...misfits(isRecord, (args) => call('nothing', args), true),
  ...misfits(isText, (name) => prompt(name)),
  ...misfits(isEmptyRecord, (args) => prompt('plain', args), true),
  ...misfits(isText, (animal) => prompt('describe', { animal }), true),
  ...misfits(isText, read),
  ...['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list'].flatMap(
    (method) => misfits(isText, (cursor) => plain(method, { cursor }), true),
  ),
  ...misfits(
    () => false,
    (ref) => complete(ref, ITEM),
  ),
  ...misfits(isText, (type) => complete({ type, name: 'describe', uri: 'twin:/text' }, ANIMAL)),
  complete({ type: 'ref/other', name: 'describe' }, ANIMAL),
  ...misfits(isText, (name) => complete({ type: 'ref/prompt', name }, ANIMAL)),
  ...misfits(isText, (uri) => complete({ type: 'ref/resource', uri }, ITEM)),
  ...misfits(
    () => false,
    (argument) => complete(PROMPT_REF, argument),
  ),
  ...misfits(isText, (name) => complete(PROMPT_REF, { name, value: '' })),
  ...misfits(isText, (value) => complete(PROMPT_REF, { name: 'animal', value })),
  ...misfits(isRecord, (context) => complete(PROMPT_REF, ANIMAL, context), true),
  ...misfits(isEmptyRecord, (args) => complete(PROMPT_REF, ANIMAL, { arguments: args }), true),
];

/** The same of methods of the legacy era. */
export const LEGACY_MISSHAPEN: readonly RequestCase[] = [
  ...misfits(isText, (uri) => plain('resources/subscribe', { uri })),
  ...misfits(isText, (uri) => plain('resources/unsubscribe', { uri })),
  ...misfits(
    () => false,
    (level) => plain('logging/setLevel', { level }),
  ),
  plain('logging/setLevel', { level: 'verbose' }),
  plain('logging/setLevel', { level: 'DEBUG' }),
  plain('logging/setLevel', { level: 'debug ' }),
];

/** The same of methods of the modern era, and of what it brings back. */
export const MODERN_MISSHAPEN: readonly RequestCase[] = [
  ...misfits(isRecord, (notifications) => plain('subscriptions/listen', { notifications })),
  ...['toolsListChanged', 'promptsListChanged', 'resourcesListChanged'].flatMap((list) =>
    misfits(
      (value) => typeof value === 'boolean',
      (value) => plain('subscriptions/listen', { notifications: { [list]: value } }),
      true,
    ),
  ),
  ...misfits(
    (value) => Array.isArray(value) && value.every(isText),
    (uris) => plain('subscriptions/listen', { notifications: { resourceSubscriptions: uris } }),
    true,
  ),
  plain('subscriptions/listen', { notifications: { resourceSubscriptions: ['a:b', 5] } }),
  ...misfits(isText, (requestState) => call('asks_with_state', {}, { requestState }), true),
  call('asks_with_state', {}, { requestState: 'forged' }),
  call('nothing', {}, { requestState: 'forged' }),
];

const FIELD = 'io.modelcontextprotocol';

/** What a request of the modern era says of its client, wrongly. */
export const MODERN_METAS: readonly RequestCase[] = [
  'tools/list',
  'no/such/method',
  'server/discover',
  'subscriptions/listen',
].flatMap((method) => {
  const withMeta = (meta: unknown): RequestCase => ({
    method,
    params: { notifications: {}, _meta: meta },
  });
  const version = `${FIELD}/protocolVersion`;
  const capabilities = `${FIELD}/clientCapabilities`;
  return [
    ...VALUES.filter((value) => !isRecord(value)).map(withMeta),
    // Members that are undefined are left out when it is sent.
    withMeta({ [version]: undefined }),
    withMeta({ [capabilities]: undefined }),
    withMeta({ [`${FIELD}/clientInfo`]: undefined }),
    withMeta({ [version]: undefined, [capabilities]: undefined }),
    ...['2027-01-01', '2025-11-25', '', 'latest'].map((other) => withMeta({ [version]: other })),
    ...VALUES.filter((value) => !isText(value)).map((value) => withMeta({ [version]: value })),
    ...VALUES.filter((value) => !isRecord(value)).map((value) =>
      withMeta({ [capabilities]: value }),
    ),
    ...VALUES.map((value) => withMeta({ [`${FIELD}/clientInfo`]: value })),
    withMeta({ [`${FIELD}/clientInfo`]: { name: 'no version' } }),
    withMeta({ [`${FIELD}/clientInfo`]: { name: 'a', version: '1', icons: [] } }),
    ...VALUES.map((value) => withMeta({ [`${FIELD}/logLevel`]: value })),
    withMeta({ [`${FIELD}/logLevel`]: 'error' }),
    withMeta({ 'example.com/own': { any: 'thing' } }),
  ];
});

/** Progress tokens, and what is none. */
export const TOKENS: readonly RequestCase[] = ['reports', 'nothing', 'no_such_tool'].flatMap(
  (tool) =>
    [...VALUES, '', 'a token', 0, -7].map((progressToken) =>
      call(tool, {}, { _meta: { progressToken } }),
    ),
);

/** `_meta` of the legacy era, of wrong types. */
export const LEGACY_METAS: readonly RequestCase[] = [
  'tools/list',
  'ping',
  'no/such/method',
].flatMap((method) => VALUES.map((_meta) => plain(method, { _meta })));
