import { css } from 'lit';

export const styles = css`
  .scroller {
    font-size: 0.8125rem;
    font-variant-numeric: tabular-nums;
  }

  .rows {
    overflow: visible;
  }

  .rows-in-sight,
  .names {
    inline-size: max-content;
    min-inline-size: 100%;
  }

  .row,
  .names {
    display: grid;
    grid-template-columns: var(--columns);
    block-size: calc(2.2em * var(--_density));
    align-items: stretch;
    border-block-end: 1px solid var(--_line);
  }

  .row {
    contain: layout style;
  }

  .names {
    position: sticky;
    inset-block-start: 0;
    z-index: 2;
    background: var(--_raised);
  }

  .cell,
  .number {
    overflow: hidden;
    padding-inline: 0.75rem;
    line-height: calc(2.2em * var(--_density));
    text-overflow: ellipsis;
    white-space: nowrap;
  }

  /* Not of the row, whose columns are as wide as its characters. */
  .names > .cell {
    font-weight: 600;
  }

  .cell {
    border-inline-start: 1px solid var(--_line);
    unicode-bidi: plaintext;
    text-align: start;
  }

  .numeric {
    text-align: end;
  }

  .number {
    position: sticky;
    inset-inline-start: 0;
    background: var(--_raised);
    color: var(--_muted);
    text-align: end;
    user-select: none;
  }

  .row:hover {
    background: var(--_raised);
  }
`;
