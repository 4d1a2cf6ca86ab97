// What a visitor of the demo comes for: thirteen tasks, for any hand.
import assert from 'node:assert/strict';
import { chat, consent } from './assistant-page.mjs';
import { dialog } from './data-page.mjs';
import {
  newNoteButton,
  readQuestion,
  row,
  seedTitles,
  textField,
  titleField,
  view,
  waitForFocusOn,
  waitForTitles,
  waitForView,
  waitUntilSaved,
} from './demo-page.mjs';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('./hands.mjs').Hand} Hand */

/** @param {Page} page @param {string} name */
const button = (page, name) => page.getByRole('button', { name, exact: true });

/** In their order, each from where the one before it has ended.
 * @type {Record<string, (page: Page, hand: Hand) => Promise<void>>} */
export const tasks = {
  'open a note': async (page, hand) => {
    await hand.open('Shopping list');
    await waitForView(page, 'oat milk');
  },
  'write a note': async (page, hand) => {
    await hand.show('List');
    await hand.press(newNoteButton(page));
    await titleField(page).waitFor();
    await hand.write(titleField(page), ' of my own');
    await hand.write(textField(page), 'some words');
    await waitUntilSaved(page);
    await hand.press(button(page, 'Read'));
    await waitForView(page, 'some words');
    // The focus is where it was.
    if (!hand.name.includes('touch')) await waitForFocusOn(page, 'Edit');
  },
  'change it': async (page, hand) => {
    await hand.press(button(page, 'Edit'));
    await waitUntilSaved(page);
    await hand.write(textField(page), ', and others');
    await waitUntilSaved(page);
    await hand.press(button(page, 'Read'));
    await waitForView(page, 'some words, and others');
  },
  'find words': async (page, hand) => {
    await hand.show('List');
    const field = page.getByRole('searchbox');
    await hand.write(field, 'oat');
    await row(page, 'Shopping list').locator('mark').first().waitFor();
    await hand.open('Shopping list');
    await waitForView(page, 'oat milk');
    await hand.show('List');
    await hand.clear(field);
    await row(page, 'Welcome').waitFor();
  },
  'add a file': async (page, hand) => {
    const choosing = page.waitForEvent('filechooser');
    await hand.show('List');
    await hand.press(button(page, 'Choose files'));
    await (
      await choosing
    ).setFiles({
      name: 'table.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('name,age\nAda,36\n'),
    });
    await hand.show('Preview');
    await view(page).getByRole('table').waitFor();
  },
  'see its source': async (page, hand) => {
    await hand.press(view(page).getByRole('tab', { name: 'Source' }));
    await view(page).getByRole('table').waitFor({ state: 'detached' });
  },
  'delete several and take it back': async (page, hand) => {
    await hand.show('List');
    await hand.open('Welcome');
    await waitForView(page, 'This note lives in');
    await hand.show('List');
    await hand.add('Shopping list');
    await page.getByText('2 selected').waitFor();
    const selection = page.getByRole('group', { name: 'Selection' });
    await hand.press(selection.getByRole('button', { name: 'Delete' }));
    await page.getByText('Deleted 2 notes.').waitFor();
    await hand.press(button(page, 'Undo'));
    await page.getByText('Brought back 2 notes.').waitFor();
    await waitForTitles(page, ['New note of my own', ...seedTitles, 'table.csv']);
  },
  'let an assistant in': async (page, hand) => {
    await hand.show('Clients');
    await hand.press(button(page, 'Let an assistant in'));
    await readQuestion(page);
    await hand.press(consent(page).getByRole('button', { name: 'Let it in' }));
    await chat(page)
      .getByText(/It can see \d/)
      .waitFor();
  },
  'ask it': async (page, hand) => {
    const question = chat(page).getByRole('button', { name: 'What is on the shopping list?' });
    // On a telephone, a notice lies over the end of the chat until it goes.
    await page.locator('.notice').first().waitFor({ state: 'detached' });
    await question.scrollIntoViewIfNeeded();
    const topOfEnd = (await button(page, 'End access').boundingBox())?.y;
    await hand.press(question);
    await chat(page).getByRole('figure').getByText('oat milk').waitFor();
    // What the assistant does moves nothing that the user may be aiming at.
    assert.equal((await button(page, 'End access').boundingBox())?.y, topOfEnd);
  },
  'allow it a change': async (page, hand) => {
    await hand.press(chat(page).getByRole('button', { name: 'Add bananas' }));
    await consent(page).getByText('bananas').waitFor();
    await readQuestion(page);
    await hand.press(consent(page).getByRole('button', { name: 'Add it' }));
    await chat(page).getByText('Added to “Shopping list”.').waitFor();
  },
  'send it away': async (page, hand) => {
    await hand.press(button(page, 'End access'));
    await chat(page).getByText('It can see nothing.').waitFor();
  },
  'call a tool': async (page, hand) => {
    await hand.show('List');
    await hand.press(button(page, 'Tools'));
    const form = page.locator('mcp-tool-form');
    await form.waitFor();
    const tools = form.getByRole('combobox');
    await hand.write(tools, 'Search in notes');
    await hand.choose(tools, form.getByRole('option', { name: 'Search in notes' }).first());
    await hand.write(form.getByLabel('query'), 'bananas');
    await hand.press(form.getByRole('button', { name: 'Call the tool' }));
    await form.getByText('Shopping list').first().waitFor();
  },
  'keep a copy of everything': async (page, hand) => {
    await hand.press(page.getByRole('button', { name: 'Your data' }));
    const downloading = page.waitForEvent('download');
    await hand.press(dialog(page).getByRole('button', { name: 'Export', exact: true }));
    await (await downloading).path();
    await dialog(page).getByText('It is in your downloads').waitFor();
    await hand.press(dialog(page).getByRole('button', { name: 'Close' }));
    await dialog(page).waitFor({ state: 'hidden' });
  },
};
