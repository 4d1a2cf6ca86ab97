import { css } from 'lit';

export const styles = css`
  :host {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    grid-template-rows: auto auto minmax(0, 1fr) auto;
    min-inline-size: 0;
    min-block-size: 0;
  }

  .bar {
    display: flex;
    align-items: center;
    gap: 0.5rem;
    min-block-size: 3.4rem;
    padding: 0.5rem 0.9rem;
    border-block-end: 1px solid var(--line);
  }

  h2 {
    flex: 1;
    overflow: hidden;
    margin: 0;
    font-size: 0.9375rem;
    text-overflow: ellipsis;
    unicode-bidi: plaintext;
    text-align: match-parent;
    white-space: nowrap;
  }

  .facts {
    display: flex;
    flex-wrap: wrap;
    gap: 0 1rem;
    margin: 0;
    padding: 0.55rem 0.9rem;
    border-block-end: 1px solid var(--line);
    color: var(--muted);
    font-size: 0.8125rem;
  }

  .facts code {
    overflow: hidden;
    max-inline-size: 100%;
    font-family: var(--mono);
    text-overflow: ellipsis;
    white-space: nowrap;
  }

  .welcome {
    display: grid;
    grid-row: 2 / 4;
    place-content: center;
    padding: 2rem;
    color: var(--muted);
    text-align: center;
  }

  offer-pane {
    grid-row: 2 / 4;
  }

  mcp-resource-view {
    block-size: 100%;
    outline-offset: -2px;
  }

  ask-dock {
    grid-row: 4;
  }

  /* As at 400 % zoom, where the content would have no room beside all of it. */
  @media (max-height: 26.25em) {
    :host {
      display: block;
      overflow: auto;
    }

    .bar {
      min-block-size: 0;
      padding-block: 0.3rem;
    }

    .facts {
      display: none;
    }

    mcp-resource-view,
    note-editor,
    offer-pane {
      block-size: 12rem;
    }
  }
`;
