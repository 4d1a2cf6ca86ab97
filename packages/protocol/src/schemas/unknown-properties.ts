const MAX_NAMES = 5;
const MAX_NAME_LENGTH = 50;

/**
 * The message for properties that are not allowed. It repeats only a part of the names, because the caller
 * chose them.
 */
export function unknownProperties(
  unknown: readonly string[],
  known: readonly string[],
  areArguments: boolean,
): string {
  const names = unknown
    .slice(0, MAX_NAMES)
    .map((name) => JSON.stringify(name.slice(0, MAX_NAME_LENGTH)));
  const allowed = known.length > 0 ? known.join(', ') : 'none';
  const whose = areArguments ? 'this tool takes only' : 'the allowed ones are';
  return `Unknown property ${names.join(', ')}; ${whose}: ${allowed}.`;
}
