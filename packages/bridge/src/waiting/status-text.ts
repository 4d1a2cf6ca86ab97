import { resolve } from 'node:path';
import type { BridgeStatus, PendingPairing } from '../wire/router.js';

/** The resource with the status of the bridge. */
export const STATUS_URI = 'inpage-bridge:///status';

/**
 * Starts this bridge in a terminal. Not `npx`: it would start any package that has this name in the registry.
 */
const PAIR_COMMAND = `node ${JSON.stringify(resolve(import.meta.dirname, '../main.js'))} --pair`;

/** The content of the resource. */
export function statusJson({ page, pairing }: BridgeStatus, message: string): string {
  return JSON.stringify({ connected: page !== undefined, page, pairing, message }, null, 2);
}

/**
 * The text for the user or a model while no page serves the host: the problem, or the next step.
 *
 * @param pageUrl The address to open, if the user has configured it.
 */
export function statusText(
  { page, pairing, problem }: BridgeStatus,
  pageUrl: string | undefined,
): string {
  if (problem) return problem;
  if (pairing) return pairingText(pairing);
  if (page)
    return `The page ${page} is open, but it does not serve this program. Look at the page: it may ask for your permission, or it may already serve its maximum number of programs.`;
  const whatToOpen = pageUrl ?? 'the page with your notes';
  return `No page is connected. Open ${whatToOpen} in a browser and connect it there. If it is open already, go to its tab.`;
}

/** The question for the user in a terminal. */
export const pairingQuestion = ({ code, origin }: PendingPairing): string =>
  `The page ${origin} wants to be paired with the assistants of this computer. Does it show the code ${code}?`;

function pairingText({ code, origin, needsAnswer }: PendingPairing): string {
  const text = `The page ${origin} wants to be paired. The page must show the code ${code}. If it shows another code, refuse the page. If it shows this code, accept in the page`;
  return needsAnswer
    ? `${text}, and answer the question here, or in a terminal: ${PAIR_COMMAND}`
    : `${text}.`;
}
