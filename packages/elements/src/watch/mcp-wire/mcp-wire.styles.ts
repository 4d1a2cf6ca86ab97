import { css } from 'lit';

export const styles = css`
  :host {
    display: block;
    block-size: 28rem;
    min-inline-size: 0;
    background: var(--_surface);
    container-type: inline-size;
  }

  .frame {
    display: flex;
    flex-direction: column;
    block-size: 100%;
    overflow: auto;
  }

  .toolbar {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.4rem 0.5rem;
    padding: 0.5rem 0.75rem;
    border-block-end: 1px solid var(--_line);
    font-size: 0.8125rem;
  }

  .toolbar .search {
    flex: 1 1 10rem;
    min-inline-size: 0;
  }

  .toolbar select {
    flex: 0 1 auto;
    min-inline-size: 0;
    max-inline-size: 11rem;
    text-overflow: ellipsis;
  }

  .check {
    display: inline-flex;
    align-items: center;
    gap: 0.35rem;
    min-block-size: 24px;
    white-space: nowrap;
  }

  .check input {
    inline-size: 1rem;
    block-size: 1rem;
    margin: 0;
    accent-color: var(--_accent);
  }

  .buttons {
    display: inline-flex;
    gap: 0.25rem;
    margin-inline-start: auto;
  }

  .counts {
    display: flex;
    align-items: center;
    justify-content: space-between;
    gap: 0.5rem;
    min-block-size: 2rem;
    padding: 0 0.75rem;
    color: var(--_muted);
    font-size: 0.8125rem;
  }

  .panes {
    display: flex;
    flex-direction: column;
    flex: 1;
    min-block-size: 0;
    border-block-start: 1px solid var(--_line);
  }

  .scroller {
    position: relative;
    flex: 1 1 50%;
    min-block-size: 5rem;
    overflow: auto;
    overflow-anchor: none;
    outline-offset: -2px;
  }

  .row {
    display: flex;
    align-items: center;
    gap: 0.6rem;
    block-size: calc(1.9rem * var(--_density));
    padding-inline: 0.75rem;
    border-inline-start: 3px solid transparent;
    font-size: 0.8125rem;
    white-space: nowrap;
    cursor: pointer;
  }

  .row:hover {
    background: var(--_raised);
  }

  .row.active {
    border-inline-start-color: var(--_accent);
    background: var(--_selected);
    color: var(--_on-selected);
  }

  .row.inner {
    padding-inline-start: 2rem;
  }

  .row > .icon {
    color: var(--_accent);
  }

  .row.notification > .icon {
    color: var(--_success);
  }

  .row:is(.fold, .opened, .closed) > :is(.icon, .method) {
    color: var(--_muted);
  }

  .row.failure > :is(.icon, .method, .outcome) {
    color: var(--_danger);
  }

  .fold > .icon:dir(rtl) {
    scale: -1 1;
  }

  .fold.open > .icon {
    rotate: 90deg;
  }

  /* Each in its own direction: a long text loses its end. */
  .method,
  .subject {
    overflow: hidden;
    text-overflow: ellipsis;
    unicode-bidi: plaintext;
  }

  .method {
    flex: 0 1 auto;
    min-inline-size: 4rem;
    font-family: var(--_mono);
  }

  .row:is(.fold, .opened, .closed, .answer, .invalid, .problem) > .method {
    font-family: inherit;
  }

  .subject {
    flex: 1 1 0;
    min-inline-size: 0;
    color: var(--_muted);
    text-align: left;
  }

  .subject:dir(rtl) {
    text-align: right;
  }

  .outcome,
  .duration,
  .size {
    flex: none;
    color: var(--_muted);
    text-align: end;
    font-variant-numeric: tabular-nums;
  }

  .duration,
  .size {
    inline-size: 4.5rem;
  }

  .row.active > :is(.subject, .outcome, .duration, .size) {
    color: inherit;
  }

  /* One ring, on the row that the keyboard is at. */
  .scroller[aria-activedescendant]:focus-visible {
    outline: none;
  }

  .scroller:focus-visible .row.active {
    outline: 2px solid var(--_accent);
    outline-offset: -2px;
  }

  .note:empty {
    block-size: 0;
    padding: 0;
  }

  .note {
    margin: 0;
    padding: 0.35rem 0.75rem;
    background: var(--_raised);
    font-size: 0.8125rem;
    overflow-wrap: anywhere;
  }

  @container (inline-size < 34rem) {
    .toolbar select {
      flex: 1 1 9rem;
    }

    .size {
      display: none;
    }

    .duration {
      inline-size: auto;
    }

    .row {
      gap: 0.4rem;
    }
  }

  /* As with large text on a telephone. */
  @container (inline-size < 16rem) {
    .duration {
      display: none;
    }

    .method,
    .outcome {
      flex: 0 1 auto;
      min-inline-size: 0;
      overflow: hidden;
      text-overflow: ellipsis;
    }
  }

  @container (inline-size >= 60rem) {
    .panes {
      flex-direction: row;
    }
  }

  @media (forced-colors: active) {
    .row:not(.active) {
      border-inline-start-color: Canvas;
    }

    .row.active {
      forced-color-adjust: none;
    }

    .row.active > :is(.icon, .method, .subject, .outcome, .duration, .size) {
      color: inherit;
    }
  }
`;
