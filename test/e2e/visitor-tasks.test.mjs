// The thirteen tasks of a visitor: each by mouse, by keyboard alone, and by touch on a telephone, with nothing
// that is only there under a pointer, and without losing the focus.
import assert from 'node:assert/strict';
import { demoUrl, testInPrivateWindow } from './browser.mjs';
import { row } from './demo-page.mjs';
import { Finger, hasFocus, Keyboard, Mouse } from './hands.mjs';
import { tasks } from './visitor-tasks.mjs';

for (const Hand of [Mouse, Keyboard, Finger]) {
  const name = { Mouse: 'by mouse', Keyboard: 'by keyboard alone', Finger: 'by touch' }[Hand.name];
  testInPrivateWindow(`thirteen tasks of a visitor, ${name}`, async (browser) => {
    const page = await browser.openBlankTab();
    await page.setViewportSize({ width: 1_440, height: 900 });
    const hand = Hand === Finger ? await Finger.on(page) : new /** @type {any} */ (Hand)(page);
    await page.goto(demoUrl.href);
    await row(page, 'Welcome').waitFor();
    for (const [task, perform] of Object.entries(tasks)) {
      await perform(page, hand).catch((error) => {
        throw new Error(`${task}: ${error.message}`, { cause: error });
      });
      if (hand instanceof Keyboard) assert.ok(await hasFocus(page), `${task}: the focus is lost.`);
    }
    if (hand instanceof Keyboard) console.log(`${hand.keys} keys, without those of texts`);
    // There is nothing to drop, and a word for it would only take the room.
    const drop = page.getByText('Drop files or folders');
    await hand.show('List');
    assert.equal(await drop.isVisible(), !(hand instanceof Finger));
  });
}
