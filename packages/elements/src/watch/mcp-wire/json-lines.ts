import { Slices } from '../../reading/slices.js';
import { printJson } from './print-json.js';
import type { WireEntry } from './wire-entry.js';

/** If a message has no JSON, such as one with a cycle, about as many characters of it are written. */
const MAX_PRINTED = 1_000_000;

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
 * A value as JSON. Values that JSON does not have are written as text, as structured clone carries
 * more than JSON.
 */
export function jsonOf(value: unknown, indent?: number): string {
  try {
    return JSON.stringify(value, writeSpecial, indent) ?? 'null';
  } catch {
    // A cycle, or nested too deeply.
    return JSON.stringify(printJson(value, MAX_PRINTED).text);
  }
}

function writeSpecial(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return `${value}n`;
  if (value instanceof Blob) return `Blob (${value.size} bytes)`;
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer)
    return `Bytes (${value.byteLength})`;
  return value;
}
