import type {
  Context,
  ContextFormat,
  ContextOptions,
  OmittedContent,
  ResourceReader,
} from './context-types.js';
import { sizeOf, textOf } from './bytes.js';
import { FORMATS } from './formats.js';
import {
  failure,
  namesOf,
  overBudget,
  overRequest,
  type Found,
  type Omission,
} from './omissions.js';
import { Reading } from './reading.js';
import { bytesOfText, type Source } from './source.js';
import { MANY_IMAGES, whyNotAmongMany } from './taken-media.js';

/** The maximum number of uris that {@link toContext} accepts. */
export const MAX_CONTEXT_URIS = 1_000;

/**
 * Reads resources, and returns the part of them that a model gets. It sends nothing to a model.
 *
 * The contents are in the order of falling `annotations.priority` (0 to 1, default 0), then in the order
 * of the uris. A uri that is given twice, or a content that two resources have, is included once.
 * A resource that cannot be read, or that the format has no place for, is omitted and does not reject.
 *
 * Tokens are estimates: one for four bytes of text, 1,600 for an image, two for three other bytes. The title,
 * uri and other text around a content count as text.
 *
 * @param client Usually an `McpClient`.
 * @param uris At most {@link MAX_CONTEXT_URIS}.
 * @throws {RangeError} if there are more uris, or `budget` is negative or NaN.
 * @throws {TypeError} if the format is unknown.
 * @throws The reason of `signal`, when it aborts.
 */
export async function toContext<Format extends ContextFormat>(
  client: ResourceReader,
  uris: Iterable<string>,
  options: ContextOptions<Format>,
): Promise<Context<Format>> {
  const { format, budget = Infinity, resources = [], signal } = options;
  const wanted = [...new Set(uris)];
  if (wanted.length > MAX_CONTEXT_URIS)
    throw new RangeError(`A context has ${MAX_CONTEXT_URIS} uris at most, not ${wanted.length}.`);
  if (!(budget >= 0)) throw new RangeError('The budget of a context is a number from 0.');
  if (!Object.hasOwn(FORMATS, format)) throw new TypeError(`No format is called “${format}”.`);
  signal?.throwIfAborted();

  const listed = new Map(resources.map((resource) => [resource.uri, resource]));
  const found = withoutRepetition(await new Reading(client, listed, options).readAll(wanted));
  return (await write(found, options, budget)) as Context<Format>;
}

/**
 * Omits repeated contents. Several contents of one resource may have the same uri, but those of two resources
 * with the same uri are the same content.
 */
function withoutRepetition(found: Found[][]): Found[] {
  const owners = new Map<string, Found[]>();
  const isFirst = (uri: string, contents: Found[]): boolean => {
    const owner = owners.get(uri) ?? contents;
    owners.set(uri, owner);
    return owner === contents;
  };
  return found.flatMap((contents) => contents.filter(({ uri }) => isFirst(uri, contents)));
}

async function write(
  found: Found[],
  { format, signal }: ContextOptions<ContextFormat>,
  budget: number,
): Promise<Context<ContextFormat>> {
  const parts: unknown[] = [];
  const included = [];
  const omissions = new Map<Found, OmittedContent>();
  let tokens = 0;
  let bytes = 0;
  const sources = byPriority(found);
  const areMany = sources.filter(({ kind }) => kind === 'image').length > MANY_IMAGES;
  for (const source of sources) {
    const message = areMany ? whyNotAmongMany(source, FORMATS[format]) : undefined;
    const outcome = message
      ? ({ reason: 'unsupported', message } as const)
      : await writeOne(source, format, { tokens: budget - tokens, bytes });
    signal?.throwIfAborted();
    if ('reason' in outcome) {
      omissions.set(source, { ...namesOf(source), ...outcome });
      continue;
    }
    parts.push(...outcome.parts);
    included.push({ ...namesOf(source), tokens: outcome.tokens });
    tokens += outcome.tokens;
    bytes += outcome.bytes;
  }
  const omitted = found.flatMap((one) => ('reason' in one ? one : (omissions.get(one) ?? [])));
  const report = { included, omitted, tokens };
  if (format === 'text') return { text: parts.join('\n\n'), ...report };
  return { parts, ...report } as Context<ContextFormat>;
}

function byPriority(found: Found[]): Source[] {
  const sources = found.filter((one): one is Source => !('reason' in one));
  return sources.toSorted((one, other) => priorityOf(other) - priorityOf(one));
}

const priorityOf = ({ annotations }: Source): number => annotations.priority ?? 0;

interface Written {
  parts: readonly unknown[];
  tokens: number;
  /** The number of bytes of all strings in the parts. */
  bytes: number;
}

/**
 * Writes the parts of one content, if they fit.
 *
 * @param rest The tokens that are left, and the bytes that are already written.
 */
async function writeOne(
  source: Source,
  format: ContextFormat,
  rest: { tokens: number; bytes: number },
): Promise<Written | Omission> {
  // The minimum number of tokens: a content that will not fit is not written.
  const least = source.tokens + Math.ceil(source.uri.length / 4);
  if (least > rest.tokens) return overBudget(least, rest.tokens);
  const { write: writeParts, needsText, maxRequestBytes = Infinity } = FORMATS[format];
  if (rest.bytes + sizeOf(source.bytes) > maxRequestBytes) return overRequest(maxRequestBytes);
  try {
    const isBlank = needsText && source.kind === 'text' && !/\S/.test(await textOf(source.bytes));
    if (isBlank) return { reason: 'unsupported', message: 'This format takes no empty text.' };
    const parts = await writeParts(source);
    const bytes = bytesIn(parts);
    const tokens = tokensOfParts(bytes, source);
    if (rest.bytes + bytes > maxRequestBytes) return overRequest(maxRequestBytes);
    return tokens > rest.tokens ? overBudget(tokens, rest.tokens) : { parts, tokens, bytes };
  } catch (error) {
    return failure(error);
  }
}

/**
 * The number of tokens of the parts: the estimate for an image or a file, and the text of all other strings.
 */
function tokensOfParts(written: number, { kind, bytes, tokens }: Source): number {
  if (kind === 'text') return Math.ceil(written / 4);
  const base64Length = Math.ceil(sizeOf(bytes) / 3) * 4;
  return tokens + Math.ceil((written - base64Length) / 4);
}

/** The number of bytes of all strings in a value. */
function bytesIn(value: unknown): number {
  if (typeof value === 'string') return bytesOfText(value);
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce<number>((sum, one) => sum + bytesIn(one), 0);
}
