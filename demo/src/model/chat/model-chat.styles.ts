import { css } from 'lit';

/** What the chat with a model has beside that of the script. */
export const modelStyles = css`
  .assistant {
    white-space: pre-wrap;
  }

  .call {
    max-inline-size: 100%;
  }

  summary {
    cursor: pointer;
  }

  pre {
    max-block-size: 12rem;
    margin: 0.3rem 0;
    padding: 0.4rem 0.6rem;
    overflow: auto;
    border-radius: 6px;
    background: var(--_raised);
    font-size: inherit;
    overflow-wrap: anywhere;
    white-space: pre-wrap;
  }

  .cost,
  .notice,
  .total {
    color: var(--_muted);
    font-size: 0.8125rem;
  }

  .failure {
    padding: 0.35rem 0.7rem;
    border-inline-start: 3px solid light-dark(#b42318, #ffa49a);
    background: var(--_raised);
  }
`;
