// Whether text outside of fields can be read where the user has forced colours: axe does not look at them.

/** @typedef {import('playwright-core').Page} Page */

/** The least contrast of text (WCAG 2.2, 1.4.3). */
const LEAST_CONTRAST = 4.5;

/**
 * The texts that cannot be read on what is behind them, described for people.
 * @param {Page} page with forced colours
 * @returns {Promise<string[]>}
 */
export const unreadableTexts = (page) =>
  page.evaluate((least) => {
    /** @type {string[]} */
    const found = [];
    const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
    /** @param {string} colour */
    const rgba = (colour) => {
      const context = /** @type {CanvasRenderingContext2D} */ (canvas);
      context.clearRect(0, 0, 1, 1);
      context.fillStyle = colour;
      context.fillRect(0, 0, 1, 1);
      return Array.from(context.getImageData(0, 0, 1, 1).data);
    };
    /** @param {number[]} colour */
    const luminance = (colour) => {
      const [r = 0, g = 0, b = 0] = colour.map((one) =>
        one / 255 <= 0.04045 ? one / 255 / 12.92 : ((one / 255 + 0.055) / 1.055) ** 2.4,
      );
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    /** @param {Element} element @returns {Element | null} */
    const above = (element) =>
      element.assignedSlot ??
      element.parentElement ??
      /** @type {ShadowRoot} */ (element.getRootNode()).host ??
      null;
    /** @param {Element} element */
    const behind = (element) => {
      // Elsewhere the browser draws a plate of the page's colour behind the text.
      if (getComputedStyle(element).forcedColorAdjust !== 'none') return 'Canvas';
      for (let one = /** @type {Element | null} */ (element); one; one = above(one)) {
        const { backgroundColor } = getComputedStyle(one);
        // That of a selection lets a little through.
        if ((rgba(backgroundColor)[3] ?? 0) > 127) return backgroundColor;
      }
      return 'Canvas';
    };
    /** @param {Element} element */
    const look = (element) => {
      const text = [...element.childNodes]
        .filter((node) => node.nodeType === Node.TEXT_NODE)
        .map(({ textContent }) => textContent?.trim())
        .join('');
      if (text && element.checkVisibility({ visibilityProperty: true })) {
        const [one, other] = [getComputedStyle(element).color, behind(element)].map((colour) =>
          luminance(rgba(colour)),
        );
        const [dark = 0, light = 0] = [one ?? 0, other ?? 0].toSorted((a, b) => a - b);
        if ((light + 0.05) / (dark + 0.05) < least)
          found.push(`<${element.localName}> ${text.slice(0, 40)}`);
      }
      for (const child of [...(element.shadowRoot?.children ?? []), ...element.children])
        look(child);
    };
    look(document.body);
    return found;
  }, LEAST_CONTRAST);
