import { css } from 'lit';

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
  }

  .scroller {
    position: relative;
    flex: 1;
    min-block-size: 0;
    overflow: auto;
    outline-offset: -2px;
  }

  .space {
    position: relative;
    inline-size: 100%;
  }

  .heading,
  .row {
    position: absolute;
    inset-inline: 0;
    inset-block-start: 0;
  }

  .heading {
    display: flex;
    align-items: end;
    padding: 0 0.9rem 0.2rem;
    color: var(--_muted);
    font-size: 0.8125rem;
  }

  .row {
    display: grid;
    grid-template-columns: auto 1fr auto;
    align-items: center;
    gap: 0.8rem;
    padding: 0 0.9rem;
    border-inline-start: 3px solid transparent;
    cursor: pointer;
  }

  .row > .icon {
    color: var(--_muted);
  }

  .row:hover {
    background: var(--_raised);
  }

  .row[aria-selected='true'] {
    border-inline-start-color: var(--_accent);
    background: var(--_selected);
  }

  .row.updated {
    background: var(--_updated);
  }

  /* One ring, on the row the keyboard is at. */
  .scroller[aria-activedescendant]:focus-visible {
    outline: none;
  }

  .scroller:focus-visible .row.active {
    outline: 2px solid var(--_accent);
    outline-offset: -2px;
  }

  .texts {
    min-inline-size: 0;
  }

  .title,
  .details {
    display: block;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }

  .title {
    font-size: 0.9375rem;
    unicode-bidi: plaintext;
    text-align: match-parent;
  }

  .details {
    color: var(--_muted);
    font-size: 0.8125rem;
  }

  .dot {
    inline-size: 0.5rem;
    block-size: 0.5rem;
    border-radius: 50%;
    background: var(--_accent);
  }

  .skeletons {
    display: grid;
    gap: 1.1rem;
    padding: 1.1rem 0.9rem;
  }

  .skeletons > .skeleton {
    block-size: 2.2rem;
  }

  .more {
    padding: 0.6rem;
    border-block-start: 1px solid var(--_line);
    color: var(--_muted);
    font-size: 0.8125rem;
    text-align: center;
  }

  .more[role='alert'] {
    color: var(--_danger);
  }

  @media (forced-colors: active) {
    .row[aria-selected='true'] {
      background: Highlight;
      color: HighlightText;
      forced-color-adjust: none;
    }
  }
`;
