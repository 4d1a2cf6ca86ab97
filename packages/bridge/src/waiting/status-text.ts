import type { BridgeStatus, PendingPairing } from '../wire/router.js';

/** The resource that says what the bridge waits for. */
export const STATUS_URI = 'inpage-bridge:///status';

/** What the resource says. */
export function statusJson({ page, pairing }: BridgeStatus, message: string): string {
  return JSON.stringify({ connected: page !== undefined, page, pairing, message }, null, 2);
}

/**
 * What a person, or a model, has to know while no page serves.
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
    return `The page ${page} is open, but it does not serve this program. Look at the page: it may ask for your permission, or serve as many programs as it can.`;
  const whatToOpen = pageUrl ?? 'the page with your notes';
  return `No page is connected. Open ${whatToOpen} in a browser and connect it there. If it is open already, go to its tab.`;
}

/** The question that is put to people. */
export const pairingQuestion = ({ code, origin }: PendingPairing): string =>
  `The page ${origin} wants to be paired with the assistants of this computer. Does it show the code ${code}?`;

function pairingText({ code, origin, needsAnswer }: PendingPairing): string {
  const text = `The page ${origin} wants to be paired. It must show the code ${code}. If it does not, refuse it. If it does, accept it there`;
  return needsAnswer
    ? `${text}, and answer the question here, or in a terminal: npx @inpage-mcp/bridge --pair`
    : `${text}.`;
}
