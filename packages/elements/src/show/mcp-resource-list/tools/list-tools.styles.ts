import { css } from 'lit';

export const styles = css`
  .toolbar {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5rem;
    flex: none;
    max-block-size: 50%;
    padding: 0.6rem 0.9rem;
    overflow: auto;
    border-block-end: 1px solid var(--_line);
    font-size: 0.875rem;
  }

  .toolbar > select {
    flex: 1 1 min(10.5rem, 40%);
    min-inline-size: 0;
    text-overflow: ellipsis;
  }

  .search {
    position: relative;
    flex: 1 1 100%;
  }

  .search > input {
    inline-size: 100%;
    padding-inline-start: 2.2em;
  }

  .search > .icon {
    position: absolute;
    inset-block-start: calc(50% - 0.625em);
    inset-inline-start: 0.6em;
    color: var(--_muted);
    pointer-events: none;
  }

  .message > .icon {
    inline-size: 2.25rem;
    block-size: 2.25rem;
  }

  mark {
    border-radius: 2px;
    background: var(--_updated);
    color: inherit;
    font-weight: 600;
  }

  .body:has(> .check, > .chevron) {
    grid-template-columns: repeat(2, auto) minmax(0, 1fr);
    column-gap: 0.4rem;
  }

  .body:has(> .check):has(> .chevron) {
    grid-template-columns: repeat(3, auto) minmax(0, 1fr);
  }

  .check,
  .chevron {
    display: grid;
    grid-row: 1 / 3;
    place-items: center;
    inline-size: 1.25rem;
    block-size: 1.25rem;
    min-inline-size: 24px;
    min-block-size: 24px;
  }

  .check::before {
    grid-area: 1 / 1;
    inline-size: 1.1rem;
    block-size: 1.1rem;
    border: 1.5px solid var(--_field-line);
    border-radius: 4px;
    background: var(--_surface);
    content: '';
  }

  /* In the place of the icon. A finger has nothing to show them by: for it they stay beside it. */
  @media (hover: hover) {
    .check {
      /* Above the icon, also for the pointer. */
      z-index: 1;
      margin-inline-end: calc(-1 * max(1.25rem, 24px));
    }

    .check:not(.shown),
    .shown ~ .icon,
    .row:hover .check ~ .icon,
    .scroller:focus-visible .row.active .check ~ .icon {
      opacity: 0;
    }

    .row:hover .check,
    .scroller:focus-visible .row.active .check {
      opacity: 1;
    }
  }

  /* Only once several are selected: what is open does not look as if it were gathered. */
  .row[aria-selected='true'] .shown::before {
    border-color: var(--_accent);
    background: var(--_accent);
  }

  .row[aria-selected='true'] .shown::after {
    grid-area: 1 / 1;
    inline-size: 0.35rem;
    block-size: 0.65rem;
    margin-block-end: 0.1rem;
    border: solid var(--_on-accent);
    border-width: 0 0.125em 0.125em 0;
    content: '';
    rotate: 45deg;
  }

  .chevron::before {
    inline-size: 0.5em;
    block-size: 0.5em;
    border: solid var(--_muted);
    border-width: 0 0 0.125em;
    border-inline-end-width: 0.125em;
    content: '';
    rotate: -45deg;
  }

  .chevron:dir(rtl)::before {
    rotate: 45deg;
  }

  .chevron.open::before,
  .chevron.open:dir(rtl)::before {
    rotate: 45deg;
  }

  .chevron.open:dir(rtl)::before {
    rotate: -45deg;
  }

  .chevron.leaf::before {
    content: none;
  }

  @media (forced-colors: active) {
    .row[aria-selected='true'] .shown::after {
      border-color: Highlight;
    }
  }
`;
