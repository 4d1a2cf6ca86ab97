import { css } from 'lit';

/**
 * Two layers of tokens: pages set the public `--mcp-*`, the elements use the private `--_*`. Colours
 * follow `color-scheme`, which an element inherits from its page.
 */
export const theme = css`
  :host {
    --_text: var(--mcp-color-text, light-dark(#16181d, #eceef2));
    --_muted: var(--mcp-color-muted, light-dark(#565d6b, #a2a9b6));
    --_surface: var(--mcp-color-surface, light-dark(#ffffff, #16171c));
    --_raised: var(--mcp-color-raised, light-dark(#f4f5f7, #1f2127));
    --_line: var(--mcp-color-line, light-dark(#e2e5ea, #2d3038));
    --_accent: var(--mcp-color-accent, light-dark(#4338ca, #a5b4fc));
    --_on-accent: var(--mcp-color-on-accent, light-dark(#ffffff, #16171c));
    --_selected: var(--mcp-color-selected, light-dark(#ecedff, #26274d));
    --_updated: var(--mcp-color-updated, light-dark(#fff4cc, #453b0f));
    --_danger: var(--mcp-color-danger, light-dark(#b42318, #ffa49a));
    --_font: var(--mcp-font, system-ui, sans-serif);
    --_mono: var(--mcp-font-mono, ui-monospace, 'Cascadia Mono', Menlo, Consolas, monospace);
    --_radius: var(--mcp-radius, 8px);
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
    gap: 0.5em;
    padding: 0.45em 0.9em;
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
    background: var(--_surface);
    color: inherit;
    font: inherit;
    text-decoration: none;
    cursor: pointer;
  }

  button:hover,
  a.button:hover {
    background: var(--_raised);
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

  @keyframes pulse {
    50% {
      opacity: 0.45;
    }
  }

  .skeleton {
    border-radius: 4px;
    background: var(--_line);
    animation: pulse 1.4s ease-in-out infinite;
  }

  @media (prefers-reduced-motion: reduce) {
    *,
    *::before,
    *::after {
      animation: none !important;
      transition: none !important;
    }
  }
`;
