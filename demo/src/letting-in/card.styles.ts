import { css } from 'lit';

/** A card of a client: who it is, what it may do, and what it did last. */
export const cardStyles = css`
  .card {
    display: grid;
    gap: 0.3rem;
    padding: 0.7rem 0.9rem;
    border: 1px solid var(--line);
    border-radius: 10px;
    font-size: 0.875rem;
  }

  h2 {
    display: flex;
    align-items: center;
    gap: 0.45rem;
    margin: 0;
    font-size: 0.9375rem;
  }

  p {
    margin: 0;
    overflow-wrap: anywhere;
  }

  p.muted {
    font-size: 0.8125rem;
  }

  .activity {
    padding-inline-start: 0.6rem;
    border-inline-start: 3px solid var(--good);
  }

  .ended {
    color: var(--danger);
    font-weight: 600;
  }

  .buttons {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5rem;
    margin-block-start: 0.3rem;
  }

  /* With large text, a label is wider than a telephone. */
  .buttons button {
    white-space: normal;
  }
`;
