// The moment of the demo: an assistant in a frame without an origin is let in, asked, and its access ended.
import assert from 'node:assert/strict';
import { checkAccessible } from './axe.mjs';
import { card, chat, consent, decide, letIn, sendAway } from './assistant-page.mjs';
import { demoUrl, testInPrivateWindow } from './browser.mjs';
import {
  deleteChosen,
  openRow,
  row,
  seedTitles,
  view,
  waitForFocusOn,
  waitForView,
  writeNote,
} from './demo-page.mjs';

testInPrivateWindow(
  'a question that could not be loaded is reported, and asked at the next press',
  async (browser) => {
    const page = await browser.openTab();
    const consentScript = /mcp-consent[^/]*\.js$/;
    await page.route(consentScript, (route) => route.abort());
    await card(page).getByRole('button', { name: 'Let an assistant in' }).click();
    await page.getByText('The assistant could not be let in').waitFor();
    await page.locator('clients-pane iframe').waitFor({ state: 'detached' });
    // The missing script itself is all that went wrong.
    const others = browser.problems.filter((problem) => !/mcp-consent|ERR_FAILED/.test(problem));
    assert.deepEqual(others, []);
    browser.problems.length = 0;
    await page.unroute(consentScript);
    await letIn(page);
  },
);

testInPrivateWindow(
  'an assistant sees what it was given, adds what is agreed to, and nothing once its access has ended',
  async (browser) => {
    const page = await browser.openTab();
    await checkAccessible(page, 'the first screen');
    await writeNote(page, { title: 'Diary', text: 'secret: I like bananas' });
    await card(page).getByRole('button', { name: 'Let an assistant in' }).click();
    await consent(page).getByText('A sandboxed frame, without an address').waitFor();
    assert.equal(await consent(page).getByLabel('Diary').isChecked(), false);
    assert.equal(await consent(page).getByLabel('Shopping list').isChecked(), true);
    assert.equal(await consent(page).getByLabel('Ask me before each change').isChecked(), true);
    await page.locator('mcp-consent button.once:not([aria-disabled=true])').waitFor();
    await checkAccessible(page, 'who wants in');
    await decide(page, 'Let it in');
    await chat(page).getByText('It can see 3').waitFor();
    await card(page).getByText('Reads 3 notes; asks before each change.').waitFor();
    // On “End access”, the next Enter would take everything back.
    await waitForFocusOn(page, 'Scripted assistant');
    // The chat is as high as its pane: its end is in sight, and so is the end of its access.
    const [frame, pane] = await Promise.all(
      ['clients-pane iframe', 'clients-pane'].map((one) => page.locator(one).boundingBox()),
    );
    assert.ok(frame && pane && frame.y + frame.height < pane.y + pane.height);
    assert.ok(frame.height > 0.7 * pane.height);

    await chat(page).getByRole('button', { name: 'What can you see?' }).click();
    await chat(page).getByText('I may read “Welcome”').waitFor();
    await chat(page).getByRole('button', { name: 'What is on the shopping list?' }).click();
    await chat(page).getByRole('figure').getByText('oat milk').waitFor();
    const question = chat(page).getByLabel('Ask the assistant');
    await question.fill('What secret do I have?');
    await question.press('Enter');
    await chat(page)
      .getByText('None of the notes and files that I may read contain these words')
      .waitFor();
    await checkAccessible(page, 'the assistant has answered');

    await openRow(page, 'Shopping list');
    await waitForView(page, 'oat milk');
    for (const [answer, outcome] of [
      ['Don’t', 'You said no: nothing was changed.'],
      ['Add it', 'Added to “Shopping list”.'],
    ]) {
      await chat(page).getByRole('button', { name: 'Add bananas' }).click();
      await consent(page).getByText('Scripted assistant').waitFor();
      await consent(page).getByRole('insertion').getByText('- [ ] bananas').waitFor();
      await decide(page, answer ?? '');
      await chat(page)
        .getByText(outcome ?? '')
        .waitFor();
      // As it was before the question: in the frame, on the key that was pressed.
      await waitForFocusOn(page, 'Scripted assistant');
      const add = chat(page).getByRole('button', { name: 'Add bananas' });
      const root = await add.evaluateHandle((button) => button.getRootNode());
      const isActive = (/** @type {Node} */ root) =>
        /** @type {ShadowRoot} */ (root).activeElement?.textContent?.includes('Add bananas');
      assert.ok(await root.evaluate(isActive));
    }
    await waitForView(page, 'bananas');
    assert.equal(await view(page).getByText('bananas').count(), 1);

    await page.getByRole('tab', { name: 'Activity' }).click();
    const activity = page.locator('mcp-activity');
    await activity.getByRole('heading', { name: 'Scripted assistant' }).first().waitFor();
    await activity
      .getByText(/Changed “Shopping list”/u)
      .first()
      .waitFor();
    await checkAccessible(page, 'activity');
    await page.getByRole('tab', { name: 'Clients' }).click();
    await card(page).getByRole('button', { name: 'End access' }).click();
    await chat(page).getByText('It can see nothing.').waitFor();
    await chat(page).getByRole('button', { name: 'What is on the shopping list?' }).click();
    await chat(page)
      .getByText('None of the notes and files that I may read contain these words')
      .last()
      .waitFor();

    // An assistant that need not ask adds at once, and the view marks what it has added.
    await card(page).getByRole('button', { name: 'Let it in again' }).click();
    await consent(page).getByLabel('All notes and files').check();
    await consent(page).getByLabel('Ask me before each change').uncheck();
    await decide(page, 'Let it in');
    await chat(page).getByText('It can see 4').waitFor();
    await chat(page).getByRole('button', { name: 'Add bananas' }).click();
    await chat(page).getByText('Added to “Shopping list”.').last().waitFor();
    await waitForView(page, 'Updated by Scripted assistant');
    await sendAway(page);
    await page.locator('clients-pane iframe').waitFor({ state: 'detached' });
    await waitForFocusOn(page, 'Let an assistant in');
    // What it did stays its own.
    await page.getByRole('tab', { name: 'Activity' }).click();
    const clients = activity.getByRole('combobox', { name: 'Client' });
    // A name stands between isolates.
    await clients.selectOption({ label: '\u2068This page\u2069' });
    await activity.getByRole('heading', { name: 'This page' }).first().waitFor();
    assert.equal(await activity.getByText(/Changed “Shopping list”/u).count(), 0);
    await clients.selectOption({ label: '\u2068Scripted assistant\u2069' });
    await activity
      .getByText(/Changed “Shopping list”/u)
      .first()
      .waitFor();

    // And it can be undone, also the next day.
    await page.reload();
    await page.getByRole('tab', { name: 'Activity' }).click();
    await activity.getByRole('heading', { name: 'Scripted assistant' }).waitFor();
    // axe finds no order of headings in a page that is still starting, or a list that gets what the page reads.
    await row(page, 'Shopping list').waitFor();
    await activity.getByRole('heading', { name: 'This page' }).first().waitFor();
    await checkAccessible(page, 'activity of an earlier visit');
    await activity.getByRole('button', { name: 'Undo: Changed' }).click();
    await activity.getByText('Undone', { exact: true }).waitFor();
    await waitForFocusOn(page, 'Activity');
    await openRow(page, 'Shopping list');
    await waitForView(page, 'oat milk');
    assert.equal(await view(page).getByText('bananas').count(), 0);
  },
);

testInPrivateWindow(
  'nothing is granted that was not in sight: with many notes, and titles that look like choices',
  async (browser) => {
    const page = await browser.openTab();
    await page.setViewportSize({ width: 360, height: 740 });
    const EVERYTHING = 'All notes and files, including new ones';
    await page.evaluate(async (everything) => {
      const { runtime } = /** @type {any} */ (document.querySelector('demo-app'));
      const many = Array.from({ length: 10 }, (_, n) => ({ title: `Own ${n}`, text: '' }));
      const long = { title: 'a title of many words '.repeat(9), text: '' };
      for (const note of [...many, long, { title: everything, text: '' }])
        await runtime.notes.create(note);
    }, EVERYTHING);
    await page.getByRole('button', { name: 'Clients' }).click();
    await card(page).getByRole('button', { name: 'Let an assistant in' }).click();
    await consent(page).getByText('These notes: 3 of 15').waitFor();
    const ticked = page.locator('mcp-consent .checks input:checked');
    assert.equal(await ticked.count(), 3);
    // They are the first ones, so that whoever comes to the button has passed all of them.
    const boxes = page.locator('mcp-consent .checks input');
    for (const index of [0, 1, 2]) assert.ok(await boxes.nth(index).isChecked());
    assert.equal(await page.locator('mcp-consent .checks').evaluate(isCut), false);
    await consent(page).getByRole('button', { name: 'Show all 15' }).click();
    await consent(page).getByLabel(`“${EVERYTHING}”, changed`).check();
    assert.equal(await consent(page).getByLabel(EVERYTHING, { exact: true }).isChecked(), false);
    await consent(page).getByText('These notes: 4 of 15').waitFor();
    await checkAccessible(page, 'many choices');
    await decide(page, 'Let it in');
    await chat(page).getByText('It can see 4').waitFor();
  },
);

/** @param {Element} box */
const isCut = ({ scrollHeight, clientHeight }) => scrollHeight > clientHeight + 1;

testInPrivateWindow(
  'by keyboard alone: nobody is let in with “Not now” and Escape, and one with a yes',
  async (browser) => {
    const page = await browser.openTab();
    const press = async (/** @type {string[]} */ ...keys) => {
      for (const key of keys) await page.keyboard.press(key);
    };
    // Not by all that stands above them.
    await press('Tab');
    await waitForFocusOn(page, 'Skip to your notes');
    await press('Enter');
    await waitForFocusOn(page, 'New note');
    for (const refuse of [() => decide(page, 'Not now'), () => press('Escape')]) {
      await card(page).getByRole('button', { name: 'Let an assistant in' }).click();
      await consent(page).getByRole('heading').waitFor();
      await refuse();
      await page.locator('clients-pane iframe').waitFor({ state: 'detached' });
    }
    await card(page).getByText('It can read nothing yet').waitFor();

    await waitForFocusOn(page, 'Let an assistant in');
    await press('Enter');
    await consent(page).getByRole('heading').waitFor();
    await page.locator('mcp-consent button.once:not([aria-disabled=true])').waitFor();
    const yes = consent(page).getByRole('button', { name: 'Let it in' });
    for (let tabs = 0; tabs < 20; tabs += 1) {
      if (await yes.evaluate((button) => button.matches(':focus'))) break;
      await press('Tab');
    }
    await press('Enter');
    await chat(page).getByText('It can see 3').waitFor();
    await chat(page).getByLabel('Ask the assistant').focus();
    await page.keyboard.type('oat milk');
    await press('Enter');
    await chat(page).getByRole('figure').getByText('oat milk').waitFor();
    await card(page).getByRole('button', { name: 'End access' }).focus();
    await press('Enter');
    await chat(page).getByText('It can see nothing.').waitFor();
  },
);

testInPrivateWindow(
  'the first visit begins with what an assistant can do here, and with one button that lets it in',
  async (browser) => {
    const page = await browser.openTab();
    const introduction = page.getByRole('region', { name: 'Introduction' });
    await introduction.getByRole('heading', { name: 'Ask an assistant' }).waitFor();
    await introduction.getByText('Nothing leaves this browser').waitFor();
    assert.equal(await page.getByRole('option', { selected: true }).count(), 0);
    const button = page.getByRole('button', { name: 'Let an assistant in' });
    assert.equal(await button.count(), 1, 'No other button does the same.');
    await checkAccessible(page, 'introduction');

    await button.focus();
    await page.keyboard.press('Enter');
    await decide(page, 'Not now');
    await waitForFocusOn(page, 'Let an assistant in');
    await waitForView(page, 'This note lives in');
    await letIn(page);
    await page.goto(demoUrl.href);
    await waitForView(page, 'This note lives in');
    assert.equal(await introduction.count(), 0);
  },
  { isFirstVisit: true },
);

testInPrivateWindow(
  'the page introduces itself again until something was opened, and no more when all is deleted',
  async (browser) => {
    const page = await browser.openTab();
    const introduction = page.getByRole('region', { name: 'Introduction' });
    await introduction.getByRole('link', { name: 'Embed it in your app' }).click();
    await page.getByRole('heading', { name: 'Embed it', level: 1 }).waitFor();
    await page.goBack();
    await introduction.waitFor();
    for (const title of seedTitles) {
      await openRow(page, title);
      await view(page).getByRole('heading', { name: title }).first().waitFor();
      assert.equal(await introduction.count(), 0);
      await deleteChosen(page);
      // Before that, the others have not moved up.
      await row(page, title).waitFor({ state: 'detached' });
    }
    await page.getByText('Nothing is open.').or(page.getByText('was deleted.')).first().waitFor();
    await page.goto(demoUrl.href);
    await page.getByText('Nothing is open.').waitFor();
    assert.equal(await introduction.count(), 0);
  },
  { isFirstVisit: true },
);

testInPrivateWindow(
  'each place has an address, which Back, a reload and another tab understand',
  async (browser) => {
    const page = await browser.openTab();
    await waitForView(page, 'This note lives in');
    await openRow(page, 'Shopping list');
    await waitForView(page, 'oat milk');
    assert.match(page.url(), /#note:\/\/\/\w{26}$/);
    await openRow(page, 'Ideas for your own app');
    await waitForView(page, 'Let an assistant in your page');
    await page.goBack();
    await waitForView(page, 'oat milk');
    await page.reload();
    await waitForView(page, 'oat milk');
    await page.getByRole('tab', { name: 'Wire' }).click();
    assert.match(page.url(), /#wire\+note:\/\/\/\w{26}$/);
    const other = await browser.openBlankTab();
    await other.goto(page.url());
    await waitForView(other, 'oat milk');
    await other.locator('mcp-wire').waitFor();
    await other.goto(new URL('#note:///nothing', demoUrl).href);
    await view(other).getByRole('alert').waitFor();

    await page.goto(demoUrl.href);
    await page.setViewportSize({ width: 360, height: 740 });
    await openRow(page, 'Shopping list');
    await waitForView(page, 'oat milk');
    await page.goBack();
    await row(page, 'Shopping list').waitFor();
  },
);
