import { css } from 'lit';

/** The styles that all dialogs of the demo share. */
export const dialogStyles = css`
  dialog {
    max-inline-size: none;
    max-block-size: calc(100dvh - 1.5rem);
    padding: 0;
    overflow: auto;
    border: 1px solid var(--_line);
    border-radius: 14px;
    background: var(--_surface);
    color: var(--_text);
    box-shadow: 0 12px 48px rgb(0 0 0 / 30%);
  }

  dialog::backdrop {
    background: rgb(0 0 0 / 45%);
  }

  .head {
    display: flex;
    align-items: center;
    gap: 0.6rem;
    padding: 0.8rem 0.8rem 0.8rem 1.25rem;
    border-block-end: 1px solid var(--_line);
  }

  h2 {
    flex: 1;
    font-size: 1.0625rem;
  }

  .answers {
    display: flex;
    flex-wrap: wrap;
    justify-content: flex-end;
    gap: 0.5rem;
  }

  /* In the flow of the dialog, so as not to cover what is done in it. */
  ::slotted(*) {
    position: static;
    flex: none;
    max-block-size: 45dvh;
    overflow: auto;
  }
`;
