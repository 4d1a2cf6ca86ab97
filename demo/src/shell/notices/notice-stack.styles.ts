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
    align-items: center;
    gap: 0.6rem;
    max-inline-size: 36rem;
    padding: 0.5rem 0.5rem 0.5rem 1rem;
    border-radius: 10px;
    background: light-dark(#16181d, #eceef2);
    color: light-dark(#ffffff, #16181d);
    box-shadow: 0 6px 24px rgb(0 0 0 / 25%);
    font-size: 0.875rem;
    overflow-wrap: anywhere;
    pointer-events: auto;
  }

  .notice.error {
    background: light-dark(#b42318, #ffa49a);
  }

  .notice.standing,
  .notice.progress {
    flex-wrap: wrap;
    padding: 0.75rem 0.75rem 0.75rem 1rem;
    border: 1px solid var(--line);
    background: var(--surface);
    color: var(--text);
  }

  .notice.standing {
    align-items: flex-start;
    border-color: var(--warning-line);
    background: var(--warning);
  }

  .standing > .icon {
    margin-block: 0.1rem;
  }

  .standing > .dismiss {
    margin: -0.45rem -0.45rem -0.45rem 0;
  }

  .text {
    display: -webkit-box;
    overflow: hidden;
    flex: 1;
    -webkit-box-orient: vertical;
    -webkit-line-clamp: 4;
    line-clamp: 4;
  }

  .standing > .text {
    min-inline-size: 70%;
    -webkit-line-clamp: none;
    line-clamp: none;
  }

  .progress {
    inline-size: 26rem;
    max-inline-size: 100%;
  }

  .progress > .text {
    min-inline-size: 100%;
    -webkit-line-clamp: 2;
    line-clamp: 2;
  }

  .done {
    display: flex;
    flex: 1 1 12rem;
    align-items: center;
    gap: 0.6rem;
    color: var(--muted);
    font-size: 0.8125rem;
    font-variant-numeric: tabular-nums;
    white-space: nowrap;
  }

  .done progress {
    flex: 1;
    min-inline-size: 4rem;
  }

  .offer .actions {
    color: inherit;
  }

  .offer .act {
    border-color: currentColor;
    background: none;
    color: inherit;
  }

  .offer .act:hover {
    background: rgb(127 127 127 / 30%);
  }

  .actions {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5rem;
    margin-inline-start: auto;
  }

  .standing .actions {
    order: 1;
    inline-size: 100%;
    padding-inline-start: 1.7rem;
  }

  .dismiss {
    inline-size: 2.1rem;
    padding: 0;
    border: 0;
    background: none;
    color: inherit;
  }

  .error .dismiss:hover:not(:disabled),
  .info .dismiss:hover:not(:disabled),
  .offer .dismiss:hover:not(:disabled) {
    background: rgb(127 127 127 / 30%);
  }

  @media (max-width: 53.75em) {
    :host {
      inset-block-end: 4rem;
    }
  }
`;
