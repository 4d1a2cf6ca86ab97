/**
 * Looks at a value that came from a server, and returns what is right of it: the value itself, a
 * copy without its wrong parts, or `undefined` if it is wrong as a whole.
 */
export type Check = (value: unknown) => unknown;

const when =
  (fits: (value: unknown) => boolean): Check =>
  (value) =>
    fits(value) ? value : undefined;

export const text = when((value) => typeof value === 'string');
export const flag = when((value) => typeof value === 'boolean');
/** A number of bytes, of entries, of milliseconds. */
export const amount = when((value) => Number.isFinite(value) && (value as number) >= 0);
/** From 0 to 1. */
export const fraction = when((value) => amount(value) === value && (value as number) <= 1);
/** ISO 8601. */
export const date = when((value) => text(value) === value && !isNaN(Date.parse(value as string)));
export const word = (...words: unknown[]): Check => when((value) => words.includes(value));
export const object = when(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
);
/** A field that is not there, whatever the server says. */
export const nothing = when(() => false);

/** An array: what is wrong in it is left out, and so are its holes, of which there may be billions. */
export const list =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value)
      ? Object.values(value)
          .map(check)
          .filter((right) => right !== undefined)
      : undefined;

/**
 * An object: what is wrong of its fields is left out.
 *
 * @param checks By the names of fields. Those of other names stay as they are.
 * @param required The fields without which it is wrong as a whole.
 */
export const shape =
  (checks: ReadonlyMap<string, Check>, required: string[]): Check =>
  (value) => {
    if (!object(value)) return undefined;
    const clean = { ...(value as { [name: string]: unknown }) };
    for (const name of Object.keys(clean)) {
      if (checks.has(name)) clean[name] = checks.get(name)!(clean[name]);
      if (clean[name] === undefined) delete clean[name];
    }
    return required.every((name) => name in clean) ? clean : undefined;
  };
