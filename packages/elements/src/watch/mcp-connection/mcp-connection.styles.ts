import { css } from 'lit';

export const styles = css`
  :host {
    display: block;
    min-inline-size: 0;
    font-size: 0.875rem;
  }

  .summary {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.2rem 0.6rem;
    min-block-size: 2rem;
  }

  .mark {
    flex: none;
    inline-size: 1rem;
    block-size: 1rem;
    color: var(--_muted);
  }

  .mark.open {
    color: var(--_success);
  }

  .mark .check {
    stroke: var(--_surface);
  }

  .mark.closed {
    color: var(--_danger);
  }

  @keyframes turn {
    to {
      rotate: 1turn;
    }
  }

  .mark.reconnecting {
    animation: turn 1.2s linear infinite;
  }

  .state {
    font-weight: 600;
  }

  .muted {
    color: var(--_muted);
  }

  .elapsed {
    font-variant-numeric: tabular-nums;
  }

  .server {
    flex: 1 1 6rem;
  }

  .summary button {
    margin-inline-start: auto;
    padding-block: 0.2em;
  }

  button[aria-disabled='true'] {
    border-color: var(--_line);
    color: var(--_muted);
    cursor: default;
  }

  .reason {
    margin: 0.25rem 0;
    color: var(--_danger);
    overflow-wrap: anywhere;
    unicode-bidi: plaintext;
    text-align: left;
  }

  .reason:dir(rtl) {
    text-align: right;
  }

  dl {
    display: grid;
    gap: 0.6rem;
    margin: 0.6rem 0 0;
  }

  /* The value stands below its name where there is little room. */
  dl > div {
    display: flex;
    flex-wrap: wrap;
    gap: 0.2rem 1rem;
  }

  dt {
    flex: 0 0 10rem;
    color: var(--_muted);
  }

  dd {
    flex: 1 1 14rem;
    min-inline-size: 0;
    margin: 0;
    overflow-wrap: anywhere;
  }

  ul {
    display: grid;
    gap: 0.4rem;
    margin: 0;
    padding: 0;
    list-style: none;
  }

  strong {
    display: block;
    font-weight: 600;
  }

  .meaning {
    color: var(--_muted);
  }

  .meaning + .meaning::before {
    content: ' ';
  }

  @media (forced-colors: active) {
    button[aria-disabled='true'] {
      border-color: GrayText;
      color: GrayText;
    }
  }
`;
