// A tab of the demo in any browser that can run a script in it: what its user sees and does.
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * @typedef {import('../../support/browsers/killable-browser.mjs').Tab} Tab
 * @typedef {object} Target an element that is shown, whatever shadow root it is in
 * @property {string} selector
 * @property {string} [text] which it has somewhere in it
 */

/** Far longer than anything takes. */
const TIMEOUT_MS = 60_000;
const POLL_MS = 50;

/**
 * Looks for an element, in the page, and does something to it.
 * @param {{ target: Target, action: 'find' | 'click' | 'fill' | 'choose', value?: string }} call
 *   `choose` gives a file input a file of the name that the text has
 * @returns {string | null} its text; null where there is none
 */
function act({ target: { selector, text = '' }, action, value = '' }) {
  /** @type {(node: Node) => string} */
  const textOf = (node) => {
    if (node instanceof Text) return node.data;
    const parts = Array.from(node.childNodes, textOf);
    const shadow = node instanceof Element ? node.shadowRoot : null;
    return (shadow ? textOf(shadow) : '') + parts.join('');
  };
  /** @type {(root: ParentNode) => Element[]} */
  const elementsIn = (root) =>
    [...root.querySelectorAll('*')].flatMap((element) => [
      element,
      ...(element.shadowRoot ? elementsIn(element.shadowRoot) : []),
    ]);
  const isShown = (/** @type {Element} */ element) =>
    action === 'choose' || element.checkVisibility();
  const found = elementsIn(document).find(
    (element) => element.matches(selector) && isShown(element) && textOf(element).includes(text),
  );
  if (!(found instanceof HTMLElement)) return null;
  if (action === 'click') found.click();
  if (action === 'fill') {
    const field = /** @type {HTMLInputElement} */ (found);
    if (field.disabled) return null;
    field.value = value;
    field.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }));
  }
  if (action === 'choose') {
    const chosen = new DataTransfer();
    chosen.items.add(new File([`The words of ${value}.`], value, { type: 'text/plain' }));
    const input = /** @type {HTMLInputElement} */ (found);
    input.files = chosen.files;
    input.dispatchEvent(new Event('change', { bubbles: true }));
  }
  return textOf(found);
}

/** The demo in a tab. */
export class DemoTab {
  #tab;

  /** @param {Tab} tab */
  constructor(tab) {
    this.#tab = tab;
  }

  /** Resolves with the text of an element once it is shown. @param {Target} target */
  async sees(target) {
    return await this.#until(`sees ${JSON.stringify(target)}`, { target, action: 'find' });
  }

  /** Resolves once there is no such element. @param {Target} target */
  async seesNo(target) {
    const endsAt = performance.now() + TIMEOUT_MS;
    while ((await this.#tab.evaluate(act, { target, action: 'find' })) !== null) {
      if (performance.now() > endsAt)
        assert.fail(`There is still ${JSON.stringify(target)} in: ${await this.#all()}`);
      await sleep(POLL_MS);
    }
  }

  /** @param {Target} target */
  async clicks(target) {
    await this.#until(`clicks ${JSON.stringify(target)}`, { target, action: 'click' });
  }

  /**
   * @param {string} selector of a text field
   * @param {string} value
   */
  async writes(selector, value) {
    await this.#until(`writes into ${selector}`, { target: { selector }, action: 'fill', value });
  }

  /** Adds a file that says its own name. @param {string} name */
  async adds(name) {
    const target = { selector: 'input[type="file"]' };
    await this.#until(`adds ${name}`, { target, action: 'choose', value: name });
  }

  /** All that is shown, for who looks for the cause. */
  async #all() {
    return await this.#tab.evaluate(act, { target: { selector: 'demo-app' }, action: 'find' });
  }

  /**
   * @param {string} what
   * @param {Parameters<typeof act>[0]} call
   */
  async #until(what, call) {
    const endsAt = performance.now() + TIMEOUT_MS;
    for (;;) {
      const text = await this.#tab.evaluate(act, call);
      if (text !== null) return text;
      if (performance.now() > endsAt) assert.fail(`Nobody ${what} in: ${await this.#all()}`);
      await sleep(POLL_MS);
    }
  }
}
