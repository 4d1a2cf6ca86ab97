// The demo by touch alone, on a telephone: no key, no mouse, nothing that is only there under a pointer.
import assert from 'node:assert/strict';
import { demoUrl, testInPrivateWindow } from './browser.mjs';
import {
  readQuestion,
  row,
  seedTitles,
  textField,
  titleField,
  waitForTitles,
  waitForView,
} from './demo-page.mjs';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('playwright-core').Locator} Locator */
/** @typedef {import('playwright-core').CDPSession} CDPSession */

/** The least that a finger should have to aim at (WCAG 2.2, 2.5.8), in CSS pixels. */
const LEAST_SIZE = 24;

/** Sends the touches of one finger, each in the middle of an element. */
class Finger {
  #session;

  /** @param {CDPSession} session */
  constructor(session) {
    this.#session = session;
  }

  /** @param {Page} page */
  static async on(page) {
    const session = await page.context().newCDPSession(page);
    await session.send('Emulation.setDeviceMetricsOverride', {
      width: 360,
      height: 740,
      deviceScaleFactor: 2,
      mobile: true,
    });
    await session.send('Emulation.setTouchEmulationEnabled', { enabled: true });
    return new Finger(session);
  }

  /** @param {Locator} target */
  async tap(target) {
    await this.touch(await this.aim(target));
  }

  /**
   * Brings it into sight, which may scroll.
   * @param {Locator} target
   */
  async aim(target) {
    // Waits until it is in sight, stands still and has nothing above it.
    await target.click({ trial: true });
    const box = await target.boundingBox();
    assert.ok(box, 'It is in sight.');
    assert.ok(Math.min(box.width, box.height) > LEAST_SIZE - 0.5, 'It is large enough.');
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  }

  /** @param {{ x: number, y: number }} point */
  async touch(point) {
    const touch = async (/** @type {'touchStart' | 'touchEnd'} */ type) => {
      const touchPoints = type === 'touchStart' ? [point] : [];
      await this.#session.send('Input.dispatchTouchEvent', { type, touchPoints });
    };
    await touch('touchStart');
    await touch('touchEnd');
  }
}

testInPrivateWindow(
  'by touch: write, read, select, delete, undo, let an assistant in',
  async (browser) => {
    const page = await browser.openBlankTab();
    const finger = await Finger.on(page);
    await page.goto(demoUrl.href);
    /** @param {string} name */
    const button = (name) => page.getByRole('button', { name, exact: true });
    const bottomTab = (/** @type {string} */ name) =>
      page.getByRole('navigation', { name: 'Panes' }).getByRole('button', { name });
    await row(page, 'Welcome').waitFor();
    // There is nothing to drop, and a word for it would only take the room.
    assert.equal(await page.getByText('Drop files or folders').isVisible(), false);

    await finger.tap(button('New note'));
    await finger.tap(titleField(page));
    await titleField(page).fill('By touch');
    await finger.tap(textField(page));
    await page.keyboard.insertText('some words');
    await finger.tap(button('Read'));
    await waitForView(page, 'some words');
    await finger.tap(bottomTab('List'));
    await waitForTitles(page, ['By touch', ...seedTitles]);

    // The box in front of a row adds it to the one that is open, and opens nothing.
    await finger.tap(row(page, 'Welcome').locator('.check'));
    await page.getByText('2 selected').waitFor();
    const selection = page.getByRole('group', { name: 'Selection' });
    await finger.tap(selection.getByRole('button', { name: 'Delete' }));
    await page.getByText('Deleted 2 notes.').waitFor();
    await finger.tap(button('Undo'));
    await waitForTitles(page, ['By touch', ...seedTitles]);

    // The one that was open is open again, once all are back.
    await page.getByText('Brought back 2 notes.').waitFor();
    await finger.tap(row(page, 'Welcome').locator('.check'));
    await page.getByText('2 selected').waitFor();
    await finger.tap(selection.getByRole('button', { name: 'Clear' }));

    await finger.tap(row(page, 'Shopping list'));
    await waitForView(page, 'oat milk');
    await finger.tap(bottomTab('Clients'));
    await finger.tap(button('Let an assistant in'));
    await readQuestion(page);
    await finger.tap(button('Let it in'));
    const chat = page.frameLocator('clients-pane iframe');
    await chat.getByText('It can see 3').waitFor();
    const question = chat.getByRole('button', { name: 'What is on the shopping list?' });
    const point = await finger.aim(question);
    const topOfEnd = (await button('End access').boundingBox())?.y;
    await finger.touch(point);
    await chat.getByRole('figure').getByText('oat milk').waitFor();
    // What the assistant does moves nothing that the user may be aiming at.
    assert.equal((await button('End access').boundingBox())?.y, topOfEnd);
    await finger.tap(button('End access'));
    await chat.getByText('It can see nothing.').waitFor();
  },
);
