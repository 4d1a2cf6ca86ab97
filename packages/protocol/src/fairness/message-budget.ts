import { MAX_MESSAGE_DEPTH, type ConnectionLimits } from './limits.js';

/** What a message may be made of; see {@link ConnectionLimits}. */
type MessageBudget = Pick<ConnectionLimits, 'messageDepth' | 'messageNodes' | 'messageBytes'>;

/** Why a message is not let in. */
export interface BudgetFinding {
  /** In words that its sender may read. */
  message: string;
  /** The limit that it is past, if it is one. */
  data?: { limit: keyof MessageBudget; maximum: number };
}

/** What came of looking through a message. */
export interface Weighed {
  finding: BudgetFinding | undefined;
  bytes: number;
}

/** What any value but a string or a key weighs. */
const BYTES_PER_VALUE = 8;

const NOT_JSON: BudgetFinding = { message: 'The message holds a value that JSON has not.' };

/**
 * Looks through what came off a port before anything else does, at a cost that the budget bounds:
 * depth counts the message itself, and so does the number of its values; keys and strings weigh
 * what they do in UTF-8. A shared part counts at each place where it stands, so a cycle is too deep.
 *
 * Only what JSON has is let in: objects, dense arrays, strings, finite numbers, booleans and
 * `null`. A member that is `undefined` is let in too, and counts: JSON would leave it out, and so
 * does the code that reads it. An own `__proto__` is a key like any other.
 *
 * @returns What is wrong, `undefined` when all is well.
 */
export function checkBudget(message: unknown, budget: MessageBudget): BudgetFinding | undefined {
  return weigh(message, budget).finding;
}

/**
 * The same, with what the message weighs in bytes, as far as it was looked at: never deeper than
 * {@link MAX_MESSAGE_DEPTH}, whatever the budget.
 */
export function weigh(message: unknown, budget: MessageBudget): Weighed {
  const scale: Scale = {
    budget,
    depth: Math.min(budget.messageDepth, MAX_MESSAGE_DEPTH),
    nodes: 0,
    bytes: 0,
  };
  const finding = walk(message, 1, scale);
  return { finding, bytes: scale.bytes };
}

/** What was counted so far. Counted up, not down: a limit may be `Infinity`, and is never spent. */
interface Scale {
  readonly budget: MessageBudget;
  /** The largest depth. */
  readonly depth: number;
  nodes: number;
  bytes: number;
}

function past(limit: keyof MessageBudget, { budget, depth }: Scale): BudgetFinding {
  const maximum = limit === 'messageDepth' ? depth : budget[limit];
  return {
    message: `The message is past its limit: ${limit} is at most ${maximum}.`,
    data: { limit, maximum },
  };
}

function walk(value: unknown, depth: number, scale: Scale): BudgetFinding | undefined {
  scale.nodes += 1;
  if (scale.nodes > scale.budget.messageNodes) return past('messageNodes', scale);
  if (typeof value === 'string') return spendBytes(value, scale);
  scale.bytes += BYTES_PER_VALUE;
  if (scale.bytes > scale.budget.messageBytes) return past('messageBytes', scale);
  if (typeof value !== 'object') return isScalar(value) ? undefined : NOT_JSON;
  if (value === null) return undefined;
  if (depth > scale.depth) return past('messageDepth', scale);
  return Array.isArray(value) ? walkArray(value, depth, scale) : walkObject(value, depth, scale);
}

function spendBytes(text: string, scale: Scale): BudgetFinding | undefined {
  const { messageBytes } = scale.budget;
  // Each code unit is a byte at least: the longest strings are not read at all.
  const isTooLong = text.length > messageBytes - scale.bytes;
  scale.bytes += isTooLong ? text.length : utf8Length(text);
  return scale.bytes > messageBytes ? past('messageBytes', scale) : undefined;
}

function walkArray(
  array: readonly unknown[],
  depth: number,
  scale: Scale,
): BudgetFinding | undefined {
  if (array.length > scale.budget.messageNodes - scale.nodes) return past('messageNodes', scale);
  // One with holes has fewer keys, and one with members of its own has more.
  if (Object.keys(array).length !== array.length) return NOT_JSON;
  for (const value of array) {
    if (value === undefined) return NOT_JSON;
    const finding = walk(value, depth + 1, scale);
    if (finding) return finding;
  }
  return undefined;
}

function walkObject(object: object, depth: number, scale: Scale): BudgetFinding | undefined {
  // Structured clone makes every instance of a page's own class a plain object, and leaves those
  // of the platform (Map, Date, Blob …) what they are.
  if (Object.getPrototypeOf(object) !== Object.prototype) return NOT_JSON;
  const keys = Object.keys(object);
  if (keys.length > scale.budget.messageNodes - scale.nodes) return past('messageNodes', scale);
  for (const key of keys) {
    const finding =
      spendBytes(key, scale) ?? walk((object as { [key: string]: unknown })[key], depth + 1, scale);
    if (finding) return finding;
  }
  return undefined;
}

function isScalar(value: unknown): boolean {
  return value === undefined || typeof value === 'boolean' || Number.isFinite(value);
}

/** How many bytes a text has in UTF-8; half a character counts as U+FFFD, which is sent for it. */
function utf8Length(text: string): number {
  let bytes = text.length;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) continue;
    bytes += unit < 0x800 ? 1 : 2;
    if (isPairAt(text, index)) {
      // Four bytes for two units.
      index += 1;
    }
  }
  return bytes;
}

function isPairAt(text: string, index: number): boolean {
  return (
    (text.charCodeAt(index) & 0xfc00) === 0xd800 && (text.charCodeAt(index + 1) & 0xfc00) === 0xdc00
  );
}
