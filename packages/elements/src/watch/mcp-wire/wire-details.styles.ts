import { css } from 'lit';

/** The messages of the selected line, beside the lines or below them. */
export const styles = css`
  .details {
    flex: 1 1 50%;
    min-block-size: 0;
    min-inline-size: 0;
    overflow: auto;
    padding: 0.25rem 0.75rem 0.75rem;
    border-block-start: 2px solid var(--_line);
    font-size: 0.8125rem;
  }

  .details header,
  .message-header {
    display: flex;
    align-items: center;
    justify-content: space-between;
    gap: 0.5rem;
  }

  h3,
  h4 {
    margin: 0;
    font-size: 0.875rem;
  }

  h3 {
    font-family: var(--_mono);
    unicode-bidi: isolate;
  }

  h4 {
    font-size: 0.8125rem;
  }

  .facts,
  .reason,
  .rest {
    margin: 0.25rem 0;
  }

  .facts {
    color: var(--_muted);
  }

  .reason {
    color: var(--_danger);
    overflow-wrap: anywhere;
    unicode-bidi: plaintext;
  }

  .reason:dir(rtl) {
    text-align: right;
  }

  .replay {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.5rem;
    margin-block: 0.4rem;
  }

  pre {
    margin: 0 0 0.4rem;
    padding: 0.6rem 0.75rem;
    border-radius: var(--_radius);
    background: var(--_raised);
    font-family: var(--_mono);
    font-size: 0.75rem;
    line-height: 1.45;
    text-align: left;
    white-space: pre-wrap;
    overflow-wrap: anywhere;
  }

  .key {
    color: var(--_accent);
  }

  .literal {
    color: var(--_success);
  }

  .portion {
    display: block;
    content-visibility: auto;
    contain-intrinsic-block-size: auto 60rem;
  }

  .portion:first-child {
    content-visibility: visible;
  }

  @container (inline-size >= 60rem) {
    .details {
      border-block-start: none;
      border-inline-start: 1px solid var(--_line);
    }
  }

  @media (forced-colors: active) {
    .key,
    .literal {
      color: inherit;
    }
  }
`;
