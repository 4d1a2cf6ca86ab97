import { isModern, type Revision } from '../../../support/revisions.js';
import { CHANGES } from './changes.js';
import { FEATURES } from './features.js';
import { MESSAGES } from './messages.js';
import { OPENINGS } from './openings.js';
import { PROGRESS_AND_LOGS } from './progress-and-logs.js';
import { QUESTIONS } from './questions.js';
import { ROUNDS } from './rounds.js';
import type { Talk } from './talk.js';

const TALKS = [MESSAGES, PROGRESS_AND_LOGS, FEATURES, CHANGES, ROUNDS, QUESTIONS];

/** Everything that can be said in a revision. */
export function talksOf(revision: Revision): [name: string, talk: Talk][] {
  const talks = TALKS.flatMap((some) => Object.entries(some));
  const possible = talks.filter(([, { of }]) => of?.(revision) ?? true);
  // They choose the revision themselves: once is enough.
  if (!isModern(revision)) return possible;
  const openings = Object.entries(OPENINGS).map(([name, say]): [string, Talk] => [
    name,
    { isOpening: true, say },
  ]);
  return [...openings, ...possible];
}
