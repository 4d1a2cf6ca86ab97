import { msg } from '@lit/localize';
import { html, nothing, type TemplateResult } from 'lit';
import { MarkdownIt, type Env, type Token } from './markdown-it.js';

/** What `[label]: address` says somewhere in a text, for the links all over it. */
export type References = Env;

/** Blocks that are nested deeper are dropped by the reader. */
const MAX_NESTING = 50;

/** The largest number of an item for which there is room beside any list. */
const MAX_NARROW_NUMBER = 9_999;

/** The most lines with references that are looked for, and how long one may be. */
const MAX_REFERENCES = 500;
const MAX_REFERENCE_LENGTH = 500;

/** HTML is text, and so is nothing to be afraid of. */
const reader = new MarkdownIt({ html: false, linkify: true, maxNesting: MAX_NESTING });
// It refuses `file:`, which are resources here; what runs is refused again where links are made.
reader.validateLink = (address) => !/^(?:javascript|vbscript|data|blob):/i.test(address.trim());

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
  const references: References = {};
  reader.parse(lines.join('\n\n'), references);
  return references;
}

/** The line around `]:`, if it looks like a reference. */
function referenceLine(text: string, at: number): string | undefined {
  const before = text.slice(Math.max(0, at - MAX_REFERENCE_LENGTH), at);
  const start = before.slice(before.lastIndexOf('\n') + 1);
  if (start.length === MAX_REFERENCE_LENGTH || !/^ {0,3}\[[^[\]]+$/.test(start)) return undefined;
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
}

/** A block or a span whose end has yet to come. */
interface Open {
  token: Token;
  content: Rendered[];
  /** Of the item of a list: whether it is a task, and whether that is done. */
  done?: boolean | undefined;
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
      (open.at(-1)?.content ?? content).push(renderClosed(inner!, parts));
    } else {
      const item = open.at(-2);
      if (item && tokens[index - 2] === item.token) item.done = takeTask(token);
      (inner?.content ?? content).push(renderLeaf(token, parts, open.some(isLink)));
    }
  }
  return content;
}

/** How what has others in it is shown, by the beginning of its token's type. */
const CLOSED: { [type: string]: (open: Open, parts: Parts) => Rendered } = {
  paragraph: ({ token, content }) => (token.hidden ? content : html`<p>${content}</p>`),
  heading: renderHeading,
  blockquote: ({ content }) => html`<blockquote>${content}</blockquote>`,
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
  link: ({ token, content }, parts) =>
    parts.link(String(token.attrGet('href')), content, token.info === 'auto'),
};

/** How what has no others in it is shown; what is not here is shown as its text. */
const LEAVES: { [type: string]: (token: Token, parts: Parts, isInLink: boolean) => Rendered } = {
  inline: ({ children }, parts) => renderMarkdown(children ?? [], parts),
  softbreak: () => '\n',
  hardbreak: () => html`<br />`,
  hr: () => html`<hr />`,
  code_inline: ({ content }) => html`<code>${content}</code>`,
  code_block: renderCode,
  fence: renderCode,
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
  return html`<h3>${content}</h3>`;
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

/** Where the text of a cell stands: `left`, `center` or `right`; else where the language begins. */
function alignmentOf(token: Token): string | typeof nothing {
  const style = String(token.attrGet('style') ?? '');
  return /^text-align:(left|center|right)$/.exec(style)?.[1] ?? nothing;
}

/** Takes the `[x]` from the beginning of an item, and says whether it was there, and checked. */
function takeTask({ children }: Token): boolean | undefined {
  const first = children?.[0];
  const [mark] = (first?.type === 'text' && /^\[[ xX]\](?=\s)/.exec(first.content)) || [];
  if (!first || mark === undefined) return undefined;
  first.content = first.content.slice(mark.length);
  return mark !== '[ ]';
}
