/** A change that is marked in what is shown, if it can be marked there. */
export interface MarkedChange {
  /** What is there now, and what was there, for a line of text; '' for nothing. */
  added: string;
  removed: string;
  /** Brings it into sight, and marks it as the one where the user is. */
  enter(): void;
  /** The user goes on. */
  leave(): void;
}
