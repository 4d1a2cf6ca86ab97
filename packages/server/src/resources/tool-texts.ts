import { StoreError } from '@inpage-mcp/store';
import { ToolError } from '@inpage-mcp/protocol';

/** The default length limit for names in a question or an error, in characters. */
const MAX_QUOTED_LENGTH = 80;

/**
 * Quotes a name for a question to the user or an error: on one line, without quotation marks and
 * bidirectional controls, so that no part of the name looks like our own text.
 *
 * @param limit The maximum length, in characters. Default: 80.
 */
export function quote(name: string, limit = MAX_QUOTED_LENGTH): string {
  const line = name
    .replace(/[\s\p{Cc}\p{Bidi_Control}]+/gu, ' ')
    .replaceAll('"', "'")
    .trim();
  // By code points, so that no surrogate pair is split.
  const characters = Array.from(line);
  return characters.length > limit ? `"${characters.slice(0, limit).join('')}…"` : `"${line}"`;
}

/** If the entry does not exist, adds advice for the model to the error. */
export async function addAdvice<Value>(found: Promise<Value>, advice: string): Promise<Value> {
  try {
    return await found;
  } catch (error) {
    if (isNotFound(error)) throw new ToolError(`${error.message} ${advice}`);
    throw error;
  }
}

/** Resolves with `undefined` if the entry does not exist. */
export async function ignoreNotFound<Value>(found: Promise<Value>): Promise<Value | undefined> {
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
