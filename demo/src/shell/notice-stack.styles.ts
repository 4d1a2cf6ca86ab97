import { css } from 'lit';

export const styles = css`
  :host {
    position: fixed;
    inset-block-end: 1.2rem;
    inset-inline: 1rem;
    z-index: 2;
    pointer-events: none;
  }

  div[role='status'] {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    justify-items: center;
    gap: 0.5rem;
  }

  .notice {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.6rem;
    max-inline-size: 36rem;
    padding: 0.5rem 0.5rem 0.5rem 1rem;
    border: 1px solid transparent;
    border-radius: 10px;
    background: var(--_text);
    color: var(--_surface);
    box-shadow: 0 6px 24px rgb(0 0 0 / 25%);
    font-size: 0.875rem;
    overflow-wrap: anywhere;
    pointer-events: auto;
  }

  .notice.error {
    background: var(--_danger);
  }

  .notice.standing {
    border-color: var(--warning-line);
    background: var(--_updated);
    color: var(--_text);
  }

  .text {
    display: -webkit-box;
    overflow: hidden;
    flex: 1 1 10rem;
    -webkit-box-orient: vertical;
    -webkit-line-clamp: 4;
    line-clamp: 4;
  }

  .standing > .text {
    -webkit-line-clamp: none;
    line-clamp: none;
  }

  .actions:empty {
    display: none;
  }

  .actions {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5rem;
  }

  .standing > .actions {
    order: 1;
    justify-content: flex-end;
    inline-size: 100%;
  }

  button {
    border-color: currentColor;
    background: none;
  }

  button:hover:not(:disabled) {
    background: rgb(127 127 127 / 30%);
  }

  .dismiss {
    inline-size: 2.1rem;
    padding: 0;
    border: 0;
  }

  @media (max-width: 53.75em) {
    :host {
      inset-block-end: 4rem;
    }
  }
`;
