import { css } from 'lit';

export const styles = css`
  :host {
    display: contents;
  }

  dialog {
    inline-size: min(36rem, 100% - 1.5rem);
    max-block-size: calc(100dvb - 1.5rem);
    padding: 1.4rem 1.5rem;
    border: 1px solid var(--_line);
    border-radius: calc(1.5 * var(--_radius));
    background: var(--_surface);
    color: var(--_text);
    font-size: 0.9375rem;
    box-shadow: 0 1rem 3rem rgb(0 0 0 / 25%);
    overflow: auto;
    overscroll-behavior: contain;
  }

  dialog[open] {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 0.9rem;
  }

  dialog::backdrop {
    background: rgb(0 0 0 / 45%);
  }

  h2 {
    margin: 0;
    font-size: 1.15rem;
    line-height: 1.35;
  }

  h2:focus {
    outline: none;
  }

  .asker {
    display: grid;
    gap: 0.35rem;
    margin: 0;
    padding: 0.7rem 0.9rem;
    border-radius: var(--_radius);
    background: var(--_raised);
  }

  .asker > div {
    display: grid;
    grid-template-columns: minmax(5.5rem, auto) minmax(0, 1fr);
    gap: 0 0.9rem;
  }

  .asker dt {
    color: var(--_muted);
  }

  .asker dd {
    margin: 0;
    overflow-wrap: anywhere;
  }

  .asker code {
    display: inline-block;
    font-family: var(--_mono);
    font-size: 0.875rem;
  }

  .asker .origin {
    font-weight: 600;
  }

  .scroller {
    padding: 0.15rem 0;
  }

  .scroller[data-overflows] {
    padding: 0.6rem 0.8rem;
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
  }

  .words {
    font-size: 1rem;
  }

  .scroller:has(> .document) {
    padding: 0.8rem 0;
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
    font-size: inherit;
  }

  .document > .part {
    display: block;
    padding-inline: 1.9rem 0.9rem;
    text-decoration: none;
  }

  .document > .title {
    padding-inline-start: 0.9rem;
    font-size: 1rem;
    font-weight: 600;
  }

  .document > .title + .part {
    margin-block-start: 0.4rem;
  }

  .document > :is(.label, .skipped) {
    padding-inline-start: 0.9rem;
    color: var(--_muted);
    font-size: 0.8125rem;
  }

  .document > .label:not(:first-child) {
    margin-block-start: 0.5rem;
  }

  .document > :is(.added, .removed) {
    position: relative;
  }

  .document > .added {
    background: color-mix(in oklab, var(--_success) 14%, var(--_surface));
  }

  .document > .removed {
    background: color-mix(in oklab, var(--_danger) 12%, var(--_surface));
  }

  /* The sign that says it without colours; not a part of the text. */
  .document > :is(.added, .removed)::before {
    position: absolute;
    inset-inline-start: 0.9rem;
    font-weight: 700;
    content: '+' / '';
  }

  .document > .removed::before {
    content: '−' / '';
  }

  p.more,
  p.hint {
    margin: 0;
  }

  .buttons {
    justify-content: flex-end;
    margin-block-start: 0.3rem;
  }

  .buttons > .chosen {
    display: grid;
    align-content: center;
    margin-inline-end: auto;
  }

  .buttons > button {
    min-inline-size: 5rem;
  }

  .waiting {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    justify-content: space-between;
    gap: 0.5rem 1rem;
    margin: 0;
    padding-block-start: 0.9rem;
    border-block-start: 1px solid var(--_line);
    color: var(--_muted);
    font-size: 0.8125rem;
  }

  .waiting > button {
    color: var(--_text);
  }

  @media (max-width: 26rem) {
    .asker > div {
      grid-template-columns: minmax(0, 1fr);
    }

    /* On a telephone, question and answer should be in sight together. */
    dialog {
      padding: 1rem;
      font-size: 0.875rem;
    }

    dialog[open] {
      gap: 0.6rem;
    }

    .asker {
      padding-block: 0.5rem;
    }

    .words {
      font-size: 0.9375rem;
    }

    .buttons > .chosen {
      flex-basis: 100%;
    }

    .buttons > button {
      flex: 1 1 40%;
    }
  }
`;
