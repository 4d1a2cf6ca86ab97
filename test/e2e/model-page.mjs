// A real model in the demo as its user sees it, and a test with an endpoint for it.
import assert from 'node:assert/strict';
import { card, chat } from './assistant-page.mjs';
import { testInPrivateWindow } from './browser.mjs';
import { startModelServer } from './model-server.mjs';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('./model-server.mjs').ModelServer} ModelServer */
/** @typedef {import('./browser.mjs').Browser} Browser */

export const KEY = 'sk-secret-of-the-test';

/**
 * A test with an endpoint. Beside it no request leaves the page, and nothing goes wrong but what is expected.
 * @param {string} name
 * @param {(page: Page, server: ModelServer, browser: Browser) => Promise<void>} body
 * @param {RegExp} [expected] among the problems
 */
export function testWithModel(name, body, expected = /^never$/) {
  testInPrivateWindow(name, async (browser) => {
    const server = await startModelServer();
    try {
      await body(await browser.openTab(), server, browser);
    } finally {
      await server.close();
    }
    assert.equal(browser.requests.filter((url) => url.includes(KEY)).length, 0);
    browser.requests = browser.requests.filter((url) => !url.startsWith(server.url));
    browser.problems = browser.problems.filter((problem) => !expected.test(problem));
  });
}

/** @param {ModelServer} server @param {'openai' | 'anthropic'} [wire] */
export const fieldsFor = ({ url }, wire = 'openai') => ({
  wire,
  endpoint: url,
  model: 'test-1',
  key: KEY,
});

/** Asks for the note of the title that the tool before has listed. @param {string} title @param {string} text */
export const appendTo = (title, text) => (/** @type {any} */ body) => {
  const listed = JSON.stringify(body.messages).replaceAll('\\', '');
  const [, id = ''] = new RegExp(`note:///(\\w{26})"[^}]*"title":"${title}"`).exec(listed) ?? [];
  return { calls: { name: 'append_to_note', args: { id, text } } };
};

export const LIST = { calls: { name: 'list_resources', args: {} } };

/**
 * @typedef {object} ModelFields
 * @property {'openai' | 'anthropic'} [wire]
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
  // Not while it is busy.
  await chat(page).getByRole('button', { name: 'Ask' }).waitFor();
  const field = chat(page).getByLabel('Ask the model');
  await field.fill(question);
  await field.press('Enter');
}
