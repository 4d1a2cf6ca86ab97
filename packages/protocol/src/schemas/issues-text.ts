import type { Issue } from './types.js';

const MAX_LENGTH = 2_000;
const MAX_KEYS = 5;
const MAX_KEY_LENGTH = 50;

/**
 * The issues of a value, as a text for a model: `title: is missing; limit: must be at most 100`. The text and
 * each key have a maximum length, because the caller may have chosen the keys.
 */
export function issuesText(issues: readonly Issue[]): string {
  const text = [...new Set(issues.map(issueText))].join('; ');
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH - 1)}…` : text;
}

/** The error of a schema with issues, whose paths begin at `path`. */
export function schemaError(
  path: Issue['path'],
  issues: readonly Issue[] | string,
  problem = 'This is not a JSON Schema',
): TypeError {
  const all = typeof issues === 'string' ? [{ path: [], message: issues }] : issues;
  const placed = all.map((issue) => ({ ...issue, path: [...path, ...issue.path] }));
  return new TypeError(`${problem}: ${issuesText(placed)}.`);
}

function issueText({ path, message }: Issue): string {
  if (path.length === 0) return message;
  const keys = path.slice(0, MAX_KEYS).map(keyText);
  if (path.length > MAX_KEYS) keys.push('…');
  return `${keys.join('.')}: ${message}`;
}

/** The text of a key. A key that could be read as other text is quoted. */
function keyText(key: PropertyKey): string {
  const text = String(key).slice(0, MAX_KEY_LENGTH);
  return /^[\w$-]*$/.test(text) ? text : JSON.stringify(text);
}
