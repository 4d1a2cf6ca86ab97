// What a visitor uses the demo with: a mouse, a keyboard alone, or one finger on a telephone.
import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { listBox, openRow, row } from './demo-page.mjs';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('playwright-core').Locator} Locator */
/** @typedef {import('playwright-core').CDPSession} CDPSession */

/**
 * @typedef {object} Hand
 * @property {string} name
 * @property {(pane: string) => Promise<void>} show a pane, where there is room for one
 * @property {(target: Locator) => Promise<void>} press a button, a link, a tab or a field
 * @property {(title: string) => Promise<void>} open a row of the list
 * @property {(title: string) => Promise<void>} add a row to those that are selected
 * @property {(field: Locator, text: string) => Promise<void>} write at the end of a field
 * @property {(field: Locator) => Promise<void>} clear a search field
 * @property {(field: Locator, option: Locator) => Promise<void>} choose what a combobox offers
 */

/** The least that a finger should have to aim at (WCAG 2.2, 2.5.8), in CSS pixels. */
const LEAST_SIZE = 24;

/** How long a target stands still before a finger that has aimed at it comes down, in ms. */
const AIMING_MS = 150;

/** More stops than there are from anywhere to anywhere. */
const MAX_STOPS = 80;

/** @implements {Hand} */
export class Mouse {
  name = 'by mouse';
  #page;

  /** @param {Page} page */
  constructor(page) {
    this.#page = page;
  }

  show = () => Promise.resolve();

  /** @param {Locator} target */
  press = (target) => target.click();

  /** @param {string} title */
  open = (title) => openRow(this.#page, title);

  /** @param {string} title */
  async add(title) {
    await row(this.#page, title).hover();
    await row(this.#page, title).locator('.check').click();
  }

  /** @param {Locator} field @param {string} text */
  async write(field, text) {
    await field.click();
    await this.#page.keyboard.press('Control+End');
    await this.#page.keyboard.type(text);
  }

  /** @param {Locator} field */
  clear = async (field) => this.#page.mouse.click(...(await endOf(field)));

  /** @param {Locator} _field @param {Locator} option */
  choose = (_field, option) => option.click();
}

/** @implements {Hand} */
export class Keyboard {
  name = 'by keyboard';
  /** How many keys were pressed, but for those of texts. */
  keys = 0;
  #page;

  /** @param {Page} page */
  constructor(page) {
    this.#page = page;
  }

  show = () => Promise.resolve();

  /** @param {Locator} target */
  async press(target) {
    if (await isTab(target)) await this.#reachTab(target);
    else await this.#reach(target);
    await this.#key('Enter');
  }

  /**
   * Of several tabs Tab reaches the one that is selected.
   * @param {Locator} target
   */
  async #reachTab(target) {
    await this.#reach(target.locator('..').getByRole('tab', { selected: true }));
    for (
      let stops = 0;
      !(await target.evaluate((element) => element.matches(':focus')));
      stops += 1
    ) {
      assert.ok(stops < MAX_STOPS, 'The arrows reach the tab.');
      await this.#key('ArrowRight');
    }
  }

  /** @param {string} title */
  async open(title) {
    await this.#seek(title, 'ArrowDown');
    await this.#key('Enter');
  }

  /** @param {string} title */
  async add(title) {
    await this.#reach(listBox(this.#page));
    await this.#seek(title, 'Shift+ArrowDown');
  }

  /** @param {Locator} field @param {string} text */
  async write(field, text) {
    await this.#reach(field);
    await this.#key('Control+End');
    await this.#page.keyboard.type(text);
  }

  /** @param {Locator} field @param {Locator} option */
  async choose(field, option) {
    await this.#reach(field);
    const id = await option.getAttribute('id');
    for (let stops = 0; (await field.getAttribute('aria-activedescendant')) !== id; stops += 1) {
      assert.ok(stops < MAX_STOPS, 'The arrows reach the option.');
      await this.#key('ArrowDown');
    }
    await this.#key('Enter');
  }

  /** @param {Locator} field */
  async clear(field) {
    await this.#reach(field);
    await this.#key('Escape');
  }

  /** @param {string} key */
  async #key(key) {
    assert.ok(await hasFocus(this.#page), 'The focus is somewhere.');
    this.keys += 1;
    await this.#page.keyboard.press(key);
  }

  /**
   * By Tab.
   * @param {Locator} target
   */
  async #reach(target) {
    await target.waitFor();
    for (let stops = 0; stops < MAX_STOPS; stops += 1) {
      if (await target.evaluate((element) => element.matches(':focus'))) {
        this.keys += stops;
        return;
      }
      await this.#page.keyboard.press('Tab');
    }
    assert.fail(`Tab does not reach ${target.toString()}.`);
  }

  /** @param {string} title @param {string} key */
  async #seek(title, key) {
    await this.#reach(listBox(this.#page));
    if (key === 'ArrowDown') await this.#key('Home');
    const isThere = () =>
      row(this.#page, title).evaluateAll(
        ([one]) =>
          one !== undefined &&
          /** @type {ShadowRoot} */ (one.getRootNode()).activeElement?.getAttribute(
            'aria-activedescendant',
          ) === one.id,
      );
    for (let stops = 0; stops < MAX_STOPS; stops += 1) {
      if (await isThere()) return;
      await this.#key(key);
    }
    assert.fail(`The arrows do not reach ${title}.`);
  }
}

/** @implements {Hand} */
export class Finger {
  name = 'by touch';
  #page;
  #session;

  /** @param {Page} page @param {CDPSession} session */
  constructor(page, session) {
    this.#page = page;
    this.#session = session;
  }

  /** @param {Page} page which becomes that of a telephone */
  static async on(page) {
    const session = await page.context().newCDPSession(page);
    await session.send('Emulation.setDeviceMetricsOverride', {
      width: 360,
      height: 740,
      deviceScaleFactor: 2,
      mobile: true,
    });
    await session.send('Emulation.setTouchEmulationEnabled', { enabled: true });
    return new Finger(page, session);
  }

  /** @param {string} pane */
  async show(pane) {
    const tabs = this.#page.getByRole('navigation', { name: 'Panes' });
    await this.press(tabs.getByRole('button', { name: pane }));
  }

  /** @param {Locator} target */
  async press(target) {
    await this.touch(await this.aim(target));
  }

  /** @param {string} title */
  open = (title) => this.press(row(this.#page, title));

  /** @param {string} title */
  add = (title) => this.press(row(this.#page, title).locator('.check'));

  /** @param {Locator} field @param {string} text */
  async write(field, text) {
    await this.press(field);
    // What the keyboard of a telephone does by itself.
    await this.#page.keyboard.press('Control+End');
    await this.#page.keyboard.insertText(text);
  }

  /** @param {Locator} _field @param {Locator} option */
  choose = (_field, option) => this.press(option);

  /** @param {Locator} field */
  async clear(field) {
    // Its button is there once the field has the focus.
    await this.press(field);
    const [x, y] = await endOf(field);
    await this.touch({ x, y });
  }

  /**
   * Brings it into sight, which may scroll.
   * @param {Locator} target
   */
  async aim(target) {
    // Waits until it is in sight, stands still and has nothing above it.
    await target.click({ trial: true });
    let box = await target.boundingBox();
    // A finger is slower than a busy page, which may still move what is below or above.
    let before;
    do {
      before = box;
      await delay(AIMING_MS);
      box = await target.boundingBox();
    } while (before?.y !== box?.y);
    assert.ok(box, 'It is in sight.');
    assert.ok(Math.min(box.width, box.height) > LEAST_SIZE - 0.5, 'It is large enough.');
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  }

  /** @param {{ x: number, y: number }} point */
  async touch(point) {
    const send = (/** @type {'touchStart' | 'touchEnd'} */ type) =>
      this.#session.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: type === 'touchStart' ? [point] : [],
      });
    // Both at once: while a busy page takes its time for the first, a tap would become a long press.
    await Promise.all([send('touchStart'), send('touchEnd')]);
  }
}

/**
 * Whether anything has the focus, in this page or in a frame of it.
 * @param {Page} page
 */
export const hasFocus = (page) =>
  page.evaluate(
    () => ![null, document.body].includes(/** @type {HTMLElement} */ (document.activeElement)),
  );

/** @param {Locator} target */
const isTab = async (target) => (await target.getAttribute('role')) === 'tab';

/**
 * Where the browser draws the button that clears a search field.
 * @param {Locator} field
 * @returns {Promise<[x: number, y: number]>}
 */
async function endOf(field) {
  const { x, y, width, height } =
    /** @type {NonNullable<Awaited<ReturnType<Locator['boundingBox']>>>} */ (
      await field.boundingBox()
    );
  return [x + width - 18, y + height / 2];
}
