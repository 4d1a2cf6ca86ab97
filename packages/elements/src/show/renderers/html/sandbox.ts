/** The policy that turns strings into markup under Trusted Types; not yet in the library types. */
interface HtmlPolicy {
  createHTML(markup: string): string;
}

interface TrustedTypes {
  createPolicy(name: string, rules: HtmlPolicy): HtmlPolicy;
}

/** The name that a page with `trusted-types` in its policy must list. */
const POLICY_NAME = 'inpage-mcp-sandbox';

/** The content security policy of a document in the sandbox: it loads nothing from other places. */
export const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; media-src data:; " +
  "base-uri 'none'; form-action 'none'";

/** The markup before the content of the server, so that it applies to all of it. */
const HEAD =
  '<!DOCTYPE html><html><head>' +
  `<meta http-equiv="Content-Security-Policy" content="${POLICY}">` +
  '<meta http-equiv="x-dns-prefetch-control" content="off">' +
  '<meta name="referrer" content="no-referrer"><meta name="color-scheme" content="light">';

/**
 * The maximum number of times that markup is cleaned. More than one is needed only for markup that was made
 * to change by the cleaning.
 */
const MAX_ROUNDS = 4;

/**
 * Elements that load or connect to something, or hold a document of their own. Some do so regardless of the
 * content security policy: `<link rel="preconnect">` and `rel="dns-prefetch"`. `<template>` could hold any of
 * them in a shadow tree. SMIL animations could set an address later.
 */
const FORBIDDEN =
  'link, base, script, noscript, template, iframe, frame, frameset, object, embed, applet, portal, ' +
  'fencedframe, animate, animateMotion, animateTransform, set, meta[http-equiv], meta[name=referrer]';

/** Attributes with an address that a click or the browser itself opens, or that take the focus. */
const FORBIDDEN_ATTRIBUTES: ReadonlySet<string> = new Set(
  'href xlink:href ping target action formaction autofocus autoplay srcdoc manifest background'.split(
    ' ',
  ),
);

let sharedPolicy: HtmlPolicy | undefined;

/**
 * The policy that makes markup from strings, only for inert documents and sandboxed frames. Throws if the
 * content security policy of the page does not allow its name.
 */
function htmlPolicy(): HtmlPolicy {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  const rules: HtmlPolicy = { createHTML: (markup) => markup };
  sharedPolicy ??= trustedTypes?.createPolicy(POLICY_NAME, rules) ?? rules;
  return sharedPolicy;
}

/** A document for a frame. */
export interface SandboxedDocument {
  source: string;
  /** Whether it is drawn fast. */
  isQuick: boolean;
}

/**
 * A document for `srcdoc` of a frame with `sandbox=""`, without any part that could open a connection.
 * `undefined` for markup that changes each time it is cleaned.
 *
 * The result was parsed as the frame parses it, without scripts, and nothing forbidden was found.
 * @throws TypeError if the page does not allow the policy `inpage-mcp-sandbox`.
 */
export function sandboxedDocument(markup: string): SandboxedDocument | undefined {
  const policy = htmlPolicy();
  let rest = withoutHandlers(markup);
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const source = policy.createHTML(HEAD + rest);
    const parsed = new DOMParser().parseFromString(source, 'text/html');
    for (const own of Array.from(parsed.head.children).slice(0, OWN_ELEMENTS)) own.remove();
    if (!clean(parsed)) return { source, isQuick: !parsed.querySelector(DEEP) };
    rest = contentsOf(parsed);
  }
  return undefined;
}

/** A comment, or the name of a tag. */
const START = /<!--[^]*?(?:-->|$)|<[a-z][^\s/>]*/gi;

/** An attribute with the characters before it, as a parser of HTML reads it. */
const ATTRIBUTE =
  /[\s/]*([^\s/>][^\s/>=]*)(?:\s*=\s*(?:"[^"]*(?:"|$)|'[^']*(?:'|$)|[^\s>"'][^\s>]*|(?=>)))?/y;

/**
 * Markup without inline handlers. Under a policy of the page that forbids them, a browser reports each
 * handler that it parses, also in an inert document. No script of the sandbox runs, so that a handler that is
 * overlooked here, because it is in the text of another element, only causes a report.
 */
function withoutHandlers(markup: string): string {
  let kept = '';
  let end = 0;
  START.lastIndex = 0;
  for (let start = START.exec(markup); start; start = START.exec(markup)) {
    if (start[0].startsWith('<!')) continue;
    for (;;) {
      const at = START.lastIndex;
      ATTRIBUTE.lastIndex = at;
      const [whole, name] = ATTRIBUTE.exec(markup) ?? [];
      if (!whole || !name) break;
      START.lastIndex = ATTRIBUTE.lastIndex;
      if (!/^on/i.test(name)) continue;
      // A space replaces it, so that two attributes stay separate.
      kept += `${markup.slice(end, at)} `;
      end = ATTRIBUTE.lastIndex;
    }
  }
  return kept + markup.slice(end);
}

/** The number of elements that {@link HEAD} puts before the content of the server. */
const OWN_ELEMENTS = 4;

/** Removes everything that is forbidden, and returns whether anything was. */
function clean(parsed: Document): boolean {
  const forbidden = parsed.querySelectorAll(FORBIDDEN);
  for (const element of forbidden) element.remove();
  let isChanged = forbidden.length > 0;
  for (const element of parsed.querySelectorAll('*')) {
    // Names are used because `attributes` makes a node of each, which takes time that grows with the square
    // of their number.
    for (const name of element.getAttributeNames()) {
      if (!isForbidden(element, name)) continue;
      element.removeAttribute(name);
      isChanged = true;
    }
  }
  return isChanged;
}

/**
 * Whether an attribute is forbidden. An address of content to load is, unless it contains that content
 * itself.
 */
function isForbidden(element: Element, attribute: string): boolean {
  const name = attribute.toLowerCase();
  if (name.startsWith('on')) return true;
  if (['src', 'srcset', 'poster'].includes(name))
    return !/^data:[^,]*,[^,]*$/.test(element.getAttribute(attribute) ?? '');
  return FORBIDDEN_ATTRIBUTES.has(name);
}

/** The contents of a document, to be inserted after {@link HEAD}. */
function contentsOf({ head, body }: Document): string {
  return `${head.innerHTML}</head>${body.outerHTML}`;
}

/** The maximum length of a document in UTF-16 code units; a longer one is shown as its source. */
const MAX_LENGTH = 524_288;

/** The maximum number of tags, because the parser takes time that grows with the square of some of them. */
const MAX_TAGS = 20_000;

/** The maximum number of templates, because nested ones can use up the stack of the browser. */
const MAX_TEMPLATES = 500;

/** The length, and the number of tags, up to which a document is parsed and drawn without asking. */
const QUICK_LENGTH = 131_072;
const QUICK_TAGS = 3_000;

/**
 * A long text after a tag, because thousands of attributes take long to parse. It is searched only at its
 * beginning; at each of its characters, this would take seconds.
 */
const LONG_STRETCH = /(?:^|<)[^<]{8192}/;

/** Elements that are nested deeper than those of a quick document, or tables in tables. */
const DEEP = `${'* > '.repeat(80)}*, ${'table '.repeat(6)}table`;

/** The signs of a document that can take long to draw, even if its source is short. */
const COSTLY = /<(?:svg|math)|filter|mask|clip|blend|animation|:has|column|shadow|counter|shape/i;

/**
 * The cost of the markup of a server. The browser parses and draws it on the main thread, regardless of the
 * time that this takes: deep tables in 120 kB took a second, unclosed tags in 500 kB minutes.
 */
export type Cost = 'quick' | 'slow' | 'too-much';

/** The maximum cost to parse and draw a document, by its source. */
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
