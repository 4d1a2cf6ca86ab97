// The app of the notes (MCP Apps) in the demo: as the result of a tool, and in the answer of the assistant.
// The runner sees that nothing violates the policy of the page.
import assert from 'node:assert/strict';
import { checkAccessible } from './axe.mjs';
import { chat, consent, decide, letIn } from './assistant-page.mjs';
import { testInPrivateWindow } from './browser.mjs';
import { openRow, view, waitForView } from './demo-page.mjs';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('playwright-core').FrameLocator} FrameLocator */

/**
 * The document of an app, which is in a frame of the frame that its element has.
 * @param {Page | FrameLocator} place
 */
const appIn = (place) => place.frameLocator('mcp-app iframe').frameLocator('iframe');

/**
 * Waits until the server has the apps, which come some time after the start, and opens the form of a tool.
 * @param {Page} page
 * @param {string} title
 */
async function openTool(page, title) {
  await page.getByRole('button', { name: 'Tools', exact: true }).click();
  const form = page.locator('mcp-tool-form');
  await form.getByRole('option', { name: title }).first().click();
}

testInPrivateWindow(
  'the app of a tool shows a note, changes it after a question, and gives way to its text',
  async (browser) => {
    const page = await browser.openTab();
    await openTool(page, 'Show notes');
    await page.getByRole('button', { name: 'Call the tool' }).click();
    const app = appIn(page);
    await app.getByRole('option', { name: 'Shopping list' }).click();
    const title = app.getByRole('textbox', { name: 'Title' });
    await title.waitFor();
    assert.equal(await title.inputValue(), 'Shopping list');
    const text = app.getByRole('textbox', { name: 'Text, in Markdown' });
    await text.fill('- [ ] quinces');
    const question = page.locator('mcp-app [part=question]');
    await question.getByText('wants to call “Change a note”').waitFor();
    await question.getByText('quinces').waitFor();
    await checkAccessible(page, 'an app asks');
    await question.locator('button.yes:not([aria-disabled=true])').click();
    await question.waitFor({ state: 'detached' });
    await app.getByText('Saved').waitFor();

    await page.getByRole('button', { name: 'Full screen' }).click();
    await app.getByRole('option', { name: 'Welcome' }).waitFor();
    const { width = 0 } = (await page.locator('mcp-app iframe').boundingBox()) ?? {};
    assert.equal(width, page.viewportSize()?.width);
    await checkAccessible(page, 'an app in full screen');
    await page.getByRole('button', { name: 'Back to the page' }).click();
    // As it was: the frame has stayed.
    assert.equal(await text.inputValue(), '- [ ] quinces');
    const asText = page.getByRole('button', { name: 'As text' });
    await asText.click();
    await page.getByText('3 notes, the newest first.').waitFor();
    await title.waitFor({ state: 'hidden' });
    await asText.click();
    await title.waitFor();

    await openRow(page, 'Shopping list');
    await waitForView(page, 'quinces');
    assert.equal(await view(page).getByText('oat milk').count(), 0);
  },
);

testInPrivateWindow(
  'the assistant shows the app of the notes in its answer, and quotes what is put there by it',
  async (browser) => {
    const page = await browser.openTab();
    // So high that all of the app is in sight: Playwright does not scroll the chat for what is in the frame.
    await page.setViewportSize({ width: 1280, height: 1100 });
    // The server has the apps.
    await openTool(page, 'Show notes');
    await letIn(page);
    await chat(page).getByRole('button', { name: 'Show me my notes' }).click();
    const app = appIn(chat(page));
    const shown = app.getByRole('option', { name: 'Shopping list' });
    await shown.waitFor();
    assert.equal(await app.getByRole('option').count(), 3);
    await checkAccessible(page, 'an app in an answer');
    await shown.click();
    const text = app.getByRole('textbox', { name: 'Text, in Markdown' });
    await text.and(app.locator('[readonly]')).waitFor();
    await app.getByRole('button', { name: 'Add to the conversation' }).click();
    await app.getByText('Added to the conversation.').waitFor();
    await chat(page).locator('.user', { hasText: '“Shopping list”' }).waitFor();
    await chat(page).getByRole('figure').getByText('oat milk').waitFor();

    // What changes in the page changes in the conversation.
    await chat(page).getByRole('button', { name: 'Add bananas' }).click();
    await consent(page).getByRole('insertion').getByText('- [ ] bananas').waitFor();
    await decide(page, 'Add it');
    await chat(page).getByText('Added to “Shopping list”.').waitFor();
    await text.evaluate(waitForValue, 'bananas');

    await chat(page).getByRole('button', { name: 'As text' }).click();
    await chat(page).getByText('3 notes, the newest first.').waitFor();
  },
);

/** @param {Element} field @param {string} words */
async function waitForValue(field, words) {
  const { value } = /** @type {HTMLTextAreaElement} */ (field);
  if (value.includes(words)) return;
  await new Promise(requestAnimationFrame);
  await waitForValue(field, words);
}
