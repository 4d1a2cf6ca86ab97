import { css } from 'lit';

/** The styles of texts, in portions, and of several contents. */
export const styles = css`
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
`;
