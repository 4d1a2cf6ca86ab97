import { css } from 'lit';

export const styles = css`
  .scroller {
    padding-block: 0.4rem;
    font-family: var(--_mono);
    font-size: 0.8125rem;
  }

  .row {
    display: flex;
    align-items: center;
    gap: 0.6em;
    block-size: 2em;
    padding-inline: calc(0.6rem + var(--level) * 1.1rem) 0.9rem;
    white-space: nowrap;
  }

  .row:focus {
    background: var(--_selected);
    color: var(--_on-selected);
    outline-offset: -2px;
  }

  div.row {
    padding-inline-start: calc(0.6rem + 1.85em + var(--level) * 1.1rem);
  }

  .toggle {
    display: inline-flex;
    flex: none;
    inline-size: 1.25em;
    color: var(--_muted);
  }

  details:not([open]) > summary .icon:dir(rtl) {
    rotate: 180deg;
  }

  details[open] > summary .icon {
    rotate: 90deg;
  }

  .key,
  .value {
    overflow: hidden;
    text-overflow: ellipsis;
    unicode-bidi: isolate;
  }

  .key {
    flex: none;
    max-inline-size: 60%;
    color: var(--mcp-code-property, light-dark(#4f46a8, #bdb6ff));
  }

  .key::after {
    content: ':';
    color: var(--_muted);
  }

  .size {
    color: var(--_muted);
  }

  .broken {
    color: var(--_danger);
  }

  .more {
    margin: 0.3rem 2.5rem;
  }

  .bar code {
    font-family: var(--_mono);
  }

  @media (width < 30rem) {
    .bar code {
      flex-basis: 100%;
    }

    .bar .icon {
      display: none;
    }
  }
`;
