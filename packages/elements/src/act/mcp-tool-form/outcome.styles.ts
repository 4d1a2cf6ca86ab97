import { css } from 'lit';

/** The styles of the end of a call; after those of the form. */
export const outcomeStyles = css`
  .outcome {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 0.8rem;
    padding-block-start: 1.25rem;
    border-block-start: 1px solid var(--_line);
  }

  .outcome > .message {
    justify-items: start;
    padding: 0;
    text-align: start;
  }

  h3.bad {
    color: var(--_danger);
  }

  h3.good > .icon {
    color: var(--_success);
  }

  .block {
    padding: 0.7rem 0.9rem;
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
    overflow: hidden;
    content-visibility: auto;
    contain-intrinsic-block-size: auto 6rem;
  }

  .block > .facts {
    margin-block-end: 0.3rem;
  }

  .block > img {
    display: block;
    max-inline-size: 100%;
    max-block-size: 70vh;
    margin-inline: auto;
    border-radius: 4px;
    background: repeating-conic-gradient(var(--_raised) 0 25%, var(--_surface) 0 50%) 0 / 20px 20px;
  }

  .block > audio {
    display: block;
    inline-size: 100%;
  }

  .file,
  button.link {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.7rem;
  }

  button.link {
    flex-wrap: nowrap;
    justify-content: flex-start;
    padding: 0.6rem 0.9rem;
    text-align: start;
  }

  button.link:dir(rtl) > .icon:last-child {
    scale: -1 1;
  }

  .names {
    display: grid;
    flex: 1;
    min-inline-size: 8rem;
    overflow-wrap: anywhere;
  }

  .file > .icon,
  button.link > .icon {
    color: var(--_muted);
  }

  summary {
    min-block-size: 24px;
  }

  .structured > summary {
    inline-size: fit-content;
    color: var(--_muted);
    cursor: pointer;
  }

  .structured > .json {
    margin-block-start: 0.4rem;
  }

  @media (forced-colors: active) {
    h3.bad {
      text-decoration: underline;
    }
  }
`;
