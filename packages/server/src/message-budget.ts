import type { ConnectionLimits } from './limits.js';

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

/** The largest depth that a limit can allow: each reader of a message recurses as deep as it is nested. */
export const MAX_MESSAGE_DEPTH = 1_000;

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
 * does whoever reads it. An own `__proto__` is a key like any other.
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
export function weigh(message: unknown, given: MessageBudget): Weighed {
  const messageDepth = Math.min(given.messageDepth, MAX_MESSAGE_DEPTH);
  const budget = { ...given, messageDepth };
  // Counted up, not down: a limit may be `Infinity`, of which nothing is ever spent.
  const spent = { nodes: 0, bytes: 0 };
  const past = (limit: keyof MessageBudget): BudgetFinding => ({
    message: `The message is past its limit: ${limit} is at most ${budget[limit]}.`,
    data: { limit, maximum: budget[limit] },
  });

  const spendBytes = (text: string): BudgetFinding | undefined => {
    // Each code unit is a byte at least: the longest strings are not read at all.
    const isTooLong = text.length > budget.messageBytes - spent.bytes;
    spent.bytes += isTooLong ? text.length : utf8Length(text);
    return spent.bytes > budget.messageBytes ? past('messageBytes') : undefined;
  };

  const walk = (value: unknown, depth: number): BudgetFinding | undefined => {
    spent.nodes += 1;
    if (spent.nodes > budget.messageNodes) return past('messageNodes');
    if (typeof value === 'string') return spendBytes(value);
    spent.bytes += BYTES_PER_VALUE;
    if (spent.bytes > budget.messageBytes) return past('messageBytes');
    if (typeof value !== 'object') return isScalar(value) ? undefined : NOT_JSON;
    if (value === null) return undefined;
    if (depth > budget.messageDepth) return past('messageDepth');
    return Array.isArray(value) ? walkArray(value, depth) : walkObject(value, depth);
  };

  const walkArray = (array: readonly unknown[], depth: number): BudgetFinding | undefined => {
    if (array.length > budget.messageNodes - spent.nodes) return past('messageNodes');
    // One with holes has fewer keys, and one with members of its own has more.
    if (Object.keys(array).length !== array.length) return NOT_JSON;
    for (const value of array) {
      if (value === undefined) return NOT_JSON;
      const finding = walk(value, depth + 1);
      if (finding) return finding;
    }
    return undefined;
  };

  const walkObject = (object: object, depth: number): BudgetFinding | undefined => {
    // Structured clone makes every instance of a page's own class a plain object, and leaves those
    // of the platform (Map, Date, Blob …) what they are.
    if (Object.getPrototypeOf(object) !== Object.prototype) return NOT_JSON;
    const keys = Object.keys(object);
    if (keys.length > budget.messageNodes - spent.nodes) return past('messageNodes');
    for (const key of keys) {
      const finding =
        spendBytes(key) ?? walk((object as { [key: string]: unknown })[key], depth + 1);
      if (finding) return finding;
    }
    return undefined;
  };

  const finding = walk(message, 1);
  return { finding, bytes: spent.bytes };
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
