import type { BridgeStatus } from '../wire/router.js';

/**
 * What a person, or a model, has to know while no page serves.
 *
 * @param pageUrl The address to open, if the user has configured it.
 */
export function statusText({ page, pairing }: BridgeStatus, pageUrl: string | undefined): string {
  if (pairing)
    return `The page ${pairing.origin} wants to be paired. It must show the code ${pairing.code}. If it does, accept it there; if it does not, refuse it.`;
  if (page)
    return `The page ${page} is open, but it does not serve this program. Look at the page: it may ask for your permission.`;
  return pageUrl
    ? `No page is connected. Open ${pageUrl} in a browser and connect it there.`
    : 'No page is connected. Open the page with your notes in a browser and connect it there.';
}
