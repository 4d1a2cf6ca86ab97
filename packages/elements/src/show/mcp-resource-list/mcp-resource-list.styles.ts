import { css } from 'lit';

// Comments about some rules, outside of what every page loads:
// - `.row`: two lines of text need 3 rem.
// - `.heading`: half of a row, as the window of rows expects it.
// - `.details`: the list has put the text together, in the language of the page.
// - `.updated .body::after`: a dot, also where colours are forced.
// - `[aria-activedescendant]`: one ring, on the row that the keyboard is at.
// - `:not(.brief)`: the whole title over the rows below, for the keyboard and after a tap.
export const styles = css`
  :host {
    display: block;
    block-size: 24rem;
    background: var(--_surface);
  }

  .frame {
    display: flex;
    flex-direction: column;
    block-size: 100%;
    overflow: auto;
  }

  .scroller {
    flex: 1;
    min-block-size: 50%;
    overflow: auto;
    outline-offset: -2px;
  }

  .row {
    position: relative;
    block-size: max(3rem, 3.375rem * var(--_density));
    cursor: pointer;
  }

  .heading {
    block-size: max(1.5rem, 1.6875rem * var(--_density));
    padding: 0.4rem 0.9rem;
    cursor: default;
  }

  .body {
    display: grid;
    grid-template-columns: auto minmax(0, 1fr);
    align-content: center;
    align-items: center;
    column-gap: 0.8rem;
    min-block-size: 100%;
    padding: 0.3rem 0.9rem;
    border-inline-start: 3px solid transparent;
    background: var(--_surface);
    line-height: 1.4;
  }

  .icon {
    grid-row: 1 / 3;
    color: var(--_muted);
  }

  .title {
    font-size: 0.9375rem;
  }

  .details {
    grid-column: -2;
    unicode-bidi: isolate;
  }

  .heading,
  .details {
    color: var(--_muted);
    font-size: 0.8125rem;
  }

  .row:hover .body {
    background: var(--_raised);
  }

  .updated .body {
    padding-inline-end: 2rem;
    background: var(--_updated);
  }

  .updated .body::after {
    position: absolute;
    inset-block-start: calc(50% - 0.25rem);
    inset-inline-end: 0.9rem;
    border: 0.25rem solid var(--_accent);
    border-radius: 50%;
    content: '';
  }

  .row[aria-selected='true'] .body {
    --_muted: var(--_on-selected);
    border-inline-start-color: var(--_accent);
    background: var(--_selected);
    color: var(--_on-selected);
  }

  .scroller[aria-activedescendant]:focus-visible {
    outline: none;
  }

  .scroller:focus-visible .active .body {
    outline: 2px solid var(--_accent);
    outline-offset: -2px;
  }

  .scroller:is(:focus-visible, .touch:focus):not(.brief) .active {
    z-index: 1;
    overflow-wrap: anywhere;
  }

  .scroller:is(:focus-visible, .touch:focus):not(.brief) .active .one-line {
    white-space: normal;
  }

  @media (forced-colors: active) {
    .body {
      border-color: Canvas;
    }

    .row[aria-selected='true'] .body {
      --_accent: HighlightText;
      --_updated: Highlight;
      forced-color-adjust: none;
    }
  }
`;
