import { css } from 'lit';

/** The styles of a card of a client: its name, and its access. */
export const cardStyles = css`
  .card {
    display: grid;
    gap: 0.3rem;
    padding: 0.7rem 0.9rem;
    border: 1px solid var(--_line);
    border-radius: 10px;
    font-size: 0.875rem;
    overflow-wrap: anywhere;
  }

  h2 {
    display: flex;
    align-items: center;
    gap: 0.45rem;
  }

  .ended {
    color: var(--_danger);
    font-weight: 600;
  }

  .buttons {
    margin-block-start: 0.3rem;
  }

  /* With large text, a label is wider than a telephone. */
  .buttons button {
    white-space: normal;
  }
`;
