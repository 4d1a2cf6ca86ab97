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
    font-size: 0.875rem;
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
  }

  .answers {
    display: flex;
    flex-wrap: wrap;
    justify-content: flex-end;
    gap: 0.5rem;
  }
`;
