import type { OmittedContent } from './context-types.js';
import { inOneLine, type Source } from './source.js';

/** The reason why a content is omitted. */
export type Omission = Pick<OmittedContent, 'reason' | 'message'>;

/** The result for a resource or a content: the source for the model, or the reason why it is omitted. */
export type Found = Source | OmittedContent;

/** The names of a content in a report. */
export const namesOf = ({ uri, title }: Source): { uri: string; title: string } => ({ uri, title });

export const overBudget = (tokens: number, rest: number): Omission => ({
  reason: 'budget',
  message: `It has about ${tokens} tokens, and ${Math.floor(rest)} of the budget are left.`,
});

export const overRequest = (maximum: number): Omission => ({
  reason: 'budget',
  message: `With it, the request would have more than ${maximum} bytes, which is the most for this format.`,
});

export const failure = (error: unknown): Omission => ({
  reason: 'failed',
  message: inOneLine(error instanceof Error ? error.message : String(error)),
});
