import { css } from 'lit';

/** The styles of formatted Markdown. */
export const styles = css`
  .markdown .remark {
    margin-block: 0.9em;
    border-radius: var(--_radius);
  }

  .markdown {
    max-inline-size: 46rem;
    padding: 0.4rem 1.25rem 1.25rem;
    font-size: 0.9375rem;
    line-height: 1.65;
    overflow-wrap: anywhere;
  }

  .markdown :is(h1, h2, h3, h4, h5, h6) {
    margin: 1.4em 0 0.5em;
    line-height: 1.25;
  }

  /* Room for the header, which stays in sight. */
  .markdown :is(h1, h2, h3, h4, h5, h6) {
    scroll-margin-block-start: 9rem;
  }

  .markdown h1 {
    font-size: 1.5rem;
  }

  .markdown h2 {
    font-size: 1.2rem;
  }

  .markdown :is(h3, h4) {
    font-size: 1rem;
  }

  .markdown :is(h5, h6) {
    font-size: 0.875rem;
  }

  .markdown :is(h4, h6) {
    color: var(--_muted);
  }

  .markdown :is(h1, h2, h3, h4, h5, h6):first-child {
    margin-block-start: 0.5em;
  }

  .markdown :is(p, ul, ol, pre, blockquote, table, details) {
    margin: 0 0 0.9em;
  }

  .markdown :is(ul, ol) {
    padding-inline-start: 1.6em;
  }

  /* What reaches out of a portion is not drawn: numbers of items stand in its padding. */
  .markdown > .portion {
    margin-inline: -1.25rem;
    padding-inline: 1.25rem;
  }

  .markdown ol.large-numbers {
    padding-inline-start: 6em;
  }

  .markdown li.task {
    list-style: none;
  }

  .markdown li.task > input {
    margin-inline: -1.5em 0.5em;
  }

  /* The text of a loose item, and of a footnote, begins beside its box or number. */
  .markdown :is(li.task > input, .footnote > sup) + p {
    display: inline;
  }

  .markdown .footnote {
    margin-block-end: 0.5em;
    color: var(--_muted);
    font-size: 0.875em;
    scroll-margin-block-start: 9rem;
  }

  .markdown .callout {
    color: inherit;
  }

  .markdown .callout > strong {
    display: block;
    color: var(--_accent);
  }

  .markdown mark {
    background: var(--_updated);
    color: inherit;
  }

  .markdown kbd {
    padding: 0.1em 0.4em;
    border: 1px solid var(--_line);
    border-radius: 4px;
    font-size: 0.85em;
  }

  .markdown :is(code, pre) {
    border-radius: 5px;
    background: var(--_raised);
    font-family: var(--_mono);
    font-size: 0.875em;
  }

  .markdown code {
    padding: 0.12em 0.35em;
  }

  .markdown pre {
    padding: 0.8em 1em;
    overflow: auto;
  }

  .markdown pre > code {
    padding: 0;
    background: none;
    font-size: 1em;
  }

  .markdown blockquote {
    padding-inline-start: 1em;
    border-inline-start: 3px solid var(--_line);
    color: var(--_muted);
  }

  .markdown :is(th, td) {
    padding: 0.35em 0.75em;
    border: 1px solid var(--_line);
    text-align: start;
    /* The table scrolls rather than that words fall apart. */
    overflow-wrap: break-word;
  }

  .markdown table {
    border-collapse: collapse;
  }

  .markdown hr {
    border: 0;
    border-block-start: 1px solid var(--_line);
  }

  .markdown a {
    color: var(--_accent);
  }

  .markdown .table {
    margin: 0 0 0.9em;
    overflow-x: auto;
  }

  .markdown .table > table {
    margin: 0;
  }

  .markdown .left {
    text-align: left;
  }

  .markdown .center {
    text-align: center;
  }

  .markdown .right {
    text-align: right;
  }

  .markdown thead {
    background: var(--_raised);
  }

  .markdown .link {
    color: var(--_accent);
    text-decoration: underline;
    cursor: pointer;
  }

  .markdown a[data-host]::after {
    content: ' ' attr(data-host);
    display: inline-block;
    margin-inline-start: 0.3em;
    padding-inline: 0.4em;
    border: 1px solid var(--_line);
    border-radius: 99px;
    color: var(--_muted);
    font-size: 0.75em;
    text-decoration: none;
  }

  .markdown img {
    max-inline-size: 100%;
    border-radius: var(--_radius);
    vertical-align: middle;
  }

  .pending-image,
  .remote-image {
    display: inline-flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.5em;
    padding: 0.4em 0.75em;
    border: 1px dashed var(--_line);
    border-radius: var(--_radius);
    color: var(--_muted);
  }

  .remote-image > button {
    font-size: 0.875em;
    color: var(--_text);
  }
`;
