import { css } from 'lit';

export const styles = css`
  :host {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    /* With large text in a low window the pane scrolls: the search and two rows stay in sight. */
    grid-template-rows: auto minmax(12rem, 1fr) auto;
    overflow-y: auto;
    container-type: inline-size;
    min-inline-size: 0;
    min-block-size: 0;
  }

  :is([aria-current='true'], [aria-pressed='true']) {
    border-color: var(--_accent);
    background: var(--_selected);
    color: var(--_accent);
  }

  @media (forced-colors: active) {
    button:is([aria-current='true'], [aria-pressed='true']) {
      background: Highlight;
      color: HighlightText;
      forced-color-adjust: none;
    }
  }

  .selection > span {
    flex: 1;
    font-size: 0.875rem;
    white-space: nowrap;
  }

  .selection > button {
    padding-inline: 0.5rem;
  }

  .actions {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.5rem;
    min-block-size: 3.4rem;
    padding: 0.5rem 0.9rem;
    border-block-end: 1px solid var(--_line);
  }

  .actions > .new {
    flex: 1;
  }

  .actions > .tree {
    padding-inline: 0.6rem;
  }

  mcp-resource-list {
    grid-row: 2;
    block-size: 100%;
  }

  .offers {
    display: flex;
    grid-row: 3;
    flex-wrap: wrap;
    gap: 0.4rem;
    padding: 0.6rem 0.9rem 0;
    border-block-start: 1px solid var(--_line);
  }

  .offers button {
    flex: 1 1 auto;
    padding-inline: 0.3rem;
    font-size: 0.8125rem;
  }

  @container (max-width: 20rem) {
    .offers .icon,
    .selection .icon {
      display: none;
    }
  }

  /* As at 200 % zoom, where the rows would have no room beside all of it: what is around scrolls. */
  @media (max-height: 37em) {
    :host {
      display: block;
      overflow: visible;
    }

    mcp-resource-list {
      block-size: 14rem;
    }
  }

  /* As at 400 %. */
  @media (max-height: 26.25em) {
    .actions {
      min-block-size: 0;
      padding-block: 0.3rem;
    }
  }
`;
