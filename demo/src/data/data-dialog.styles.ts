import { css } from 'lit';

export const styles = css`
  dialog {
    flex-direction: column;
    inline-size: min(34rem, calc(100vw - 1.5rem));
  }

  dialog[open] {
    display: flex;
  }

  .body {
    overflow: auto;
    overflow-wrap: anywhere;
  }

  .amount,
  .row {
    padding: 1rem 1.25rem;
  }

  .amount {
    display: grid;
    gap: 0.6rem;
    background: var(--_raised);
  }

  meter,
  .row progress {
    inline-size: 100%;
  }

  .row {
    display: grid;
    grid-template-columns: auto minmax(0, 1fr) auto;
    gap: 0.1rem 0.9rem;
    border-block-start: 1px solid var(--_line);
  }

  .row > .icon {
    margin-block: 0.15rem;
    color: var(--_muted);
  }

  .row > .icon.good {
    color: var(--_success);
  }

  .words {
    font-size: 0.875rem;
  }

  .row > .action {
    display: flex;
    align-items: start;
    justify-content: end;
  }

  .task {
    display: flex;
    grid-column: 2 / -1;
    align-items: center;
    gap: 0.75rem;
    margin-block-start: 0.6rem;
    font-size: 0.875rem;
  }

  form {
    display: grid;
    gap: 0.6rem;
    margin-block-start: 0.6rem;
    font-size: 0.875rem;
  }

  .form,
  .outcome {
    grid-column: 2 / -1;
  }

  .outcome > div {
    padding: 0.55rem 0.75rem;
    border-radius: 8px;
    background: var(--_selected);
    font-size: 0.875rem;
    margin-block-start: 0.6rem;
  }

  .outcome > .failed {
    background: var(--failed);
    color: var(--_danger);
  }

  .outcome ul {
    margin: 0.35rem 0 0;
    padding-inline-start: 1.1rem;
  }

  @media (max-width: 30em) {
    .amount,
    .row {
      padding-inline: 1rem;
    }

    .row {
      gap: 0.3rem 0.7rem;
    }

    /* The words stand below title and button, as wide as both. */
    .row > .heading {
      display: contents;
    }

    .row > .icon,
    .row h3 {
      align-self: center;
    }

    .row > .action {
      grid-row: 1;
      grid-column: 3;
    }

    .row .words {
      grid-column: 2 / -1;
    }
  }
`;
