import { MAX_MESSAGE_DEPTH, type ConnectionLimits } from './limits.js';

/** The limits of one message; see {@link ConnectionLimits}. */
type MessageBudget = Pick<ConnectionLimits, 'messageDepth' | 'messageNodes' | 'messageBytes'>;

/** The reason why a message is rejected. */
export interface BudgetViolation {
  /** A text for the sender. */
  message: string;
  /** The limit that the message exceeds, if it exceeds one. */
  data?: { limit: keyof MessageBudget; maximum: number };
}

/** The result of measuring a message. */
export interface Measurement {
  violation: BudgetViolation | undefined;
  bytes: number;
}

/** The size of any value other than a string. */
const BYTES_PER_VALUE = 8;

const NOT_JSON: BudgetViolation = { message: 'The message has a value that is not JSON.' };

/**
 * Checks a received message before any other code reads it, at a cost that the budget limits. The
 * depth and the number of values include the message itself; keys and strings count their bytes in
 * UTF-8. A shared part counts at each place where it occurs, so a cycle is too deep.
 *
 * Only JSON values are accepted: objects, dense arrays, strings, finite numbers, booleans and
 * `null`. A member that is `undefined` is accepted too, and counts: JSON would omit it, and code
 * that reads the message ignores it. An own `__proto__` is a key like any other.
 *
 * @returns The violation; `undefined` if the message is within its budget.
 */
export function checkBudget(message: unknown, budget: MessageBudget): BudgetViolation | undefined {
  return measure(message, budget).violation;
}

/**
 * Checks a message in the same way, and also returns its size in bytes, as far as it was read: never deeper
 * than {@link MAX_MESSAGE_DEPTH}, for any budget.
 */
export function measure(message: unknown, budget: MessageBudget): Measurement {
  const totals: Totals = {
    budget,
    depth: Math.min(budget.messageDepth, MAX_MESSAGE_DEPTH),
    nodes: 0,
    bytes: 0,
  };
  const violation = walk(message, 1, totals);
  return { violation, bytes: totals.bytes };
}

/** The counts so far. They count up, not down, because a limit may be `Infinity`. */
interface Totals {
  readonly budget: MessageBudget;
  /** The maximum depth. */
  readonly depth: number;
  nodes: number;
  bytes: number;
}

function overLimit(limit: keyof MessageBudget, { budget, depth }: Totals): BudgetViolation {
  const maximum = limit === 'messageDepth' ? depth : budget[limit];
  return {
    message: `The message is past its limit: ${limit} is at most ${maximum}.`,
    data: { limit, maximum },
  };
}

function walk(value: unknown, depth: number, totals: Totals): BudgetViolation | undefined {
  totals.nodes += 1;
  if (totals.nodes > totals.budget.messageNodes) return overLimit('messageNodes', totals);
  if (typeof value === 'string') return spendBytes(value, totals);
  totals.bytes += BYTES_PER_VALUE;
  if (totals.bytes > totals.budget.messageBytes) return overLimit('messageBytes', totals);
  if (typeof value !== 'object') return isScalar(value) ? undefined : NOT_JSON;
  if (value === null) return undefined;
  if (depth > totals.depth) return overLimit('messageDepth', totals);
  return Array.isArray(value) ? walkArray(value, depth, totals) : walkObject(value, depth, totals);
}

function spendBytes(text: string, totals: Totals): BudgetViolation | undefined {
  const { messageBytes } = totals.budget;
  // Each code unit is at least one byte, so a string that is certainly too long is not read.
  const isTooLong = text.length > messageBytes - totals.bytes;
  totals.bytes += isTooLong ? text.length : utf8Length(text);
  return totals.bytes > messageBytes ? overLimit('messageBytes', totals) : undefined;
}

function walkArray(
  array: readonly unknown[],
  depth: number,
  totals: Totals,
): BudgetViolation | undefined {
  if (array.length > totals.budget.messageNodes - totals.nodes)
    return overLimit('messageNodes', totals);
  // An array with holes has fewer keys, and an array with extra members has more.
  if (Object.keys(array).length !== array.length) return NOT_JSON;
  for (const value of array) {
    if (value === undefined) return NOT_JSON;
    const violation = walk(value, depth + 1, totals);
    if (violation) return violation;
  }
  return undefined;
}

function walkObject(object: object, depth: number, totals: Totals): BudgetViolation | undefined {
  if (!isPlain(object)) return NOT_JSON;
  const keys = Object.keys(object);
  if (keys.length > totals.budget.messageNodes - totals.nodes)
    return overLimit('messageNodes', totals);
  for (const key of keys) {
    const violation =
      spendBytes(key, totals) ??
      walk((object as { [key: string]: unknown })[key], depth + 1, totals);
    if (violation) return violation;
  }
  return undefined;
}

/**
 * Whether an object is a plain one. Structured clone turns every instance of a page's own class into a plain
 * object, but keeps the types of the platform (Map, Date, Blob …). In Jest, a message comes from another
 * realm, whose objects have another `Object.prototype`.
 */
function isPlain(object: object): boolean {
  const prototype = Object.getPrototypeOf(object) as object | null;
  if (prototype === Object.prototype) return true;
  return prototype !== null && Object.getPrototypeOf(prototype) === null;
}

function isScalar(value: unknown): boolean {
  return value === undefined || typeof value === 'boolean' || Number.isFinite(value);
}

/** The bytes of a text in UTF-8; a lone surrogate counts as U+FFFD, which is sent in its place. */
function utf8Length(text: string): number {
  let bytes = text.length;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) continue;
    bytes += unit < 0x800 ? 1 : 2;
    if (isPairAt(text, index)) {
      // A surrogate pair has two units and four bytes.
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
