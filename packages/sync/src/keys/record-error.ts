/**
 * The reason why a record or piece could not be opened:
 *
 * - `damaged`: not what a device with the keys has sealed under this name
 * - `newer`: a later version of this package has written it; its bytes must be kept
 * - `unknown-key`: sealed with a newer key than this device has: open the vault again
 * - `too-large`: it contains more than any device may write
 * - `invalid`: a device with the keys has written something that no such device writes
 */
export type RecordErrorCode = 'damaged' | 'newer' | 'unknown-key' | 'too-large' | 'invalid';

/** A record or piece could not be opened; the code says why. */
export class RecordError extends Error {
  override readonly name = 'RecordError';
  readonly code: RecordErrorCode;

  constructor(code: RecordErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
