import { html, nothing, type TemplateResult } from 'lit';
import { lexer, type Token, type Tokens } from 'marked';

/**
 * Markdown as templates. The text is never turned into markup: what it holds of HTML is shown as
 * the characters it is, so there is nothing to sanitise. Images are named and linked, not loaded:
 * reading a note must tell nobody.
 *
 * Loaded only when there is Markdown to show.
 */
export function renderMarkdown(text: string): TemplateResult {
  return html`<div class="markdown">${renderAll(lexer(text))}</div>`;
}

type Rendered = TemplateResult | string | typeof nothing;

function renderAll(tokens: readonly Token[] | undefined): Rendered[] {
  return (tokens ?? []).map((token) => render(token as Tokens.Generic));
}

/** How each kind of token is shown; what is not here is shown as it was written. */
const RENDERERS: { [type: string]: (token: never) => Rendered } = {
  space: () => nothing,
  // Drawn by its list item.
  checkbox: () => nothing,
  def: () => nothing,
  br: () => html`<br />`,
  hr: () => html`<hr />`,
  heading: renderHeading,
  paragraph: ({ tokens }: Tokens.Paragraph) => html`<p>${renderAll(tokens)}</p>`,
  blockquote: ({ tokens }: Tokens.Blockquote) =>
    html`<blockquote>${renderAll(tokens)}</blockquote>`,
  code: ({ text }: Tokens.Code) => html`<pre tabindex="0"><code>${text}</code></pre>`,
  list: renderList,
  table: renderTable,
  text: ({ text, tokens }: Tokens.Text) => (tokens ? html`${renderAll(tokens)}` : text),
  escape: ({ text }: Tokens.Escape) => text,
  strong: ({ tokens }: Tokens.Strong) => html`<strong>${renderAll(tokens)}</strong>`,
  em: ({ tokens }: Tokens.Em) => html`<em>${renderAll(tokens)}</em>`,
  del: ({ tokens }: Tokens.Del) => html`<del>${renderAll(tokens)}</del>`,
  codespan: ({ text }: Tokens.Codespan) => html`<code>${text}</code>`,
  link: renderLink,
  image: ({ href, text }: Tokens.Image) => link(href, text || href),
};

function render(token: Tokens.Generic): Rendered {
  return Object.hasOwn(RENDERERS, token.type) ? RENDERERS[token.type]!(token as never) : token.raw;
}

function renderHeading({ depth, tokens }: Tokens.Heading): Rendered {
  const content = renderAll(tokens);
  if (depth === 1) return html`<h1>${content}</h1>`;
  if (depth === 2) return html`<h2>${content}</h2>`;
  return html`<h3>${content}</h3>`;
}

function renderList({ ordered, start, items }: Tokens.List): Rendered {
  const content = items.map(
    ({ task, checked, tokens }) =>
      html`<li class=${task ? 'task' : nothing}>
        ${task ? html`<input type="checkbox" disabled aria-label="Done" ?checked=${checked} />` : nothing}
        ${renderAll(tokens)}
      </li>`,
  );
  return ordered
    ? html`<ol start=${start || 1}>
        ${content}
      </ol>`
    : html`<ul>
        ${content}
      </ul>`;
}

function renderTable({ header, rows }: Tokens.Table): Rendered {
  return html`<table>
    <thead>
      <tr>
        ${header.map(({ tokens }) => html`<th>${renderAll(tokens)}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        (cells) =>
          html`<tr>
            ${cells.map(({ tokens }) => html`<td>${renderAll(tokens)}</td>`)}
          </tr>`,
      )}
    </tbody>
  </table>`;
}

function renderLink({ href, tokens }: Tokens.Link): Rendered {
  return link(href, html`${renderAll(tokens)}`);
}

/** A link to the web or to a mail address; any other stays what it reads. */
function link(href: string, content: TemplateResult | string): Rendered {
  const safe = ['http:', 'https:', 'mailto:'].includes(schemeOf(href));
  if (!safe) return html`${content}`;
  return html`<a href=${href} target="_blank" rel="noopener noreferrer">${content}</a>`;
}

/** What the browser would take for the scheme: leading control characters and all. */
function schemeOf(href: string): string {
  try {
    return new URL(href).protocol;
  } catch {
    return '';
  }
}
