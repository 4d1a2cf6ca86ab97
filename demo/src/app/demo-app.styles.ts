import { css } from 'lit';

export const styles = css`
  :host {
    display: flex;
    flex-direction: column;
    block-size: 100dvh;
    background: var(--_surface);
  }

  .top {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.7rem;
    min-block-size: 3.3rem;
    padding: 0.5rem 1rem;
    border-block-end: 1px solid var(--_line);
  }

  /* Before everything that the keyboard would pass on its way to the notes. */
  .skip:not(:focus) {
    position: absolute;
    clip-path: inset(50%);
  }

  .skip {
    position: absolute;
    inset-block-start: 0.5rem;
    inset-inline-start: 0.75rem;
    z-index: 3;
  }

  /* Over the end of what is open, so that no row and no button moves, and none of the list is covered. */
  .notices {
    position: relative;
    z-index: 2;
    margin-inline: max(16rem, 24.2%) max(18rem, 32.2%);
  }

  .brand {
    display: flex;
    align-items: center;
    gap: 0.5rem;
    font-size: 1rem;
    font-weight: 700;
    white-space: nowrap;
  }

  .brand img {
    inline-size: 1.35rem;
    block-size: 1.35rem;
  }

  .pill {
    overflow: hidden;
    padding: 0.1rem 0.75rem;
    border: 1px solid currentColor;
    border-radius: 999px;
    color: var(--_muted);
    font-size: 0.78rem;
    text-overflow: ellipsis;
    white-space: nowrap;
  }

  .pill.connected {
    color: var(--_success);
  }

  .pill.failed {
    color: var(--_danger);
  }

  .grow {
    flex: 1;
  }

  .panes,
  .failure {
    flex: 1;
    min-block-size: 0;
  }

  .panes {
    display: grid;
    grid-template-columns: minmax(16rem, 21fr) minmax(19rem, 38fr) minmax(18rem, 28fr);
  }

  .pane {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    min-inline-size: 0;
    min-block-size: 0;
    border-inline-end: 1px solid var(--_line);
  }

  .pane:last-child {
    border: 0;
  }

  /* All but the list, until something is open. */
  .panes[data-first] > .preview {
    grid-column: 2 / -1;
    border: 0;
  }

  .panes[data-first] > .side,
  preview-pane[hidden] {
    display: none;
  }

  .failure {
    display: grid;
    place-content: center;
    justify-items: center;
    gap: 1rem;
    padding: 2rem;
    text-align: center;
  }

  .failure p {
    max-inline-size: 40rem;
    overflow-wrap: anywhere;
  }

  /* Over what is not there yet: what comes and goes must not move the page, nor cover the drop area. */
  .starting {
    position: fixed;
    inset-block-end: 0;
    inset-inline: max(16rem, 24.2%) 0;
    z-index: 2;
    display: flex;
    align-items: center;
    gap: 0.4rem 1rem;
    padding: 0.5rem 1rem;
    border-block-start: 1px solid var(--_line);
    background: var(--_selected);
    font-size: 0.875rem;
    font-variant-numeric: tabular-nums;
  }

  .starting progress {
    flex: 1 1 6rem;
    min-inline-size: 0;
    max-inline-size: 24rem;
  }

  .tabs {
    display: none;
  }

  .list {
    grid-template-rows: minmax(0, 1fr) auto auto;
  }

  mcp-file-drop {
    position: relative;
    padding: 0.6rem 0.9rem;
    font-size: 0.875rem;
  }

  /* Over what is above it, which must not move. */
  mcp-file-drop::part(batches) {
    position: absolute;
    inset-block-end: 100%;
    inset-inline: 0.9rem;
    z-index: 1;
    max-block-size: 40dvh;
    margin: 0;
    border-radius: 10px;
    overflow: auto;
    background: var(--_surface);
    box-shadow: 0 0.25rem 1rem rgb(0 0 0 / 25%);
  }

  .folders {
    display: grid;
    gap: 0.3rem;
    padding: 0 0.9rem 0.6rem;
  }

  .folders > span {
    font-size: 0.75rem;
    line-height: 1.3;
  }

  /* Where there is little room, or nothing to drop, the rows have it. */
  @media (max-height: 53.75em), (pointer: coarse) {
    mcp-file-drop::part(area) {
      padding: 0;
      border: 0;
    }

    .hint {
      display: none;
    }
  }

  /* One line: what the buttons say is more than the revision of the protocol. */
  @media (max-width: 61em) {
    .pill > span {
      display: none;
    }
  }

  @media (max-width: 53.75em) {
    .panes {
      grid-template-columns: minmax(0, 1fr);
    }

    .pane {
      border: 0;
    }

    .panes[data-first] > .preview {
      grid-column: auto;
    }

    .panes[data-pane='list'] > :not(.list),
    .panes[data-pane='preview'] > :not(.preview),
    .panes[data-pane='side'] > :not(.side) {
      display: none;
    }

    .top {
      gap: 0.4rem;
      padding-inline: 0.75rem;
    }

    .top .wide {
      display: none;
    }

    .top .data {
      inline-size: 2.1rem;
      padding: 0;
    }

    .starting {
      inset-block-end: 12rem;
      inset-inline: 0;
    }

    .notices {
      margin-inline: 0;
    }

    .tabs {
      display: grid;
      grid-template-columns: repeat(3, minmax(0, 1fr));
      border-block-start: 1px solid var(--_line);
    }

    .tabs button {
      min-block-size: 3rem;
      border: 0;
      border-radius: 0;
    }

    .tabs [aria-current='true'] {
      color: var(--_accent);
      font-weight: 600;
    }
  }

  /* There is no room for it, but it is the name of the page. */
  @media (max-width: 30em) {
    .brand > span {
      position: absolute;
      clip-path: inset(50%);
    }
  }

  /* Room for two: the list stays beside what is opened. */
  @media (min-width: 43.75em) and (max-width: 53.75em) {
    .panes {
      grid-template-columns: minmax(15rem, 2fr) minmax(0, 3fr);
    }

    .panes > .list.pane {
      display: grid;
      border-inline-end: 1px solid var(--_line);
    }

    .panes[data-pane='list'] > .preview {
      display: grid;
    }

    .starting {
      inset-block-end: 3.1rem;
      inset-inline-start: 40%;
    }

    .notices {
      margin-inline-start: 40%;
    }
  }

  /* As at 200 % zoom: the rows come first, and the buttons below them are scrolled to. */
  @media (max-height: 37em) {
    .list {
      grid-template-rows: max-content max-content max-content;
      align-content: start;
      overflow: auto;
    }
  }

  /* As at 400 %. */
  @media (max-height: 26.25em) {
    .top {
      min-block-size: 0;
      padding-block: 0.25rem;
    }

    .tabs button {
      min-block-size: 2.1rem;
    }
  }

  /* As with large text on a telephone: the icons stand above their words. */
  @media (max-width: 18em) {
    .tabs button {
      flex-direction: column;
      gap: 0;
      padding-inline: 0;
      font-size: 0.75rem;
    }
  }
`;
