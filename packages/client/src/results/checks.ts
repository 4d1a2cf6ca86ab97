/**
 * Checks a value from a server, and returns the value itself, a copy without its invalid parts, or
 * `undefined` if all of it is invalid.
 */
export type Check = (value: unknown) => unknown;

const when =
  (fits: (value: unknown) => boolean): Check =>
  (value) =>
    fits(value) ? value : undefined;

export const text = when((value) => typeof value === 'string');
export const flag = when((value) => typeof value === 'boolean');
/** A number of bytes, entries or milliseconds. */
export const amount = when((value) => Number.isFinite(value) && (value as number) >= 0);
/** A number from 0 to 1. */
export const fraction = when((value) => amount(value) === value && (value as number) <= 1);
/** A date in ISO 8601. */
export const date = when((value) => text(value) === value && !isNaN(Date.parse(value as string)));
export const oneOf = (...words: unknown[]): Check => when((value) => words.includes(value));
export const object = when(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
);
/** A field that is always removed. */
export const nothing = when(() => false);

/** An array: invalid entries are omitted, and so are its holes, of which there may be billions. */
export const arrayOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value)
      ? Object.values(value)
          .map(check)
          .filter((valid) => valid !== undefined)
      : undefined;

/**
 * An object: invalid fields are omitted.
 *
 * @param checks By field name. Other fields stay unchanged.
 * @param required The fields without which the object is invalid.
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
