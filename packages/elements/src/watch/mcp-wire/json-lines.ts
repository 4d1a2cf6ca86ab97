import { describeSpecial, writeJson } from '../../base/text/json-text.js';
import { Slices } from '../../reading/slices.js';
import type { WireEntry } from './wire-entry.js';

/** If a message has no JSON, such as one with a cycle, as many characters of it are written. */
const MAX_WRITTEN = 1_000_000;

/** All messages as JSON Lines. Rejects with the reason of the signal. */
export async function jsonLinesOf(
  entries: readonly WireEntry[],
  signal: AbortSignal,
): Promise<Blob> {
  const slices = new Slices(signal, () => undefined);
  const lines: string[] = [];
  for (const entry of entries) {
    await slices.next();
    for (const line of linesOf(entry)) lines.push(`${line}\n`);
  }
  return new Blob(lines, { type: 'application/jsonl' });
}

/** One line for each message; one for the opening and the end of a connection, too. */
function linesOf(entry: WireEntry): string[] {
  const { kind, connection, direction, timeMs, durationMs, message, answer } = entry;
  const isMessage = kind !== 'opened' && kind !== 'closed' && kind !== 'problem';
  const first = isMessage
    ? { time: isoOf(timeMs), connection, direction, message }
    : { time: isoOf(timeMs), connection, [kind]: message ?? true };
  if (answer === undefined) return [jsonOf(first)];
  const time = isoOf(timeMs + (durationMs ?? 0));
  const other = direction === 'sent' ? 'received' : 'sent';
  return [jsonOf(first), jsonOf({ time, connection, direction: other, message: answer })];
}

const isoOf = (timeMs: number): string => new Date(timeMs).toISOString();

/**
 * A value as JSON. Values that JSON does not have are described, as structured clone carries more
 * than JSON.
 */
export function jsonOf(value: unknown, indent?: number): string {
  try {
    return JSON.stringify(value, (_, part: unknown) => describeSpecial(part) ?? part, indent);
  } catch {
    // A cycle, or nested too deeply.
    return JSON.stringify(writeJson(value, MAX_WRITTEN).text);
  }
}
