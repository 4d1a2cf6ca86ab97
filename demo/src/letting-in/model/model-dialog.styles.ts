import { css } from 'lit';

export const styles = css`
  dialog {
    inline-size: min(32rem, calc(100vw - 1.5rem));
    padding: 1.25rem;
    overflow: auto;
  }

  h2 {
    margin-block-end: 0.8rem;
  }

  p {
    margin: 0;
    overflow-wrap: anywhere;
  }

  .fields {
    display: grid;
    gap: 0.7rem;
  }

  label {
    display: grid;
    gap: 0.2rem;
    font-size: 0.875rem;
  }

  label.check {
    grid-template-columns: auto 1fr;
    align-items: center;
    gap: 0.5rem;
  }

  select,
  label:not(.check) input {
    min-block-size: 2.1rem;
    inline-size: 100%;
    padding: 0.25rem 0.6rem;
    border: 1px solid var(--line);
    border-radius: 8px;
    background: var(--surface);
    color: inherit;
    font: inherit;
  }

  .muted {
    font-size: 0.8125rem;
  }

  .warning {
    margin-block: 0.9rem;
    padding: 0.6rem 0.8rem;
    border: 1px solid var(--warning-line);
    border-radius: 8px;
    background: var(--warning);
    font-size: 0.875rem;
  }

  .problem {
    margin-block-end: 0.9rem;
    color: var(--danger);
  }

  .answers {
    display: flex;
    flex-wrap: wrap;
    justify-content: flex-end;
    gap: 0.5rem;
  }
`;
