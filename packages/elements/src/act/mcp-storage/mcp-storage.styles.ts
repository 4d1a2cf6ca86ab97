import { css } from 'lit';

export const styles = css`
  :host {
    display: block;
    container-type: inline-size;
    /* In a dialog, which is as wide as what is in it. */
    contain-intrinsic-inline-size: 28rem;
    min-inline-size: 0;
    font-size: 0.875rem;
    overflow-wrap: anywhere;
  }

  p,
  h3,
  ul {
    margin: 0;
  }

  h3 {
    font-size: 0.9375rem;
    overflow-wrap: normal;
  }

  h3:focus {
    outline: none;
  }

  .words {
    color: var(--_muted);
    font-size: 0.8125rem;
  }

  .amount,
  .row {
    padding: calc(1rem * var(--_density)) 1.25rem;
  }

  .amount {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 0.4rem;
    background: var(--_raised);
  }

  .amount.problem {
    display: flex;
  }

  .count {
    font-size: 1rem;
    font-weight: 600;
  }

  meter,
  progress {
    inline-size: 100%;
  }

  .row {
    display: grid;
    grid-template-columns: auto minmax(0, 1fr) auto;
    gap: 0.1rem 0.9rem;
    border-block-start: 1px solid var(--_line);
  }

  .symbol {
    display: flex;
    margin-block: 0.15rem;
    color: var(--_muted);
    font-size: 1rem;
  }

  .symbol.done {
    color: var(--_success);
  }

  .action {
    display: flex;
    align-items: start;
    justify-content: end;
  }

  .form,
  .running,
  .outcome {
    grid-column: 2 / -1;
  }

  .form {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 0.6rem;
    margin-block-start: 0.6rem;
  }

  .check,
  .running,
  .buttons {
    display: flex;
    align-items: center;
    gap: 0.5rem 0.75rem;
  }

  .buttons {
    flex-wrap: wrap;
  }

  .running {
    margin-block-start: 0.6rem;
  }

  .question,
  .outcome > div {
    padding: 0.7rem 0.9rem;
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
    background: var(--_raised);
  }

  .outcome > div {
    margin-block-start: 0.6rem;
  }

  .outcome > .failed {
    border-color: var(--_danger);
  }

  .problem,
  .failed {
    color: var(--_danger);
  }

  .failed .icon,
  .problem .icon {
    vertical-align: -0.25em;
  }

  .outcome ul {
    margin-block-start: 0.35rem;
    padding-inline-start: 1.1rem;
  }

  /* With large text, a label is wider than a telephone. */
  button {
    overflow-wrap: normal;
    white-space: normal;
  }

  button[hidden] {
    display: none;
  }

  button.danger {
    border-color: var(--_danger);
    color: var(--_danger);
  }

  button[aria-disabled='true'] {
    border-color: var(--_line);
    color: var(--_muted);
    cursor: default;
  }

  @container (inline-size < 26rem) {
    .amount,
    .row {
      padding-inline: 1rem;
    }

    .row {
      gap: 0.3rem 0.7rem;
    }

    /* The words stand below title and button, as wide as both. */
    .heading {
      display: contents;
    }

    .symbol,
    h3 {
      align-self: center;
    }

    .action {
      grid-row: 1;
      grid-column: 3;
    }

    .heading .words {
      grid-column: 2 / -1;
    }
  }

  @container (inline-size < 16rem) {
    .row > .action {
      grid-row: auto;
      grid-column: 2 / -1;
      justify-content: start;
    }
  }

  @media (forced-colors: active) {
    button[aria-disabled='true'] {
      border-color: GrayText;
      color: GrayText;
    }
  }
`;
