// Markdown of this repository as HTML of the docs site.
import MarkdownIt from 'markdown-it';
import { Examples } from './examples.mjs';

/**
 * @typedef {(href: string) => string | undefined} ResolveLink turns a link of a document into one of
 *   the site, or into plain text
 */

/** The id with which a heading is linked. @param {string} text */
export const slugOf = (text) =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '');

export const { escapeHtml } = new MarkdownIt().utils;

/**
 * @param {string} text
 * @param {ResolveLink} [resolveLink]
 * @param {{ hasExamples?: boolean }} [options] whether its examples can be edited and run
 * @returns {{ html: string, headings: { level: number, id: string, text: string }[] }}
 */
export function renderMarkdown(text, resolveLink = (href) => href, { hasExamples = false } = {}) {
  const markdown = new MarkdownIt();
  /** @type {{ level: number, id: string, text: string }[]} */
  const headings = [];
  markdown.core.ruler.push('docs', ({ tokens }) => {
    for (const [index, token] of tokens.entries()) {
      if (token.type === 'heading_open') {
        const heading = tokens[index + 1]?.content.replaceAll(/[`*]/g, '') ?? '';
        const id = slugOf(heading);
        token.attrSet('id', id);
        headings.push({ level: Number(token.tag.slice(1)), id, text: heading });
      }
      alignByClass(token);
      if (token.children) token.children = resolveLinks(token.children, resolveLink);
    }
  });
  // A table scrolls by itself, so that a page never scrolls sideways.
  markdown.renderer.rules['table_open'] = () => '<div class="table" tabindex="0"><table>\n';
  markdown.renderer.rules['table_close'] = () => '</table></div>\n';
  // Code scrolls by itself, too.
  const examples = hasExamples ? new Examples() : undefined;
  markdown.renderer.rules['fence'] = (tokens, index) => {
    const { info = '', content = '' } = tokens[index] ?? {};
    const next = tokens[index + 1];
    const example = examples?.next(info, content, next?.type === 'fence' ? next.info : '');
    const attribute = example ? ` data-example="${escapeHtml(example)}"` : '';
    // The place of the button exists before the scripts are loaded, so that the text below does not move.
    const edit = example ? '<button type="button" class="edit">Edit and run</button>\n' : '';
    return `<pre tabindex="0"${attribute}><code>${escapeHtml(content)}</code></pre>\n${edit}`;
  };
  // The cell above a column of names may be empty. Then it is not a header.
  const html = markdown.render(text).replaceAll('<th></th>', '<td></td>');
  return { html, headings };
}

/**
 * Aligns a cell of a table by a class, because the policy of the site forbids the style attribute that
 * markdown-it uses.
 * @param {import('markdown-it').Token} token
 */
function alignByClass(token) {
  const alignment = /^text-align:(\w+)$/.exec(String(token.attrGet('style')))?.[1];
  if (alignment) token.attrs = [['class', `align-${alignment}`]];
}

/**
 * @param {import('markdown-it').Token[]} tokens
 * @param {ResolveLink} resolveLink
 */
function resolveLinks(tokens, resolveLink) {
  let isPlain = false;
  return tokens.filter((token) => {
    if (token.type === 'image') {
      token.attrSet('src', resolveLink(String(token.attrGet('src'))) ?? '');
      // Space is reserved before the picture has loaded: all pictures of the site have the shape of the demo
      // in a window.
      token.attrSet('width', '1120');
      token.attrSet('height', '800');
      token.attrSet('fetchpriority', 'high');
    }
    if (token.type === 'link_open') {
      const href = resolveLink(String(token.attrGet('href')));
      isPlain = href === undefined;
      if (href !== undefined) token.attrSet('href', href);
      return !isPlain;
    }
    return !(token.type === 'link_close' && isPlain);
  });
}

/**
 * A text in which the links of TSDoc are replaced by the code or text that they show.
 * @param {string} text
 */
export const withoutTags = (text) =>
  text.replaceAll(
    /\{@link(?:code|plain)? ([^}|]+?)(?:\s*\|\s*([^}]+))?\}/g,
    (_, to, label) => label ?? `\`${to}\``,
  );

/** A sentence or two of a docstring. @param {string} [text] */
export const inline = (text = '') =>
  new MarkdownIt().renderInline(withoutTags(text).replaceAll('\n', ' '));
