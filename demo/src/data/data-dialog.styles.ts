import { css } from 'lit';

export const styles = css`
  dialog {
    flex-direction: column;
    inline-size: min(34rem, calc(100vw - 1.5rem));
  }

  dialog[open] {
    display: flex;
  }

  .body {
    overflow: auto;
    overflow-wrap: anywhere;
  }

  .start {
    padding: 1rem 1.25rem;
  }
`;
