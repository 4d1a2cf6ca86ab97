import type { Call } from '@inpage-mcp/protocol';
import type { PendingPairing } from '../wire/router.js';

type ElicitForm = Parameters<Call['elicit']>[1];

/**
 * The question whether a page may be paired, for the user of a host. The user types the code that the page
 * shows: without a field, some hosts show only a button, which users press without reading.
 */
export const pairingForm = ({ origin }: PendingPairing): ElicitForm => ({
  message: `The page ${origin} wants to be paired with the assistants of this computer. If you want that, type the code that it shows.`,
  requestedSchema: {
    type: 'object',
    properties: { code: { type: 'string', title: 'Code', description: 'The six digits.' } },
    required: ['code'],
  },
});

/** The user's decision; `undefined` if the user has closed the question without one. */
export function decisionIn(
  { code }: PendingPairing,
  { action, content }: { readonly action?: unknown; readonly content?: unknown },
): boolean | undefined {
  if (action === 'accept') {
    const { code: typed } = (content ?? {}) as { code?: unknown };
    return digitsOf(String(typed)) === digitsOf(code);
  }
  return action === 'decline' ? false : undefined;
}

const digitsOf = (text: string): string => text.replaceAll(/\D/g, '');
