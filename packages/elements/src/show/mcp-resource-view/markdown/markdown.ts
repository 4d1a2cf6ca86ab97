import { msg } from '@lit/localize';
import { html, nothing, type TemplateResult } from 'lit';
import { addExtensions, footnotesOf, type TextEnv } from './extensions.js';
import { MarkdownIt, type Token } from './markdown-it.js';

/** The facts of a whole text that its parts need, such as the addresses of `[label]: address`. */
export type References = TextEnv;

/** Blocks that are nested deeper are dropped by the reader. */
const MAX_NESTING = 50;

/** The largest number of an item for which there is room beside any list. */
const MAX_NARROW_NUMBER = 9_999;

/** The most lines with references that are looked for, and how long one may be. */
const MAX_REFERENCES = 500;
const MAX_REFERENCE_LENGTH = 500;

/** HTML is text, and so is nothing to be afraid of. */
const reader = new MarkdownIt({ html: false, linkify: true, maxNesting: MAX_NESTING });
addExtensions(reader);
// It refuses `file:`, which are resources here; what runs is refused again where links are made. Images
// in the text have an address such as `data:5` (markdown-portions.ts).
reader.validateLink = (address) =>
  !/^(?:javascript|vbscript|data(?!:\d+$)|blob):/i.test(address.trim());

/**
 * The references of a text. Of those that follow thousands of the same characters that are none, it
 * may miss some.
 */
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

/** The blocks of a text; `undefined` where they are nested too deep. */
export function parseMarkdown(text: string, references: References): readonly Token[] | undefined {
  const tokens = reader.parse(text, references);
  const isTooDeep = tokens.some(({ nesting, level }) => nesting === 1 && level >= MAX_NESTING - 1);
  return isTooDeep ? undefined : tokens;
}

export type Rendered = TemplateResult | string | readonly Rendered[];

/** Makes the parts that need more than the text. */
export interface Parts {
  /** @param isWritten Whether the link reads like its address. */
  link(href: string, content: Rendered, isWritten: boolean): Rendered;
  /** @param isInLink Whether a link is around it: there can be no button, and no other link. */
  image(address: string, alt: string, isInLink: boolean): Rendered;
  /** @param language As its author names it; may be empty. */
  code(code: string, language: string): Rendered;
  /** Code as its author has written it. */
  verbatim(code: string): string;
}

/** A block or a span whose end has yet to come. */
interface Open {
  token: Token;
  content: Rendered[];
  /** Of the item of a list: whether it is a task, and whether that is done. */
  done?: boolean | undefined;
  /** Of a quotation: what it is, as in `> [!note]`. */
  callout?: string | undefined;
}

/**
 * Markdown as templates. The text is never turned into markup: what it holds of HTML is shown as
 * the characters it is, so there is nothing to sanitise.
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

/** The templates of tokens with others in them, by the beginning of the token's type. */
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
  // The brackets around it, for programs that do not know `<ruby>`.
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

/** The templates of tokens without others in them; any other token is shown as its text. */
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

/** The alignment of a cell: `left`, `center` or `right`; else where the language begins. */
function alignmentOf(token: Token): string | typeof nothing {
  const style = String(token.attrGet('style') ?? '');
  return /^text-align:(left|center|right)$/.exec(style)?.[1] ?? nothing;
}

/** Takes the `[!note]` from the beginning of a quotation, and returns what it says, or its title. */
function takeCallout({ children }: Token): string | undefined {
  const [first, second] = children ?? [];
  const [mark, type = '', title] =
    (first?.type === 'text' && /^\[!([\w-]{1,30})\][+-]?[ \t]*(.*)$/.exec(first.content)) || [];
  if (!first || mark === undefined) return undefined;
  first.content = '';
  if (second?.type === 'softbreak') second.type = 'text';
  return title || type.charAt(0).toUpperCase() + type.slice(1).toLowerCase();
}

/** Takes the `[x]` from the beginning of an item, and says whether it was there, and checked. */
function takeTask({ children }: Token): boolean | undefined {
  const first = children?.[0];
  const [mark] = (first?.type === 'text' && /^\[[ xX]\](?=\s)/.exec(first.content)) || [];
  if (!first || mark === undefined) return undefined;
  first.content = first.content.slice(mark.length);
  return mark !== '[ ]';
}
