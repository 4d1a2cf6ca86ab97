import type { Checked } from './types.js';

/**
 * A value in the form in which it is sent: as JSON, which has no dates, and no members that are `undefined`.
 * An issue if JSON cannot represent the value, such as `Infinity`, a `BigInt` or a cycle.
 */
export function asJson(value: unknown): Checked {
  try {
    const json = JSON.stringify(value, requireFinite) as string | undefined;
    return json === undefined ? notJson(typeof value) : { value: JSON.parse(json) as unknown };
  } catch (error) {
    return notJson((error as Error).message);
  }
}

/** A replacer that rejects a number that is not finite. `JSON.stringify` would write `null` instead. */
function requireFinite(key: string, member: unknown): unknown {
  if (typeof member !== 'number' || Number.isFinite(member)) return member;
  throw new RangeError(`${key} is ${member}`);
}

function notJson(reason: string): Checked {
  return { issues: [{ path: [], message: `is not JSON: ${reason.slice(0, 200)}` }] };
}
