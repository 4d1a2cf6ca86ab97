import { StoreError } from '@inpage-mcp/store';
import { ToolError } from '@inpage-mcp/protocol';

/** The most of a name that a question or an error repeats, in characters. */
const MAX_QUOTED_LENGTH = 80;

/**
 * A name inside a question to the user or an error: on one line, without what would turn the
 * writing around or end the quotation, so that nothing in it passes for our own words.
 *
 * @param limit The most of it, in characters. Default: 80.
 */
export function quoted(name: string, limit = MAX_QUOTED_LENGTH): string {
  const line = name
    .replace(/[\s\p{Cc}\p{Bidi_Control}]+/gu, ' ')
    .replaceAll('"', "'")
    .trim();
  // By code points: half a surrogate pair would be left over otherwise.
  const characters = Array.from(line);
  return characters.length > limit ? `"${characters.slice(0, limit).join('')}…"` : `"${line}"`;
}

/** Adds to the error of a missing entry what a model can do about it. */
export async function findable<Value>(found: Promise<Value>, advice: string): Promise<Value> {
  try {
    return await found;
  } catch (error) {
    if (isNotFound(error)) throw new ToolError(`${error.message} ${advice}`);
    throw error;
  }
}

/** What is found, `undefined` when there is no such entry. */
export async function foundOrNone<Value>(found: Promise<Value>): Promise<Value | undefined> {
  try {
    return await found;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

function isNotFound(error: unknown): error is StoreError {
  return error instanceof StoreError && error.code === 'not-found';
}
