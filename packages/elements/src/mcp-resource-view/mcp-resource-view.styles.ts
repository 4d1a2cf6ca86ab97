import { css } from 'lit';

export const styles = css`
  :host {
    display: block;
    background: var(--_surface);
    overflow: auto;
  }

  .text {
    margin: 0;
    padding: 1.1rem 1.25rem;
    font-family: var(--_font);
    font-size: 0.9375rem;
    white-space: pre-wrap;
    overflow-wrap: anywhere;
    unicode-bidi: plaintext;
    text-align: start;
    tab-size: 4;
  }

  /* A block with a layout of its own, of which only what is in sight is laid out. */
  .portion {
    display: block;
    content-visibility: auto;
    contain-intrinsic-block-size: auto 60rem;
    outline-offset: -2px;
  }

  .text > .portion {
    unicode-bidi: plaintext;
    text-align: start;
  }

  .portion.cut::after {
    content: '…';
    color: var(--_muted);
  }

  .portion:first-child {
    content-visibility: visible;
  }

  .remark {
    margin: 0;
    padding: 0.9rem 1.25rem 0;
    color: var(--_muted);
    font-size: 0.8125rem;
  }

  .markdown .remark {
    padding-inline: 0;
  }

  .more {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    justify-content: space-between;
    gap: 0.5rem 1rem;
    padding: 0.75rem 1.25rem;
    border-block-start: 1px solid var(--_line);
    color: var(--_muted);
    font-size: 0.8125rem;
    font-variant-numeric: tabular-nums;
  }

  .more > button {
    color: var(--_text);
  }

  .text.code {
    font-family: var(--_mono);
    font-size: 0.8125rem;
  }

  .markdown {
    max-inline-size: 46rem;
    padding: 0.4rem 1.25rem 1.25rem;
    font-size: 0.9375rem;
    line-height: 1.65;
    overflow-wrap: anywhere;
  }

  .markdown :is(h1, h2, h3) {
    margin: 1.4em 0 0.5em;
    line-height: 1.25;
  }

  .markdown h1 {
    font-size: 1.5rem;
  }

  .markdown h2 {
    font-size: 1.2rem;
  }

  .markdown h3 {
    font-size: 1rem;
  }

  .markdown :is(h1, h2, h3):first-child {
    margin-block-start: 0.5em;
  }

  .markdown :is(p, ul, ol, pre, blockquote, table) {
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

  .one {
    content-visibility: auto;
    contain-intrinsic-block-size: auto 20rem;
  }

  .one + .one {
    border-block-start: 1px solid var(--_line);
  }

  .name {
    margin: 0;
    padding: 0.9rem 1.25rem 0;
    color: var(--_muted);
    font-size: 0.8125rem;
    overflow-wrap: anywhere;
  }

  .one > .text {
    padding-block: 0.5rem 1.1rem;
  }

  .one > :is(.image, .download) {
    padding-block: 1.1rem;
  }

  .image {
    display: grid;
    place-items: center;
    margin: 0;
    padding: 1.25rem;
  }

  .image > img {
    max-inline-size: 100%;
    border-radius: var(--_radius);
    background: repeating-conic-gradient(var(--_raised) 0 25%, var(--_surface) 0 50%) 0 / 20px 20px;
  }

  .download {
    display: grid;
    justify-items: center;
    gap: 0.75rem;
    padding: 3rem 1.25rem;
    text-align: center;
    overflow-wrap: anywhere;
  }

  .download > .icon {
    inline-size: 2.5rem;
    block-size: 2.5rem;
    color: var(--_muted);
  }

  .download > .actions {
    display: flex;
    flex-wrap: wrap;
    justify-content: center;
    gap: 0.5rem;
  }

  .facts {
    color: var(--_muted);
    font-size: 0.875rem;
  }

  .skeletons {
    display: grid;
    gap: 0.8rem;
    padding: 1.25rem;
  }

  .skeletons > .skeleton {
    block-size: 1rem;
  }

  .skeletons > .skeleton:first-of-type {
    inline-size: 40%;
    block-size: 1.6rem;
  }
`;
