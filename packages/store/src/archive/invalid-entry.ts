/** One entry of an archive is invalid; it is skipped, and the others are imported. */
export class InvalidEntry extends Error {
  override readonly name = 'InvalidEntry';
}
