/** A longer document is shown as its source, in UTF-16 code units. */
const MAX_LENGTH = 524_288;

/** The same, in tags: the parser takes time that grows with the square of some of them. */
const MAX_TAGS = 20_000;

/** Nested templates can use up the stack of the browser. */
const MAX_TEMPLATES = 500;

/** Up to this length, and so many tags, a document is parsed and drawn unasked. */
const QUICK_LENGTH = 131_072;
const QUICK_TAGS = 3_000;

/** How much may follow a tag: thousands of attributes take long to parse. */
const LONG_STRETCH = /[^<]{8192}/;

/** How deep the elements of a quick document are, and how deep its tables are in tables. */
const QUICK_DEPTH = 80;
const QUICK_TABLES = 6;

/** What can take long to draw, however short its source is. */
const COSTLY = /<(?:svg|math)|filter|mask|clip|blend|animation|:has|column|shadow|counter|shape/i;

/**
 * What to do with the markup of a server. The browser parses and draws it on the main thread, however
 * long that takes: deep tables in 120 kB took a second, unclosed tags in 500 kB minutes.
 */
export type Cost = 'quick' | 'slow' | 'too-much';

/** What a document costs to parse and draw, at worst, as its source shows. */
export function costOf(markup: string): Cost {
  if (markup.length > MAX_LENGTH || hasMore(markup, /<template/gi, MAX_TEMPLATES))
    return 'too-much';
  if (hasMore(markup, /</g, MAX_TAGS)) return 'too-much';
  const isQuick =
    markup.length <= QUICK_LENGTH &&
    !hasMore(markup, /</g, QUICK_TAGS) &&
    !LONG_STRETCH.test(markup) &&
    !COSTLY.test(markup);
  return isQuick ? 'quick' : 'slow';
}

function hasMore(text: string, pattern: RegExp, count: number): boolean {
  pattern.lastIndex = 0;
  for (let found = 0; found <= count; found += 1) if (!pattern.test(text)) return false;
  return true;
}

/** Whether the elements of a parsed document are drawn in a moment. */
export function isQuickToDraw(root: Element): boolean {
  const walker = root.ownerDocument.createTreeWalker(root, NodeFilter.SHOW_ELEMENT);
  let depth = 0;
  let tables = 0;
  for (let node: Node | null = root; node;) {
    if (node.nodeName === 'TABLE') tables += 1;
    if (depth > QUICK_DEPTH || tables > QUICK_TABLES) return false;
    if (walker.firstChild()) depth += 1;
    else {
      for (;;) {
        if (walker.currentNode.nodeName === 'TABLE') tables -= 1;
        if (walker.nextSibling()) break;
        if (!walker.parentNode()) return true;
        depth -= 1;
      }
    }
    node = walker.currentNode;
  }
  return true;
}
