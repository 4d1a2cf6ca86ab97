import { css, type CSSResultGroup } from 'lit';
import { rowStyles } from './row-window.js';

/** The styles of a pane: a bar of filters above a list that scrolls, and a note below it. */
export const paneStyles: CSSResultGroup = [
  rowStyles,
  css`
    :host {
      display: block;
      min-inline-size: 0;
      background: var(--_surface);
      container-type: inline-size;
    }

    .frame {
      display: flex;
      flex-direction: column;
      block-size: 100%;
    }

    .bar {
      display: flex;
      flex-wrap: wrap;
      align-items: center;
      gap: 0.4rem 0.5rem;
      padding: 0.5rem 0.75rem;
      border-block-end: 1px solid var(--_line);
      font-size: 0.8125rem;
    }

    .bar select {
      flex: 0 1 auto;
      min-inline-size: 0;
      max-inline-size: 16rem;
      text-overflow: ellipsis;
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
      padding-inline: 0.75rem;
    }

    .note {
      margin: 0;
      padding: 0.35rem 0.75rem;
      background: var(--_raised);
      font-size: 0.8125rem;
      overflow-wrap: anywhere;
    }

    .note:empty {
      padding: 0;
    }
  `,
];
