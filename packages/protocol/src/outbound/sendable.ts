/**
 * A copy of an answer without the members that no message can have, such as functions; `undefined` if the
 * rest of it is not JSON either, such as a cycle.
 */
export function sendable<Answer extends object>(answer: Answer): Answer | undefined {
  try {
    return JSON.parse(JSON.stringify(answer, withoutBigInts)) as Answer;
  } catch {
    return undefined;
  }
}

/** A replacer that leaves out each `BigInt`. `JSON.stringify` leaves out functions and symbols itself. */
const withoutBigInts = (_key: string, member: unknown): unknown =>
  typeof member === 'bigint' ? undefined : member;
