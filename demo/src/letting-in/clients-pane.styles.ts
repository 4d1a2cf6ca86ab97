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

  .assistant {
    border-color: color-mix(in oklab, var(--accent) 45%, var(--line));
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
