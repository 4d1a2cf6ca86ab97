import { css } from 'lit';

/** Changed lines, and the bar that says who has changed them. */
export const styles = css`
  ::highlight(mcp-changed) {
    background-color: var(--_updated);
    color: inherit;
  }

  ::highlight(mcp-changed-removed) {
    text-decoration: underline dashed 2px var(--_danger);
  }

  .changes {
    display: flex;
    align-items: center;
    gap: 0.25rem;
    padding-block: 0.3rem;
    padding-inline: 1.25rem 0.75rem;
    border-block-end: 1px solid var(--_line);
    background: var(--_updated);
    font-size: 0.8125rem;
  }

  .changes > .what {
    flex: 1;
    min-inline-size: 10rem;
    overflow-wrap: anywhere;
  }

  .changes button:hover:not(:disabled) {
    background: var(--_surface);
  }

  @media (forced-colors: active) {
    .changes {
      background: Canvas;
    }

    ::highlight(mcp-changed) {
      background-color: Mark;
      color: MarkText;
    }
  }
`;
