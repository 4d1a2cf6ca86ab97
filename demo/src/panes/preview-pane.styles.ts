import { css } from 'lit';

export const styles = css`
  :host {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    grid-template-rows: auto minmax(0, 1fr);
    min-inline-size: 0;
    min-block-size: 0;
  }

  h2 {
    padding: 0.9rem;
    border-block-end: 1px solid var(--_line);
  }

  h2:focus {
    outline: none;
  }

  .offer {
    display: grid;
    align-content: start;
    gap: 1rem;
    padding: 1rem;
    overflow: auto;
  }

  mcp-resource-view,
  mcp-note-editor,
  .offer {
    grid-row: 2;
    block-size: 100%;
    outline-offset: -2px;
  }

  /* As at 400 % zoom, where the content would have no room beside all of it. */
  @media (max-height: 26.25em) {
    :host {
      display: block;
      overflow: auto;
    }

    mcp-resource-view,
    mcp-note-editor,
    .offer {
      block-size: 12rem;
    }
  }
`;
