import { css } from 'lit';

/** What the dialogs of the demo have in common. */
export const dialogStyles = css`
  dialog {
    max-inline-size: none;
    max-block-size: calc(100dvh - 1.5rem);
    padding: 0;
    border: 1px solid var(--line);
    border-radius: 14px;
    background: var(--surface);
    color: var(--text);
    box-shadow: 0 12px 48px rgb(0 0 0 / 30%);
  }

  dialog::backdrop {
    background: rgb(0 0 0 / 45%);
  }

  h2 {
    margin: 0;
    font-size: 1.0625rem;
  }

  /* In the flow of the dialog, so as not to cover what is done in it. */
  ::slotted(*) {
    position: static;
    flex: none;
    max-block-size: 45dvh;
    overflow: auto;
  }
`;
