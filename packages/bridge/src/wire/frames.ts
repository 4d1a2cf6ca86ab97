/** A frame between two processes, or between a process and a page: its kind, then its content. */
export type Frame = readonly [kind: string, ...content: unknown[]];

/** Reads a frame. `undefined` if the text is not a JSON array that begins with a kind. */
export function parseFrame(text: string): Frame | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) && typeof value[0] === 'string' ? (value as never) : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a value is an object of JSON. */
export const isObject = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The codes with which sockets are closed. */
export const CloseCode = {
  GoingAway: 1001,
  TooLong: 1009,
  Malformed: 4400,
  WrongProof: 4401,
  Refused: 4403,
  TimedOut: 4408,
  TooMuch: 4429,
} as const;
