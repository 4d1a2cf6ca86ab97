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
import * as z from 'zod';
import { PAGE_LIMITS } from './limits.js';
import { MAX_URI_LENGTH } from './resource-uris.js';

/**
 * What several tools take. A limit stands in the schema where JSON Schema can express it, else in
 * the description: the store holds to all of them. JSON Schema counts characters where the store
 * counts UTF-16 code units or bytes, so that a schema never refuses what the store would take.
 */

const KEY_HOURS = IDEMPOTENCY_KEY_TTL_MS / 3_600_000;

/** Which note. */
export const noteId = z
  .string()
  .min(1)
  .max(MAX_URI_LENGTH)
  .describe("The note's id, or its uri: note:///{id}.");

/** The title of a note. */
export const noteTitle = z
  .string()
  .max(MAX_TITLE_LENGTH)
  .describe(`One line of plain text, at most ${MAX_TITLE_LENGTH} UTF-16 code units.`);

/** Said where an argument may be larger than the message that it comes in. */
export const ONE_MESSAGE =
  `A call is one message, of at most ${PAGE_LIMITS.messageBytes} bytes unless the page allows ` +
  'more.';

/** A text of a note, or a part of it. */
export const noteText = z.string().max(MAX_TEXT_BYTES);

/** The largest text of a note. */
export const NOTE_TEXT_LIMIT = `at most ${MAX_TEXT_BYTES} bytes in UTF-8`;

/** The tags of a note. */
export const noteTags = z
  .array(z.string().max(MAX_TAG_LENGTH))
  .max(MAX_TAGS)
  .describe(
    `At most ${MAX_TAGS} labels of at most ${MAX_TAG_LENGTH} UTF-16 code units each, in this order.`,
  );

/** Whom an entry is meant for. */
export const audience = z
  .array(z.enum(['user', 'assistant']))
  .min(1)
  .max(2)
  .refine((members) => new Set(members).size === members.length, 'Name each only once.')
  .meta({ uniqueItems: true })
  .describe('Whom it is meant for: "user", "assistant" or both.');

/** How much an entry matters. */
export const priority = z
  .number()
  .min(0)
  .max(1)
  .describe('How much it matters, from 0 (least) to 1 (most).');

const EXPECTED =
  'Refuse with a conflict unless this is still the current revision: nothing that others wrote ' +
  'meanwhile is lost. Default: any revision.';

/** Which revision the caller knows. */
export const expectedRevision = z.int().min(1).describe(EXPECTED);

/** The same, for what may not exist yet. */
export const expectedRevisionOrNone = z
  .int()
  .min(0)
  .describe(`${EXPECTED} 0: there must be none yet.`);

/** What makes a retry harmless. */
export const idempotencyKey = z
  .string()
  .min(1)
  .max(MAX_IDEMPOTENCY_KEY_LENGTH)
  .describe(
    'A string of your own, such as a UUID, that makes a retry harmless: repeat the call with the ' +
      'same key and the same arguments, and it happens only once. Take a new key for each new ' +
      `call. Kept for ${KEY_HOURS} hours. Default: none.`,
  );

/** Which file. A uri may be longer than a path, so the schema has the limit of a uri. */
export const filePath = z
  .string()
  .min(1)
  .max(MAX_URI_LENGTH)
  .describe(
    'A path like photos/cat.png: names joined by single slashes, without "." and "..", at most ' +
      `${MAX_PATH_BYTES} bytes in UTF-8. Or the uri: file:///photos/cat.png, percent-encoded.`,
  );

/** What kind of file. */
export const mediaType = z
  .string()
  .max(MAX_MEDIA_TYPE_LENGTH)
  .regex(/^[\w.+-]+\/[\w.+-]+$/, 'Must be like "text/plain", without parameters.')
  .describe('Like text/plain, without parameters. Default: told from the name, else the content.');

/** A moment, in an answer. */
export const moment = z.string().meta({ format: 'date-time' }).describe('ISO 8601, in UTC.');

/** The revision, in an answer. */
export const revision = z
  .int()
  .min(1)
  .describe('Counts the changes, from 1. Pass it as expectedRevision to change what you know.');

/** That something is gone, in an answer. */
export const deleted = z.literal(true);

const DEFAULT_MATCHES = 20;

/** What to search for. */
export const query = z
  .string()
  .min(1)
  .max(MAX_QUERY_LENGTH)
  .describe(`Words separated by spaces, at most ${MAX_QUERY_LENGTH} UTF-16 code units together.`);

/** How much a search gives back. */
export const matchLimit = z
  .int()
  .min(1)
  .max(MAX_MATCHES)
  .default(DEFAULT_MATCHES)
  .describe(`The most matches, 1 to ${MAX_MATCHES}. Default: ${DEFAULT_MATCHES}.`);
