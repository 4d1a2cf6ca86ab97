/**
 * A copy of an answer without the members that no message can have, such as functions; `undefined` if the rest
 * of it is no JSON either, such as a cycle.
 */
export function sendable<Answer extends object>(answer: Answer): Answer | undefined {
  try {
    return JSON.parse(JSON.stringify(answer, withoutBigInts)) as Answer;
  } catch {
    return undefined;
  }
}

/** `JSON.stringify` leaves out functions and symbols by itself. */
const withoutBigInts = (_key: string, member: unknown): unknown =>
  typeof member === 'bigint' ? undefined : member;
