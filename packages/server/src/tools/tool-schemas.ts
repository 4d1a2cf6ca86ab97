import { MAX_URI_LENGTH, PAGE_LIMITS } from '@inpage-mcp/protocol';
import {
  IDEMPOTENCY_KEY_TTL_MS,
  MAX_IDEMPOTENCY_KEY_LENGTH,
  MAX_MATCHES,
  MAX_MEDIA_TYPE_LENGTH,
  MAX_PATH_BYTES,
  MAX_QUERY_LENGTH,
  MAX_TAG_LENGTH,
  MAX_TAGS,
  MAX_TEXT_BYTES,
  MAX_TITLE_LENGTH,
} from '@inpage-mcp/store';

/**
 * The arguments that several tools share, as JSON Schema. A limit is in the schema if JSON Schema can express
 * it, otherwise in the description; the store enforces all limits. JSON Schema counts characters while the
 * store counts UTF-16 code units or bytes, so a schema never rejects a value that the store accepts.
 */

/** The schema of a tool's arguments; an unknown argument is rejected by name. */
export function argumentsOf<const Properties, const Required extends keyof Properties = never>(
  properties: Properties,
  required: readonly Required[] = [],
) {
  return { type: 'object', properties, required, additionalProperties: false } as const;
}

/** The schema of a tool's output: every property is required, except the optional ones. */
export function answerOf<const Properties, const Optional extends keyof Properties = never>(
  properties: Properties,
  optional: readonly Optional[] = [],
) {
  const names = Object.keys(properties as object) as Exclude<keyof Properties, Optional>[];
  const required = names.filter((name) => !(optional as readonly unknown[]).includes(name));
  return { type: 'object', properties, required, additionalProperties: false } as const;
}

/** Replaces the description of a schema. */
export function describe<const Schema extends object>(
  schema: Schema,
  description: string,
): Omit<Schema, 'description'> & { readonly description: string } {
  return { ...schema, description };
}

/** The schema for the change of an optional field. */
function changeOf<const Schema extends { description: string }>(schema: Schema) {
  const description = `${schema.description} null removes it. Default: as before.`;
  return { anyOf: [schema, { type: 'null' }], description } as const;
}

export const text = { type: 'string' } as const;

const KEY_HOURS = IDEMPOTENCY_KEY_TTL_MS / 3_600_000;

/** The id of a note. */
export const noteId = {
  type: 'string',
  minLength: 1,
  maxLength: MAX_URI_LENGTH,
  description: "The note's id, or its uri: note:///{id}.",
} as const;

/** The title of a note. */
export const noteTitle = {
  type: 'string',
  maxLength: MAX_TITLE_LENGTH,
  description: 'One line of plain text, up to 1,000 characters.',
} as const;

/** A text for arguments that may be larger than a message. */
export const ONE_MESSAGE =
  `A call is one message, of up to ${PAGE_LIMITS.messageBytes / 1024 ** 2} MB unless the page allows ` +
  'more.';

/** A text of a note, or a part of it. */
export const noteText = { type: 'string', maxLength: MAX_TEXT_BYTES } as const;

/** The maximum size of a note's text, for descriptions. */
export const NOTE_TEXT_LIMIT = `up to ${MAX_TEXT_BYTES / 1024 ** 2} MB`;

/** The tags of a note. */
export const noteTags = {
  type: 'array',
  items: { type: 'string', maxLength: MAX_TAG_LENGTH },
  maxItems: MAX_TAGS,
  description: `Up to ${MAX_TAGS} labels of up to ${MAX_TAG_LENGTH} characters each, in this order.`,
} as const;

/** The audience of an entry. */
export const audience = {
  type: 'array',
  items: { type: 'string', enum: ['user', 'assistant'] },
  minItems: 1,
  maxItems: 2,
  uniqueItems: true,
  description: 'Whom it is meant for: "user", "assistant" or both.',
} as const;

/** The priority of an entry. */
export const priority = {
  type: 'number',
  minimum: 0,
  maximum: 1,
  description: 'How much it matters, from 0 (least) to 1 (most).',
} as const;

export const audienceChange = changeOf(audience);

export const priorityChange = changeOf(priority);

const EXPECTED =
  'Refuse with a conflict unless this is still the current revision, so that changes by others are ' +
  'not lost. Default: any revision.';

/** The largest exact number. */
const MAX_INTEGER = Number.MAX_SAFE_INTEGER;

/** The revision that the caller knows. */
export const expectedRevision = {
  type: 'integer',
  minimum: 1,
  maximum: MAX_INTEGER,
  description: EXPECTED,
} as const;

/** The revision that the caller knows, for a file that may not exist yet. */
export const expectedRevisionOrNone = {
  type: 'integer',
  minimum: 0,
  maximum: MAX_INTEGER,
  description: `${EXPECTED} 0: the file must not exist yet.`,
} as const;

/** The time when a file of the disk was saved, as far as the caller knows. */
export const expectedLastModified = {
  type: 'string',
  format: 'date-time',
  description:
    'Of a file of the disk (disk:///), in place of expectedRevision; needed to save over it: the ' +
    'lastModified that you know.',
} as const;

/** A key that makes a retry safe. */
export const idempotencyKey = {
  type: 'string',
  minLength: 1,
  maxLength: MAX_IDEMPOTENCY_KEY_LENGTH,
  description:
    'A string of your own, such as a UUID, that makes a retry harmless: repeat the call with the ' +
    'same key and the same arguments, and it happens only once. Take a new key for each new ' +
    `call. Kept for ${KEY_HOURS} hours. Default: none.`,
} as const;

/** The path or uri of a file. A uri may be longer than a path, so its limit is in the schema. */
export const filePath = {
  type: 'string',
  minLength: 1,
  maxLength: MAX_URI_LENGTH,
  description:
    'A path like photos/cat.png: names joined by single slashes, without "." and "..", at most ' +
    `${MAX_PATH_BYTES} bytes in UTF-8. Or the uri: file:///photos/cat.png, percent-encoded.`,
} as const;

/** The media type of a file. */
export const mediaType = {
  type: 'string',
  maxLength: MAX_MEDIA_TYPE_LENGTH,
  pattern: '^[\\w.+\\-]+\\/[\\w.+\\-]+$',
  description:
    'Like text/plain, without parameters. Default: derived from the name, else from the content.',
  errorMessage: { pattern: 'must be like "text/plain", without parameters' },
} as const;

/**
 * A time, in an output. The schema has no `format`, because the year of a wrong clock may have more than four
 * digits, for which clients would refuse the whole answer.
 */
export const moment = {
  type: 'string',
  description: 'ISO 8601, in UTC.',
} as const;

/** The revision, in an output. */
export const revision = {
  type: 'integer',
  minimum: 1,
  description: 'Grows with each change. Pass it as expectedRevision to change what you know.',
} as const;

/** The fact that an entry was deleted, in an output. */
export const deleted = { type: 'boolean', const: true } as const;

/** A count or a size, in an output. */
export const count = { type: 'integer', minimum: 0 } as const;

const DEFAULT_MATCHES = 20;

/** The query of a search. */
export const query = {
  type: 'string',
  minLength: 1,
  maxLength: MAX_QUERY_LENGTH,
  description: 'Words, up to 1,000 characters together.',
} as const;

/** The maximum number of matches of a search. */
export const matchLimit = {
  type: 'integer',
  minimum: 1,
  maximum: MAX_MATCHES,
  default: DEFAULT_MATCHES,
  description: `The most matches, 1 to ${MAX_MATCHES}. Default: ${DEFAULT_MATCHES}.`,
} as const;

/** The output of a search. */
export function matchesOf<const Match extends object>(match: Match, kind: 'notes' | 'files') {
  return answerOf(
    {
      matches: { type: 'array', items: match, description: 'The best first, at most limit.' },
      total: describe(count, `How many ${kind} match in all.`),
      isApproximate: { type: 'boolean', description: 'A word differs by one letter.' },
      unsearched: describe(count, 'How many could not be searched yet: search again later.'),
    },
    ['isApproximate', 'unsearched'],
  );
}
