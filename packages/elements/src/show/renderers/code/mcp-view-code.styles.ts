import { css } from 'lit';

export const styles = css`
  .scroller {
    padding-block: 0.5rem;
    font-family: var(--_mono);
    font-size: 0.8125rem;
    line-height: 1.6;
  }

  /* The widest row in sight makes the width. */
  .rows {
    overflow: visible;
  }

  .rows-in-sight {
    inline-size: max-content;
    min-inline-size: 100%;
  }

  .row {
    display: flex;
    block-size: 1.6em;
    contain: layout style;
  }

  .number {
    position: sticky;
    inset-inline-start: 0;
    flex: none;
    inline-size: calc(var(--digits) * 1ch + 2rem);
    padding-inline: 0.75rem 1rem;
    background: var(--_surface);
    color: var(--_muted);
    text-align: end;
    user-select: none;
  }

  .marked,
  .marked .number {
    background: var(--_updated);
    color: var(--_text);
  }

  .line {
    flex: 1 0 auto;
    padding-inline-end: 1.25rem;
    white-space: pre;
    tab-size: 4;
    unicode-bidi: isolate;
  }
`;
