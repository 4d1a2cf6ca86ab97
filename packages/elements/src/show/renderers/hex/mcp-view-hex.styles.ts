import { css } from 'lit';

export const styles = css`
  .scroller {
    padding-block: 0.4rem;
    font-family: var(--_mono);
    font-size: 0.8125rem;
  }

  .rows {
    overflow: visible;
  }

  .rows-in-sight {
    inline-size: max-content;
    min-inline-size: 100%;
  }

  .row {
    display: flex;
    gap: 2ch;
    block-size: 1.7em;
    padding-inline: 0.9rem;
    line-height: 1.7;
    white-space: pre;
    contain: layout style;
  }

  .at {
    color: var(--_muted);
  }

  .hex {
    inline-size: calc(var(--bytes) * 3ch - 1ch);
  }

  .ascii {
    color: var(--mcp-code-string, light-dark(#126a2d, #8fd6a0));
  }

  .offset {
    inline-size: 8em;
    margin-inline-start: 0.3em;
    padding-block: 0.1em;
    font-family: var(--_mono);
  }

  .previous .icon:dir(ltr),
  .next .icon:dir(rtl) {
    rotate: 180deg;
  }

  @media (width < 30rem) {
    .row {
      gap: 1ch;
      padding-inline: 0.5rem;
      font-size: 0.9em;
    }
  }

  @media (forced-colors: active) {
    .ascii {
      color: inherit;
    }
  }
`;
