import { css } from 'lit';

/** Changed words, and the bar that leads to them. */
export const styles = css`
  ::highlight(mcp-changed) {
    background-color: var(--_updated);
    color: inherit;
    text-decoration: underline 2px;
  }

  ::highlight(mcp-changed-removed) {
    text-decoration: underline dashed 2px var(--_danger);
  }

  ::highlight(mcp-changed-current) {
    background-color: var(--_accent);
    color: var(--_on-accent);
  }

  .changes {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.25rem;
    padding: 0.3rem 0.75rem 0.3rem 1.25rem;
    border-block-end: 1px solid var(--_line);
    background: var(--_updated);
    font-size: 0.8125rem;
  }

  .changes:dir(rtl) {
    padding: 0.3rem 1.25rem 0.3rem 0.75rem;
  }

  .changes > .what {
    flex: 1;
    min-inline-size: 10rem;
    overflow-wrap: anywhere;
  }

  .changes .position {
    margin-inline: 0.5em;
    font-variant-numeric: tabular-nums;
  }

  .changes ins {
    text-decoration: none;
    font-weight: 600;
  }

  .changes button:hover:not(:disabled) {
    background: var(--_surface);
  }

  .changes > .previous > .icon {
    transform: rotate(-90deg);
  }

  .changes > .next > .icon {
    transform: rotate(90deg);
  }

  @media (forced-colors: active) {
    .changes {
      background: Canvas;
    }

    ::highlight(mcp-changed) {
      background-color: Mark;
      color: MarkText;
    }

    ::highlight(mcp-changed-current) {
      background-color: Highlight;
      color: HighlightText;
    }
  }
`;
