import { css } from 'lit';

export const styles = css`
  dialog {
    flex-direction: column;
    inline-size: min(34rem, calc(100vw - 1.5rem));
  }

  dialog[open] {
    display: flex;
  }

  .head {
    display: flex;
    align-items: center;
    gap: 0.6rem;
    padding: 0.8rem 0.8rem 0.8rem 1.25rem;
    border-block-end: 1px solid var(--line);
  }

  h2 {
    flex: 1;
  }

  h3 {
    margin: 0;
    font-size: 0.9375rem;
  }

  p {
    margin: 0;
  }

  .body {
    overflow: auto;
    overflow-wrap: anywhere;
  }

  .amount,
  .row,
  .doom {
    padding: 1rem 1.25rem;
  }

  .amount {
    display: grid;
    gap: 0.6rem;
    background: var(--raised);
  }

  meter,
  .row progress {
    inline-size: 100%;
  }

  .row {
    display: grid;
    grid-template-columns: auto minmax(0, 1fr) auto;
    gap: 0.1rem 0.9rem;
    border-block-start: 1px solid var(--line);
  }

  .row > .icon {
    margin-block: 0.15rem;
    color: var(--muted);
  }

  .row > .icon.good {
    color: var(--good);
  }

  .words {
    font-size: 0.875rem;
  }

  .row > .action {
    display: flex;
    align-items: start;
    justify-content: end;
  }

  .action button {
    min-inline-size: 5.5rem;
  }

  .task {
    display: flex;
    grid-column: 2 / -1;
    align-items: center;
    gap: 0.75rem;
    margin-block-start: 0.6rem;
    font-size: 0.875rem;
    font-variant-numeric: tabular-nums;
    white-space: nowrap;
  }

  .form,
  .outcome {
    grid-column: 2 / -1;
    font-size: 0.875rem;
  }

  .outcome > div {
    margin-block-start: 0.6rem;
    padding: 0.55rem 0.75rem;
    border-radius: 8px;
    background: var(--soft);
  }

  .outcome > .failed,
  .failure {
    background: var(--failed);
    color: var(--danger);
  }

  .failure {
    padding: 0.55rem 0.75rem;
    border-radius: 8px;
    font-size: 0.875rem;
  }

  .outcome ul {
    margin: 0.35rem 0 0;
    padding-inline-start: 1.1rem;
  }

  .doom {
    display: grid;
    gap: 0.9rem;
  }

  .answers {
    display: flex;
    flex-wrap: wrap;
    justify-content: flex-end;
    gap: 0.5rem;
    margin-block-start: 0.4rem;
  }

  @media (max-width: 30em) {
    .head {
      padding-inline-start: 1rem;
    }

    .amount,
    .row,
    .doom {
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

    .answers button {
      flex: 1 1 100%;
    }
  }
`;
