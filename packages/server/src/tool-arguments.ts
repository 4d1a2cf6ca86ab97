import * as z from 'zod';

/** The most names of unknown properties that an error repeats, and the most of each. */
const MAX_ECHOED_KEYS = 5;
const MAX_ECHOED_KEY_LENGTH = 50;

/** The schema of a tool's arguments; what it does not know is refused by name. */
export function argumentsOf<Shape extends z.ZodRawShape>(
  shape: Shape,
): z.ZodObject<Shape, z.core.$strict> {
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys' ? unknownKeys(issue.keys, Object.keys(shape)) : undefined,
  });
}

function unknownKeys(unknown: readonly string[], known: readonly string[]): string {
  const echoed = unknown
    .slice(0, MAX_ECHOED_KEYS)
    .map((key) => JSON.stringify(key.slice(0, MAX_ECHOED_KEY_LENGTH)));
  return `Unknown property ${echoed.join(', ')}; this tool takes only: ${known.join(', ')}.`;
}
