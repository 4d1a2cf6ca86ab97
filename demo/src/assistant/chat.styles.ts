import { css } from 'lit';

export const styles = css`
  :host {
    display: flex;
    flex-direction: column;
    block-size: 100dvh;
    background: var(--_surface);
    font-size: 0.875rem;
  }

  header {
    padding: 0.7rem 0.9rem;
    border-block-end: 1px solid var(--_line);
  }

  /* The card around the frame shows the name. */
  h1 {
    position: absolute;
    clip-path: inset(50%);
    font-size: inherit;
  }

  header p {
    color: var(--_muted);
    font-size: 0.8125rem;
  }

  header .sees {
    margin-block-start: 0.4rem;
    color: inherit;
  }

  /* The talk has the room that there is. */
  @media (max-height: 30rem) {
    header {
      padding-block: 0.4rem;
    }

    header .twice {
      display: none;
    }

    header .sees {
      margin: 0;
    }
  }

  .title {
    display: inline-block;
    max-inline-size: 12rem;
    margin: 0.1rem 0.1rem 0.1rem 0;
    padding-inline: 0.45rem;
    overflow: hidden;
    border-radius: 999px;
    background: var(--_selected);
    text-overflow: ellipsis;
    unicode-bidi: plaintext;
    vertical-align: bottom;
    white-space: nowrap;
  }

  ol {
    display: flex;
    flex: 1;
    flex-direction: column;
    gap: 0.5rem;
    min-block-size: 0;
    margin: 0;
    padding: 0.8rem 0.9rem;
    overflow: auto;
    list-style: none;
  }

  li {
    max-inline-size: 92%;
    overflow-wrap: anywhere;
    unicode-bidi: plaintext;
  }

  .user {
    align-self: end;
    padding: 0.35rem 0.7rem;
    border-radius: 12px 12px 3px 12px;
    background: var(--_accent);
    color: var(--_on-accent);
  }

  @media (forced-colors: active) {
    .user,
    .title {
      color: HighlightText;
      forced-color-adjust: none;
    }
  }

  .assistant {
    padding: 0.35rem 0.7rem;
    border-radius: 12px 12px 12px 3px;
    background: var(--_raised);
  }

  .call {
    color: var(--_muted);
    font-size: 0.75rem;
  }

  .app {
    align-self: stretch;
    max-inline-size: none;
  }

  mcp-app::part(frame) {
    block-size: 22rem;
  }

  figure {
    margin: 0;
    padding: 0.35rem 0.7rem;
    border-inline-start: 3px solid var(--_accent);
    background: var(--_raised);
  }

  blockquote {
    margin: 0;
    white-space: pre-wrap;
  }

  figcaption {
    color: var(--_muted);
    font-size: 0.8125rem;
  }

  .asking {
    display: grid;
    gap: 0.5rem;
    padding: 0.6rem 0.9rem 0.8rem;
    border-block-start: 1px solid var(--_line);
  }

  .suggestions {
    display: flex;
    gap: 0.35rem;
    /* In one line, so that there is room for the chat. */
    margin-inline: -0.9rem;
    padding: 3px 0.9rem;
    overflow: auto hidden;
    scrollbar-width: none;
  }

  /* Where there is room for the talk as well. */
  @media (min-height: 30rem) {
    .suggestions.all {
      flex-wrap: wrap;
    }
  }

  .question {
    display: grid;
    grid-template-columns: minmax(0, 1fr) auto;
    gap: 0.4rem;
  }

  .suggestions button {
    flex: none;
    min-block-size: 1.8rem;
    border-radius: 999px;
    font-size: 0.8125rem;
  }
`;
