/** A frame between two processes, or between a process and a page: its kind, then its content. */
export type Frame = readonly [kind: string, ...content: unknown[]];

/**
 * Reads a frame. On the wire, its number comes first: each side counts the frames that it sends on a socket,
 * from 1.
 *
 * @param number The number that the frame must have. A frame with another number is repeated, or follows one
 *   that was lost, so that its content could be carried out twice, or without the frames that it depends on.
 * @returns `undefined` if the text is not a JSON array of this number, a kind and a content.
 */
export function parseFrame(text: string, number: number): Frame | undefined {
  try {
    const [first, ...frame] = JSON.parse(text) as unknown[];
    return first === number && typeof frame[0] === 'string' ? (frame as never) : undefined;
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
