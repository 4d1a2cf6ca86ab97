import { css } from 'lit';

export const styles = css`
  /* In this direction, the scroll position begins at the last notice, and stays there. */
  :host {
    display: flex;
    flex-direction: column-reverse;
    position: absolute;
    inset-block-end: 0;
    inset-inline: 0;
    max-block-size: 50vh;
    overflow: auto;
    pointer-events: none;
  }

  div.some {
    padding: 0.6rem 1rem 1rem;
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
    border: 1px solid transparent;
    border-radius: 10px;
    background: var(--_text);
    color: var(--_surface);
    font-size: 0.875rem;
    overflow-wrap: anywhere;
    pointer-events: auto;
    box-shadow: 0 0.25rem 1rem rgb(0 0 0 / 25%);
  }

  .notice.error {
    background: var(--_danger);
  }

  .notice.standing {
    flex-wrap: wrap;
    border-color: var(--warning-line);
    background: var(--_updated);
    color: var(--_text);
  }

  /* The browser draws the colour of the page behind the text. */
  @media (forced-colors: active) {
    .notice:not(.standing) {
      border-color: CanvasText;
      background: Canvas;
      color: CanvasText;
    }
  }

  .text {
    display: -webkit-box;
    overflow: hidden;
    flex: auto;
    -webkit-box-orient: vertical;
    -webkit-line-clamp: 4;
    line-clamp: 4;
  }

  .standing > .text {
    flex: 1 1 10rem;
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
`;
