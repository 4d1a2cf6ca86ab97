// The assistant of the demo as its user sees it: its card, its chat, and the questions of the page.

/** @typedef {import('playwright-core').Page} Page */

/** @param {Page} page */
export const card = (page) => page.getByRole('region', { name: 'Assistant' });

/** @param {Page} page */
export const chat = (page) => page.frameLocator('clients-pane iframe');

/** @param {Page} page */
export const consent = (page) => page.getByRole('dialog');

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

/**
 * @typedef {object} ModelFields
 * @property {'openai' | 'anthropic' | 'built-in'} [wire]
 * @property {string} [endpoint]
 * @property {string} [model]
 * @property {string} [key]
 * @property {boolean} [remember]
 */

/**
 * Enters a real model in the card of the assistant; it is not let in yet.
 * @param {Page} page
 * @param {ModelFields} fields
 */
export async function chooseModel(page, { wire = 'openai', endpoint, model, key, remember }) {
  await card(page)
    .getByRole('button', { name: /Use a real model|Another model/ })
    .click();
  const dialog = page.getByRole('dialog', { name: 'Use a real model' });
  await dialog.getByLabel('Kind').selectOption(wire);
  if (endpoint !== undefined) await dialog.getByLabel('Address').fill(endpoint);
  if (model !== undefined) await dialog.getByLabel('Model', { exact: true }).fill(model);
  if (key !== undefined) await dialog.getByLabel('Key, if it needs one').fill(key);
  if (remember !== undefined) await dialog.getByLabel('Remember the key').setChecked(remember);
  await dialog.getByRole('button', { name: 'Use this model' }).click();
  await dialog.waitFor({ state: 'hidden' });
}

/**
 * @param {Page} page
 * @param {string} question
 */
export async function ask(page, question) {
  const field = chat(page).getByLabel('Ask the model');
  await field.fill(question);
  await field.press('Enter');
}
