// The assistant of the demo as its user sees it: its card, its chat, and the questions of the page.

/** @typedef {import('playwright-core').Page} Page */

/** @param {Page} page */
export const card = (page) => page.getByRole('region', { name: 'Assistant' });

/** @param {Page} page */
export const chat = (page) => page.frameLocator('clients-pane iframe');

/** @param {Page} page */
export const consent = (page) => page.locator('mcp-consent').getByRole('dialog');

/**
 * Answers the question that is open: not at once, as a yes counts only after a moment.
 * @param {Page} page
 * @param {string} answer
 */
export async function decide(page, answer) {
  await page.locator('mcp-consent button:not([aria-disabled=true])', { hasText: answer }).waitFor();
  await consent(page).getByRole('button', { name: answer, exact: true }).click();
  await consent(page).waitFor({ state: 'hidden' });
}

/** @param {Page} page */
export async function letIn(page) {
  await card(page).getByRole('button', { name: 'Let an assistant in' }).click();
  await decide(page, 'Let it in');
  await chat(page).getByText('It can see').waitFor();
}

/** Ends the access of the assistant, and closes its frame. @param {Page} page */
export async function sendAway(page) {
  await card(page).getByRole('button', { name: 'End access' }).click();
  await card(page).getByRole('button', { name: 'Close it' }).click();
}
