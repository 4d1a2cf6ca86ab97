import { css } from 'lit';

/** What the demo's elements have in common: its colours and its controls. */
export const sharedStyles = css`
  :host {
    --text: light-dark(#16181d, #eceef2);
    --muted: light-dark(#565d6b, #a2a9b6);
    --surface: light-dark(#ffffff, #16171c);
    --raised: light-dark(#f4f5f7, #1f2127);
    --line: light-dark(#e2e5ea, #2d3038);
    --accent: light-dark(#4338ca, #a5b4fc);
    --on-accent: light-dark(#ffffff, #16171c);
    --soft: light-dark(#ecedff, #26274d);
    --good: light-dark(#047857, #6ee7b7);
    --danger: light-dark(#b42318, #ffa49a);
    --warning: light-dark(#fff4cc, #453b0f);
    --warning-line: light-dark(#e3c25a, #7d6b1c);
    --failed: light-dark(#fdecea, #43211f);
    --mono: ui-monospace, 'Cascadia Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace;
    color: var(--text);
    font: 0.9375rem/1.5 var(--mcp-font);
  }

  *,
  *::before,
  *::after {
    box-sizing: border-box;
  }

  .icon {
    inline-size: 1.15em;
    block-size: 1.15em;
    flex: none;
  }

  button,
  a.button {
    display: inline-flex;
    align-items: center;
    justify-content: center;
    gap: 0.45rem;
    min-block-size: 2.1rem;
    padding: 0.3rem 0.75rem;
    border: 1px solid var(--line);
    border-radius: 8px;
    background: var(--surface);
    color: inherit;
    font: inherit;
    font-size: 0.875rem;
    text-decoration: none;
    white-space: nowrap;
    cursor: pointer;
  }

  button:hover:not(:disabled),
  a.button:hover {
    background: var(--raised);
  }

  button:disabled,
  button[aria-disabled='true'] {
    opacity: 0.5;
    cursor: default;
  }

  button.primary {
    border-color: transparent;
    background: var(--accent);
    color: var(--on-accent);
  }

  button.primary:hover:not(:disabled, [aria-disabled='true']) {
    background: color-mix(in oklab, var(--accent) 88%, var(--text));
  }

  button.danger {
    color: var(--danger);
  }

  /* What deletes at once, where a danger leads to a question. */
  button.deadly {
    border-color: transparent;
    background: var(--danger);
    color: var(--on-accent);
  }

  button.deadly:hover:not(:disabled) {
    background: color-mix(in oklab, var(--danger) 88%, var(--text));
  }

  button.plain {
    border-color: transparent;
    background: none;
  }

  button.square {
    inline-size: 2.1rem;
    padding: 0;
  }

  input:not([type='checkbox']),
  textarea,
  select {
    min-block-size: 2.1rem;
    padding: 0.25rem 0.6rem;
    border: 1px solid var(--line);
    border-radius: 8px;
    background: var(--surface);
    color: inherit;
    font: inherit;
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

  .problem {
    color: var(--danger);
    overflow-wrap: anywhere;
  }

  progress,
  meter {
    appearance: none;
    block-size: 0.5rem;
    border: 0;
    border-radius: 999px;
    background: var(--line);
  }

  progress::-webkit-progress-bar,
  meter::-webkit-meter-bar {
    block-size: 100%;
    border: 0;
    border-radius: 999px;
    background: var(--line);
  }

  progress::-webkit-progress-value,
  meter::-webkit-meter-optimum-value,
  meter::-webkit-meter-suboptimum-value {
    border-radius: 999px;
    background: var(--accent);
  }

  progress::-moz-progress-bar,
  meter::-moz-meter-bar {
    border-radius: 999px;
    background: var(--accent);
  }

  /* It moves on the element itself: the parts of a bar do not find the keyframes of this tree. */
  progress:indeterminate {
    background: linear-gradient(90deg, transparent 30%, var(--accent) 30% 70%, transparent 70%)
      var(--line);
    background-size: 60% 100%;
    animation: moving 1.2s linear infinite;
  }

  progress:indeterminate::-webkit-progress-bar,
  progress:indeterminate::-webkit-progress-value {
    background: none;
  }

  progress:indeterminate::-moz-progress-bar {
    background: none;
  }

  @keyframes moving {
    from {
      background-position-x: 0;
    }

    to {
      background-position-x: 150%;
    }
  }

  :focus-visible {
    outline: 2px solid var(--accent);
    outline-offset: 2px;
  }

  .muted {
    color: var(--muted);
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
