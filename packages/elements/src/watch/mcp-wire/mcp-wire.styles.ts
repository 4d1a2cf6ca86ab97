import { css } from 'lit';

export const styles = css`
  :host {
    block-size: 28rem;
    font-size: 0.8125rem;
  }

  .frame {
    overflow: auto;
  }

  .toolbar .search {
    flex: 1 1 10rem;
    min-inline-size: 0;
  }

  .toolbar select {
    max-inline-size: 11rem;
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
    padding: 0.35rem 0.75rem;
    color: var(--_muted);
  }

  .panes {
    display: flex;
    flex-direction: column;
    flex: 1;
    min-block-size: 0;
    border-block-start: 1px solid var(--_line);
  }

  .row {
    block-size: calc(1.9rem * var(--_density));
    border-inline-start: 3px solid transparent;
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

  .row > .icon {
    color: var(--_accent);
  }

  .row.notification > .icon {
    color: var(--_success);
  }

  .row:is(.opened, .closed) > :is(.icon, .method) {
    color: var(--_muted);
  }

  .row.failure > :is(.icon, .method, .outcome) {
    color: var(--_danger);
  }

  /* Each in its own direction: a long text loses its end. */
  .method,
  .subject {
    overflow: hidden;
    text-overflow: ellipsis;
    unicode-bidi: plaintext;
  }

  .method {
    min-inline-size: 4rem;
  }

  .row:is(.request, .notification) > .method,
  h3 {
    font-family: var(--_mono);
  }

  .subject {
    flex: 1 1 0;
    min-inline-size: 0;
    text-align: left;
  }

  :is(.subject, .reason):dir(rtl) {
    text-align: right;
  }

  .messages,
  .outcome,
  .duration,
  .size {
    flex: none;
    text-align: end;
    font-variant-numeric: tabular-nums;
  }

  .row:not(.active) > :is(.subject, .messages, .outcome, .duration, .size),
  .facts {
    color: var(--_muted);
  }

  .duration,
  .size {
    inline-size: 4.5rem;
  }

  /* One ring, on the row that the keyboard is at. */
  .scroller[aria-activedescendant]:focus-visible {
    outline: none;
  }

  .scroller:focus-visible .row.active {
    outline: 2px solid var(--_accent);
    outline-offset: -2px;
  }

  /* The messages of the selected line, beside the lines or below them. */
  .details {
    flex: 1 1 50%;
    min-block-size: 0;
    min-inline-size: 0;
    overflow: auto;
    padding: 0.25rem 0.75rem 0.75rem;
    border-block-start: 2px solid var(--_line);
  }

  .details header {
    display: flex;
    align-items: center;
    justify-content: space-between;
    gap: 0.5rem;
  }

  h3,
  h4 {
    margin: 0;
    font-size: inherit;
  }

  h3 {
    font-size: 0.875rem;
  }

  .facts,
  .reason,
  .rest {
    margin: 0.25rem 0;
  }

  .reason {
    color: var(--_danger);
    overflow-wrap: anywhere;
    unicode-bidi: plaintext;
  }

  pre {
    margin: 0 0 0.4rem;
    padding: 0.6rem 0.75rem;
    border-radius: var(--_radius);
    background: var(--_raised);
    font-family: var(--_mono);
    font-size: 0.75rem;
    line-height: 1.45;
    text-align: left;
    white-space: pre-wrap;
    overflow-wrap: anywhere;
  }

  .key {
    color: var(--_accent);
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
    .messages,
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

    .details {
      border-block-start: none;
      border-inline-start: 1px solid var(--_line);
    }
  }

  @media (forced-colors: active) {
    .row:not(.active) {
      border-inline-start-color: Canvas;
    }

    .row.active {
      forced-color-adjust: none;
    }

    .row.active > *,
    .key {
      color: inherit;
    }
  }
`;
