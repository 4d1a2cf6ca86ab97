import type { BridgeStatus, PendingPairing } from '../wire/router.js';

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
    return `The page ${page} is open, but it does not serve this program. Look at the page: it may ask for your permission.`;
  return pageUrl
    ? `No page is connected. Open ${pageUrl} in a browser and connect it there.`
    : 'No page is connected. Open the page with your notes in a browser and connect it there.';
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
