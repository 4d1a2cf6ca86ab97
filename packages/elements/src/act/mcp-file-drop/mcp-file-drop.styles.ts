import { css } from 'lit';

export const styles = css`
  :host {
    display: block;
  }

  .area {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    justify-content: center;
    gap: 0.5rem 0.75rem;
    padding: calc(1rem * var(--_density)) 0.9rem;
    border: 2px dashed var(--_field-line);
    border-radius: var(--_radius);
    background: var(--_surface);
    text-align: center;
  }

  .area > .icon {
    color: var(--_muted);
  }

  :host(:state(dragging)) .area {
    border-style: solid;
    border-color: var(--_accent);
    background: var(--_selected);
  }

  .words {
    color: var(--_muted);
  }

  :host(:state(dragging)) :is(.words, .area > .icon) {
    color: var(--_on-selected);
  }

  /* Nobody drops files with a finger. */
  @media (any-hover: none) {
    .area > .icon,
    .words {
      display: none;
    }
  }

  /* Over everything, and out of the way of what is dropped. */
  .veil {
    inset: 0;
    box-sizing: border-box;
    inline-size: 100%;
    block-size: 100%;
    border: 1rem solid transparent;
    background: color-mix(in srgb, var(--_surface) 94%, transparent);
    color: var(--_accent);
    outline: 3px dashed currentColor;
    outline-offset: -1rem;
    font-size: 1.25rem;
    font-weight: 600;
    pointer-events: none;
  }

  .veil:popover-open {
    display: grid;
    place-content: center;
    justify-items: center;
    gap: 0.6rem;
  }

  .batches {
    display: grid;
    gap: 0.5rem;
    margin: 0;
    padding: 0;
    list-style: none;
  }

  .batches:not(:empty) {
    margin-block-start: 0.6rem;
  }

  .batch {
    display: grid;
    grid-template-columns: minmax(0, 1fr) auto;
    gap: 0.25rem 0.75rem;
    align-items: center;
    padding: 0.5rem 0.8rem;
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
    font-size: 0.875rem;
  }

  .batch > .icon {
    color: var(--_success);
  }

  .saving {
    display: flex;
    gap: 0.25em;
    overflow: hidden;
  }

  /* Only the name is shortened, as long as there is room for the words. */
  .saving > .one-line:not(bdi) {
    flex: none;
    max-inline-size: 100%;
  }

  progress {
    grid-column: 1 / -1;
    inline-size: 100%;
    block-size: 0.4rem;
    accent-color: var(--_accent);
  }

  .actions {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5rem;
  }

  .asking {
    grid-column: 1 / -1;
    display: grid;
    gap: 0.5rem;
  }

  .details {
    grid-column: 1 / -1;
    overflow-wrap: anywhere;
  }

  summary {
    min-block-size: 24px;
    inline-size: fit-content;
    align-content: center;
    cursor: pointer;
  }

  .paths {
    max-block-size: 10rem;
    margin: 0;
    padding: 0;
    overflow: auto;
    color: var(--_muted);
    list-style: none;
  }

  .paths > li {
    overflow-wrap: anywhere;
  }

  .failed {
    color: var(--_danger);
  }

  .unread {
    margin-block: 0.6rem 0;
    font-size: 0.875rem;
    overflow-wrap: anywhere;
  }

  @media (forced-colors: active) {
    :host(:state(dragging)) :is(.area, .words) {
      forced-color-adjust: none;
    }
  }
`;
