import { css } from 'lit';

/** The way back, above the header. */
export const styles = css`
  .trail {
    display: flex;
    padding: 0.3rem 0.75rem;
    border-block-end: 1px solid var(--_line);
    background: var(--_surface);
    font-size: 0.8125rem;
  }

  .trail > button {
    display: flex;
    align-items: center;
    gap: 0.4em;
    min-inline-size: 0;
    text-align: start;
    overflow-wrap: anywhere;
  }

  .trail .icon:dir(ltr) {
    rotate: 180deg;
  }
`;
