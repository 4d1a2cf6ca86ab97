import { css } from 'lit';

export const styles = css`
  :host {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    grid-template-rows: auto auto minmax(0, 1fr) auto auto;
    container-type: inline-size;
    min-inline-size: 0;
    min-block-size: 0;
  }

  .finding {
    display: flex;
    gap: 0.5rem;
    padding: 0.6rem 0.9rem 0.3rem;
  }

  .search {
    position: relative;
    flex: 1;
  }

  [aria-pressed='true'] {
    border-color: var(--accent);
    background: var(--soft);
    color: var(--accent);
  }

  .selection {
    display: flex;
    align-items: center;
    gap: 0.5rem;
    padding: 0.3rem 0.9rem;
    font-size: 0.875rem;
  }

  .selection > span {
    flex: 1;
  }

  .search input {
    inline-size: 100%;
    min-block-size: 2.1rem;
    padding-inline: 2.1rem 0.6rem;
    font-size: 0.875rem;
  }

  .search .icon {
    position: absolute;
    inset-block-start: 0.6rem;
    inset-inline-start: 0.65rem;
    color: var(--muted);
    pointer-events: none;
  }

  .actions {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.5rem;
    min-block-size: 3.4rem;
    padding: 0.5rem 0.9rem;
    border-block-end: 1px solid var(--line);
  }

  .actions > * {
    flex: 1;
  }

  mcp-resource-list {
    block-size: 100%;
  }

  mcp-resource-list[hidden] {
    display: none;
  }

  .offers {
    display: flex;
    flex-wrap: wrap;
    gap: 0.4rem;
    padding: 0.6rem 0.9rem 0;
    border-block-start: 1px solid var(--line);
  }

  .offers button {
    flex: 1 1 auto;
    padding-inline: 0.3rem;
    font-size: 0.8125rem;
  }

  @container (max-width: 20rem) {
    .offers .icon {
      display: none;
    }
  }

  .offers [aria-current='true'] {
    border-color: var(--accent);
    background: var(--soft);
    color: var(--accent);
  }

  .drop {
    display: grid;
    place-items: center;
    margin: 0.9rem;
    padding: 0.9rem;
    border: 1.5px dashed var(--line);
    border-radius: 10px;
    color: var(--muted);
    font-size: 0.875rem;
    text-align: center;
  }

  /* Where there is little room, or nothing to drop, the rows have it. */
  @media (max-height: 53.75em), (pointer: coarse) {
    .drop {
      display: none;
    }

    .offers {
      padding-block-end: 0.6rem;
    }
  }

  /* As at 400 % zoom, where the rows would have no room beside all of it. */
  @media (max-height: 26.25em) {
    :host {
      display: block;
      overflow: auto;
    }

    .actions {
      min-block-size: 0;
      padding-block: 0.3rem;
    }

    .finding {
      padding-block: 0.3rem 0;
    }

    mcp-resource-list {
      block-size: 12rem;
      margin-block-start: -0.75rem;
    }
  }

  .link {
    display: inline;
    min-block-size: 0;
    padding: 0;
    border: 0;
    background: none;
    color: var(--accent);
    font-size: inherit;
    text-decoration: underline;
  }
`;
