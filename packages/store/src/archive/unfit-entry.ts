/** What is wrong with one entry of an archive; the others are none the worse for it. */
export class UnfitEntry extends Error {
  override readonly name = 'UnfitEntry';
}
