import { css } from 'lit';

/**
 * Two layers of tokens: pages set the public `--mcp-*`, the elements use the private `--_*`. Colours
 * follow `color-scheme`, which an element inherits from its page. In forced colours, the tokens are
 * the user's system colours; a selected part needs `forced-color-adjust: none`.
 */
export const theme = css`
  :host {
    --_text: var(--mcp-color-text, light-dark(#16181d, #eceef2));
    --_muted: var(--mcp-color-muted, light-dark(#565d6b, #a2a9b6));
    --_surface: var(--mcp-color-surface, light-dark(#ffffff, #16171c));
    --_raised: var(--mcp-color-raised, light-dark(#f4f5f7, #1f2127));
    --_line: var(--mcp-color-line, light-dark(#e2e5ea, #2d3038));
    --_field-line: var(--mcp-color-field-line, light-dark(#868d9b, #737a88));
    --_accent: var(--mcp-color-accent, light-dark(#4338ca, #a5b4fc));
    --_on-accent: var(--mcp-color-on-accent, light-dark(#ffffff, #16171c));
    --_selected: var(--mcp-color-selected, light-dark(#ecedff, #26274d));
    --_on-selected: var(--mcp-color-on-selected, var(--_text));
    --_updated: var(--mcp-color-updated, light-dark(#fff4cc, #453b0f));
    --_danger: var(--mcp-color-danger, light-dark(#b42318, #ffa49a));
    --_success: var(--mcp-color-success, light-dark(#116b3c, #7fd8a6));
    --_font: var(--mcp-font, system-ui, sans-serif);
    --_mono: var(--mcp-font-mono, ui-monospace, Menlo, Consolas, monospace);
    --_radius: var(--mcp-radius, 8px);
    /* A factor for paddings and heights of rows. */
    --_density: var(--mcp-density, 1);
    color: var(--_text);
    font-family: var(--_font);
    line-height: 1.5;
  }

  :host([hidden]) {
    display: none !important;
  }

  *,
  *::before,
  *::after {
    box-sizing: border-box;
  }

  .icon {
    inline-size: 1.25em;
    block-size: 1.25em;
    flex: none;
  }

  button,
  a.button {
    display: inline-flex;
    align-items: center;
    justify-content: center;
    gap: 0.5em;
    min-inline-size: 24px;
    min-block-size: 24px;
    padding: calc(0.4em * var(--_density)) 0.9em;
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
    background: var(--_surface);
    color: inherit;
    font: inherit;
    text-decoration: none;
    cursor: pointer;
  }

  button.primary:enabled {
    border-color: var(--_accent);
    background: var(--_accent);
    color: var(--_on-accent);
  }

  /* A button that is only an icon. */
  button.quiet {
    padding: calc(0.3em * var(--_density));
    border-color: transparent;
    background: none;
  }

  button:hover:not(:disabled, .primary),
  a.button:hover {
    background: var(--_raised);
  }

  button:disabled {
    color: var(--_muted);
    cursor: default;
  }

  input:not([type='checkbox'], [type='radio']),
  select,
  textarea {
    min-block-size: 24px;
    max-inline-size: 100%;
    padding: calc(0.4em * var(--_density)) 0.6em;
    border: 1px solid var(--_field-line);
    border-radius: var(--_radius);
    background: var(--_surface);
    color: inherit;
    font: inherit;
  }

  input::placeholder,
  textarea::placeholder {
    color: var(--_muted);
    opacity: 1;
  }

  :focus-visible {
    outline: 2px solid var(--_accent);
    outline-offset: 2px;
  }

  .visually-hidden {
    position: absolute;
    inline-size: 1px;
    block-size: 1px;
    margin: -1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }

  .message {
    display: grid;
    justify-items: center;
    gap: 0.75rem;
    padding: 2rem 1.25rem;
    color: var(--_muted);
    text-align: center;
    overflow-wrap: anywhere;
  }

  .message[role='alert'] {
    color: var(--_danger);
  }

  .remark {
    margin: 0;
    padding: 0.4rem 0.9rem;
    background: var(--_raised);
    color: var(--_muted);
    font-size: 0.8125rem;
  }

  /* Text of a server in its own direction; an ellipsis where it is too long. */
  .one-line {
    display: block;
    min-inline-size: 0;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
    unicode-bidi: plaintext;
    text-align: left;
  }

  /* At the side where the element begins, whatever the direction of the text. */
  .one-line:dir(rtl) {
    text-align: right;
  }

  @keyframes pulse {
    50% {
      opacity: 0.45;
    }
  }

  .skeletons {
    display: grid;
    gap: 1.1rem;
    padding: 1.1rem;
  }

  .skeleton {
    block-size: 1rem;
    border-radius: 4px;
    background: var(--_line);
    animation: pulse 1.4s infinite;
  }

  @media (prefers-reduced-motion: reduce) {
    *,
    *::before,
    *::after {
      animation: none !important;
      transition: none !important;
    }
  }

  @media (prefers-contrast: more) {
    :host {
      --_muted: var(--_text);
      --_line: var(--_text);
      --_field-line: var(--_text);
    }
  }

  @media (forced-colors: active) {
    :host {
      --_text: CanvasText;
      --_muted: CanvasText;
      --_surface: Canvas;
      --_raised: Canvas;
      --_line: ButtonBorder;
      --_field-line: ButtonBorder;
      --_accent: Highlight;
      --_on-accent: HighlightText;
      --_selected: Highlight;
      --_on-selected: HighlightText;
      /* What is updated needs a mark besides this colour: text on Mark gets a backplate. */
      --_updated: Canvas;
      --_danger: CanvasText;
      --_success: CanvasText;
    }

    /* The browser would draw the colour of the page behind the text. */
    button.primary:enabled {
      forced-color-adjust: none;
    }

    button:disabled {
      color: GrayText;
    }
  }
`;
