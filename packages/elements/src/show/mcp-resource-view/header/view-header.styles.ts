import { css } from 'lit';

/** The styles of title, facts and actions above a resource. */
export const styles = css`
  .header {
    padding: 0.6rem 0.75rem 0.6rem 1.25rem;
    border-block-end: 1px solid var(--_line);
    background: var(--_surface);
  }

  .header:dir(rtl) {
    padding: 0.6rem 1.25rem 0.6rem 0.75rem;
  }

  .heading {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.25rem 0.75rem;
  }

  .heading > h2 {
    flex: 1 1 6rem;
    margin: 0;
    font-size: 1rem;
    line-height: 1.4;
  }

  .header .actions {
    display: flex;
    flex-wrap: wrap;
    gap: 0.25rem;
    margin-inline-start: auto;
  }

  .header .live[aria-pressed='true'] {
    color: var(--_accent);
  }

  .tabs {
    display: inline-flex;
    flex-wrap: wrap;
    padding: 2px;
    border-radius: var(--_radius);
    background: var(--_raised);
  }

  .tabs > button {
    padding: 0.1rem 0.7rem;
    border-color: transparent;
    background: none;
    color: var(--_muted);
    font-size: 0.8125rem;
  }

  .tabs > [aria-selected='true'] {
    border-color: var(--_line);
    background: var(--_surface);
    color: var(--_text);
  }

  .facts {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0 0.25rem;
    color: var(--_muted);
    font-size: 0.8125rem;
    font-variant-numeric: tabular-nums;
  }

  .facts summary {
    display: grid;
    place-items: center;
    inline-size: 1.5rem;
    min-inline-size: 24px;
    min-block-size: 24px;
    border-radius: var(--_radius);
    cursor: pointer;
  }

  .facts > details[open] {
    flex-basis: 100%;
  }

  .facts dl {
    display: grid;
    gap: 0.15rem;
    margin: 0.15rem 0 0.25rem;
  }

  .facts dl > div {
    display: flex;
    gap: 0.5em;
    min-inline-size: 0;
    overflow-wrap: anywhere;
  }

  .header dd {
    margin: 0;
    color: var(--_text);
  }

  @media (forced-colors: active) {
    /* Under the pointer, too. */
    .tabs > button[aria-selected='true'] {
      border-color: Highlight;
      background: Highlight;
      color: HighlightText;
      forced-color-adjust: none;
    }
  }
`;
