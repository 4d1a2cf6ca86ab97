import { msg } from '@lit/localize';
import { html, nothing, type TemplateResult } from 'lit';
import { addExtensions, footnotesOf, type TextEnv } from './extensions.js';
import { MarkdownIt, type Token } from './markdown-it.js';

/** The facts of a whole text that its parts need, such as the addresses of `[label]: address`. */
export type References = TextEnv;

/** The maximum nesting depth of blocks; the parser drops deeper ones. */
const MAX_NESTING = 50;

/** The maximum number of an item for which any list has enough space at its side. */
const MAX_NARROW_NUMBER = 9_999;

/** The maximum number of lines with references that are searched, and the maximum length of one. */
const MAX_REFERENCES = 500;
const MAX_REFERENCE_LENGTH = 500;

/** `html: false` escapes HTML, so that it can never run. */
const reader = new MarkdownIt({ html: false, linkify: true, maxNesting: MAX_NESTING });
addExtensions(reader);
// It refuses `file:`, which are resources here. Addresses that run code are refused again where links are
// made. Images in the text have an address such as `data:5` (markdown-portions.ts).
reader.validateLink = (address) =>
  !/^(?:javascript|vbscript|data(?!:\d+$)|blob):/i.test(address.trim());

/** The references of a text. It may miss references that follow thousands of `]:` which are not references. */
export function findReferences(text: string): References {
  const lines: string[] = [];
  let at = text.indexOf(']:');
  for (let seen = 0; at !== -1 && seen < MAX_REFERENCES * 10; seen += 1) {
    const line = referenceLine(text, at);
    if (line !== undefined && lines.push(line) === MAX_REFERENCES) break;
    at = text.indexOf(']:', at + 2);
  }
  const references: References = { footnotes: footnotesOf(text) };
  reader.parse(lines.join('\n\n'), references);
  return references;
}

/** The line around `]:`, if it looks like a reference. */
function referenceLine(text: string, at: number): string | undefined {
  const before = text.slice(Math.max(0, at - MAX_REFERENCE_LENGTH), at);
  const start = before.slice(before.lastIndexOf('\n') + 1);
  if (start.length === MAX_REFERENCE_LENGTH || !/^ {0,3}\[(?!\^)[^[\]]+$/.test(start))
    return undefined;
  const [rest = ''] = text.slice(at, at + MAX_REFERENCE_LENGTH).split('\n', 1);
  return start + rest;
}

/** The blocks of a text; `undefined` if they are nested too deep. */
export function parseMarkdown(text: string, references: References): readonly Token[] | undefined {
  const tokens = reader.parse(text, references);
  const isTooDeep = tokens.some(({ nesting, level }) => nesting === 1 && level >= MAX_NESTING - 1);
  return isTooDeep ? undefined : tokens;
}

export type Rendered = TemplateResult | string | readonly Rendered[];

/** Renders the parts that need more than the text. */
export interface Parts {
  /**
   * Renders a link.
   *
   * @param isWritten Whether the text of the link is its address.
   */
  link(href: string, content: Rendered, isWritten: boolean): Rendered;
  /**
   * Renders an image.
   *
   * @param isInLink Whether a link is around it, which cannot contain a button or another link.
   */
  image(address: string, alt: string, isInLink: boolean): Rendered;
  /**
   * Renders a block of code.
   *
   * @param language The language, as its author names it; may be empty.
   */
  code(code: string, language: string): Rendered;
  /** Returns code as its author has written it. */
  verbatim(code: string): string;
}

/** A block or a span whose end has not been reached. */
interface Open {
  token: Token;
  content: Rendered[];
  /** Whether the item of a list is a task that is done; absent if it is not a task. */
  done?: boolean | undefined;
  /** The kind of a quotation, as in `> [!note]`. */
  callout?: string | undefined;
}

/**
 * Renders Markdown as templates. The text is never turned into markup: HTML in it is shown as characters, so
 * that nothing has to be sanitised.
 */
export function renderMarkdown(tokens: readonly Token[], parts: Parts): Rendered {
  const content: Rendered[] = [];
  const open: Open[] = [];
  for (const [index, token] of tokens.entries()) {
    const inner = open.at(-1);
    if (token.nesting === 1) {
      open.push({ token, content: [] });
    } else if (token.nesting === -1) {
      open.pop();
      const isInLink = isLink(inner!) && open.some(isLink);
      const closed = isInLink ? inner!.content : renderClosed(inner!, parts);
      (open.at(-1)?.content ?? content).push(closed);
    } else {
      const item = open.at(-2);
      if (item && tokens[index - 2] === item.token) {
        if (item.token.type === 'blockquote_open') item.callout = takeCallout(token);
        else item.done = takeTask(token);
      }
      (inner?.content ?? content).push(renderLeaf(token, parts, open.some(isLink)));
    }
  }
  return content;
}

/** The templates of tokens that contain others, by the beginning of the token's type. */
const CLOSED: { [type: string]: (open: Open, parts: Parts) => Rendered } = {
  paragraph: ({ token, content }) => (token.hidden ? content : html`<p>${content}</p>`),
  heading: renderHeading,
  blockquote: renderQuotation,
  bullet_list: ({ content }) =>
    html`<ul>
      ${content}
    </ul>`,
  ordered_list: renderNumbered,
  list_item: renderItem,
  table: ({ content }) =>
    html`<div class="table" tabindex="0">
      <table>
        ${content}
      </table>
    </div>`,
  thead: ({ content }) =>
    html`<thead>
      ${content}
    </thead>`,
  tbody: ({ content }) =>
    html`<tbody>
      ${content}
    </tbody>`,
  tr: ({ content }) =>
    html`<tr>
      ${content}
    </tr>`,
  th: ({ token, content }) => html`<th class=${alignmentOf(token)}>${content}</th>`,
  td: ({ token, content }) => html`<td class=${alignmentOf(token)}>${content}</td>`,
  strong: ({ content }) => html`<strong>${content}</strong>`,
  em: ({ content }) => html`<em>${content}</em>`,
  s: ({ content }) => html`<del>${content}</del>`,
  u: ({ content }) => html`<u>${content}</u>`,
  mark: ({ content }) => html`<mark>${content}</mark>`,
  kbd: ({ content }) => html`<kbd>${content}</kbd>`,
  sub: ({ content }) => html`<sub>${content}</sub>`,
  sup: ({ content }) => html`<sup>${content}</sup>`,
  small: ({ content }) => html`<small>${content}</small>`,
  ruby: ({ content }) => html`<ruby>${content}</ruby>`,
  rt: ({ content }) => html`<rt>${content}</rt>`,
  // The brackets around it are only for programs that do not support `<ruby>`.
  rp: () => '',
  details: ({ content }) => html`<details>${content}</details>`,
  summary: ({ content }) => html`<summary>${content}</summary>`,
  footnote: ({ token, content }) =>
    html`<div class="footnote" data-place=${`fn-${token.info}`}>
      <sup>${token.info}</sup> ${content}
    </div>`,
  link: ({ token, content }, parts) =>
    parts.link(String(token.attrGet('href')), content, token.info === 'auto'),
};

/** The templates of tokens that contain no others; any other token is shown as its text. */
const LEAVES: { [type: string]: (token: Token, parts: Parts, isInLink: boolean) => Rendered } = {
  inline: ({ children }, parts) => renderMarkdown(children ?? [], parts),
  softbreak: () => '\n',
  hardbreak: () => html`<br />`,
  hr: () => html`<hr />`,
  code_inline: ({ content }, parts) => html`<code>${parts.verbatim(content)}</code>`,
  code_block: renderCode,
  fence: renderCode,
  footnote_reference: ({ content }, parts, isInLink) => {
    const number = html`<sup>${content}</sup>`;
    return isInLink ? number : parts.link(`#fn-${content}`, number, false);
  },
  image: (token, parts, isInLink) =>
    parts.image(String(token.attrGet('src')), token.content, isInLink),
};

function renderClosed(open: Open, parts: Parts): Rendered {
  const type = open.token.type.replace(/_open$/, '');
  return Object.hasOwn(CLOSED, type) ? CLOSED[type]!(open, parts) : open.content;
}

function renderLeaf(token: Token, parts: Parts, isInLink: boolean): Rendered {
  return Object.hasOwn(LEAVES, token.type)
    ? LEAVES[token.type]!(token, parts, isInLink)
    : token.content;
}

function isLink({ token }: Open): boolean {
  return token.type === 'link_open';
}

function renderHeading({ token, content }: Open): Rendered {
  if (token.tag === 'h1') return html`<h1>${content}</h1>`;
  if (token.tag === 'h2') return html`<h2>${content}</h2>`;
  if (token.tag === 'h3') return html`<h3>${content}</h3>`;
  if (token.tag === 'h4') return html`<h4>${content}</h4>`;
  if (token.tag === 'h5') return html`<h5>${content}</h5>`;
  return html`<h6>${content}</h6>`;
}

function renderQuotation({ content, callout }: Open): Rendered {
  if (callout === undefined) return html`<blockquote>${content}</blockquote>`;
  return html`<blockquote class="callout"><strong>${callout}</strong>${content}</blockquote>`;
}

function renderNumbered({ token, content }: Open): Rendered {
  const start = Number(token.attrGet('start') ?? 1);
  const isLarge = start + content.length > MAX_NARROW_NUMBER;
  return html`<ol start=${start} class=${isLarge ? 'large-numbers' : nothing}>
    ${content}
  </ol>`;
}

function renderItem({ content, done }: Open): Rendered {
  if (done === undefined) return html`<li>${content}</li>`;
  return html`<li class="task">
    <input
      type="checkbox"
      disabled
      aria-label=${msg('Done', { id: 'mcp.resource-view.task-done' })}
      ?checked=${done}
    />${content}
  </li>`;
}

function renderCode({ content, info }: Token, parts: Parts): Rendered {
  const [language = ''] = info.trim().slice(0, 50).split(/\s/, 1);
  return parts.code(content.replace(/\n$/, ''), language);
}

/** The alignment of a cell: `left`, `center` or `right`; otherwise at the start of the line. */
function alignmentOf(token: Token): string | typeof nothing {
  const style = String(token.attrGet('style') ?? '');
  return /^text-align:(left|center|right)$/.exec(style)?.[1] ?? nothing;
}

/** Removes the `[!note]` from the beginning of a quotation, and returns its kind or its title. */
function takeCallout({ children }: Token): string | undefined {
  const [first, second] = children ?? [];
  const [mark, type = '', title] =
    (first?.type === 'text' && /^\[!([\w-]{1,30})\][+-]?[ \t]*(.*)$/.exec(first.content)) || [];
  if (!first || mark === undefined) return undefined;
  first.content = '';
  if (second?.type === 'softbreak') second.type = 'text';
  return title || type.charAt(0).toUpperCase() + type.slice(1).toLowerCase();
}

/**
 * Removes the `[x]` from the beginning of an item, and returns whether it was checked; `undefined` if it was
 * missing.
 */
function takeTask({ children }: Token): boolean | undefined {
  const first = children?.[0];
  const [mark] = (first?.type === 'text' && /^\[[ xX]\](?=\s)/.exec(first.content)) || [];
  if (!first || mark === undefined) return undefined;
  first.content = first.content.slice(mark.length);
  return mark !== '[ ]';
}
