import { css } from 'lit';

/** The styles that all renderers share; after the theme. */
export const rendererStyles = css`
  :host {
    display: flex;
    flex-direction: column;
    min-block-size: 0;
    max-block-size: max(20rem, 70dvh);
    background: var(--_surface);
  }

  .scroller {
    position: relative;
    flex: 1 1 auto;
    min-block-size: 3rem;
    overflow: auto;
    outline-offset: -2px;
  }

  /* In sight where the view around it scrolls, too. */
  .bar {
    position: sticky;
    inset-block-start: 0;
    z-index: 1;
    display: flex;
    flex: none;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.4rem 0.6rem;
    padding: 0.4rem 0.9rem;
    border-block-end: 1px solid var(--_line);
    background: var(--_raised);
    color: var(--_muted);
    font-size: 0.8125rem;
    font-variant-numeric: tabular-nums;
  }

  .bar button {
    padding-block: calc(0.2em * var(--_density));
    color: var(--_text);
  }

  .bar .grow {
    flex: 1 1 8rem;
  }

  .remark {
    flex: none;
    border-block-end: 1px solid var(--_line);
    font-size: 0.8125rem;
  }
`;
