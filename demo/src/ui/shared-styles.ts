import { theme } from '@inpage-mcp/elements/classes';
import { css } from 'lit';

/** The styles that the demo's elements share: the look of the kit, and rules that the kit does not need. */
export const sharedStyles = [
  theme,
  css`
    :host {
      --warning-line: light-dark(#e3c25a, #7d6b1c);
      --failed: light-dark(#fdecea, #43211f);
      font-size: 0.9375rem;
    }

    h1,
    h2,
    h3,
    p {
      margin: 0;
    }

    h2,
    h3 {
      font-size: 0.9375rem;
    }

    button,
    a.button {
      min-block-size: 2.1rem;
      padding: 0.3rem 0.75rem;
      font-size: 0.875rem;
      white-space: nowrap;
    }

    button:disabled,
    button[aria-disabled='true'] {
      opacity: 0.5;
      cursor: default;
    }

    button.primary:hover:enabled {
      background: color-mix(in oklab, var(--_accent) 88%, var(--_text));
    }

    button.danger {
      color: var(--_danger);
    }

    /* What deletes at once, where a danger leads to a question. */
    button.deadly:enabled {
      border-color: transparent;
      background: var(--_danger);
      color: var(--_on-accent);
    }

    button.plain {
      border-color: transparent;
      background: none;
    }

    button.square {
      inline-size: 2.1rem;
      padding: 0;
    }

    /* A row of buttons. */
    .buttons {
      display: flex;
      flex-wrap: wrap;
      align-items: center;
      gap: 0.5rem;
    }

    input:not([type='checkbox']),
    select {
      min-block-size: 2.1rem;
    }

    /* A field below its name; a box before it. */
    label:has(> input, > select) {
      display: grid;
      gap: 0.2rem;
    }

    label.check:has(> input) {
      grid-template-columns: auto 1fr;
      align-items: center;
      gap: 0.5rem;
    }

    /* A place without content: a drawing, a sentence, and something to do. */
    .empty {
      display: grid;
      justify-items: center;
      gap: 0.75rem;
      max-inline-size: 22rem;
    }

    .empty > .icon {
      inline-size: 2.25rem;
      block-size: 2.25rem;
      color: var(--_muted);
    }

    .problem {
      color: var(--_danger);
      overflow-wrap: anywhere;
    }

    .muted {
      color: var(--_muted);
    }

    progress,
    meter {
      accent-color: var(--_accent);
    }
  `,
];
