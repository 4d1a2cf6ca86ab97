import { css } from 'lit';

export const styles = css`
  :host {
    display: grid;
    grid-template-rows: minmax(0, 1fr);
    min-block-size: 0;
    container-type: size;
  }

  .cards {
    display: flex;
    flex-direction: column;
    gap: 0.7rem;
    padding: 0.9rem;
    overflow: auto;
  }

  .cards:focus-visible {
    outline-offset: -2px;
  }

  .card {
    display: grid;
    gap: 0.3rem;
    padding: 0.7rem 0.9rem;
    border: 1px solid var(--line);
    border-radius: 10px;
    font-size: 0.875rem;
  }

  .assistant {
    border-color: color-mix(in oklab, var(--accent) 45%, var(--line));
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

  .deed {
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

  iframe {
    inline-size: 100%;
    block-size: max(22rem, 100cqb - 14rem);
    margin-block-start: 0.5rem;
    border: 1px solid var(--line);
    border-radius: 8px;
    background: var(--surface);
  }
`;
