import { css } from 'lit';

export const styles = css`
  :host {
    display: block;
    overflow: auto;
  }

  p {
    margin: 0;
    padding: 0.5rem 0.9rem;
    font-size: 0.8125rem;
  }

  .failed {
    color: var(--danger);
  }

  ul {
    margin: 0;
    padding: 0;
    list-style: none;
  }

  /* Not at once: most searches are over before anybody sees it. */
  ul[aria-busy='true'] {
    opacity: 0.55;
    transition: opacity 0s 250ms;
  }

  button {
    display: grid;
    grid-template-columns: auto minmax(0, 1fr);
    justify-content: start;
    gap: 0 0.9rem;
    inline-size: 100%;
    padding: 0.45rem 0.9rem;
    border: 0;
    border-radius: 0;
    text-align: start;
  }

  button[aria-current='true']:not(:disabled) {
    background: var(--soft);
  }

  button:focus-visible {
    outline-offset: -2px;
  }

  .icon {
    grid-row: 1 / 3;
    align-self: center;
    color: var(--muted);
  }

  .title,
  .excerpt {
    overflow: hidden;
    text-overflow: ellipsis;
    unicode-bidi: plaintext;
    white-space: nowrap;
  }

  .title {
    font-size: 0.9375rem;
  }

  .excerpt {
    color: var(--muted);
    font-size: 0.8125rem;
  }

  mark {
    border-radius: 2px;
    background: var(--warning);
    color: inherit;
    font-weight: 600;
  }
`;
