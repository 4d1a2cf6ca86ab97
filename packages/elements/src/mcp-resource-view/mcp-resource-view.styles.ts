import { css } from 'lit';

export const styles = css`
  :host {
    display: block;
    background: var(--_surface);
    overflow: auto;
  }

  .text {
    margin: 0;
    padding: 1.1rem 1.25rem;
    font-family: var(--_font);
    font-size: 0.9375rem;
    white-space: pre-wrap;
    overflow-wrap: anywhere;
    unicode-bidi: plaintext;
    text-align: start;
    tab-size: 4;
  }

  .text.code {
    font-family: var(--_mono);
    font-size: 0.8125rem;
  }

  .image {
    display: grid;
    place-items: center;
    margin: 0;
    padding: 1.25rem;
  }

  .image > img {
    max-inline-size: 100%;
    border-radius: var(--_radius);
    background: repeating-conic-gradient(var(--_raised) 0 25%, var(--_surface) 0 50%) 0 / 20px 20px;
  }

  .download {
    display: grid;
    justify-items: center;
    gap: 0.75rem;
    padding: 3rem 1.25rem;
    text-align: center;
    overflow-wrap: anywhere;
  }

  .download > .icon {
    inline-size: 2.5rem;
    block-size: 2.5rem;
    color: var(--_muted);
  }

  .facts {
    color: var(--_muted);
    font-size: 0.875rem;
  }

  .skeletons {
    display: grid;
    gap: 0.8rem;
    padding: 1.25rem;
  }

  .skeletons > .skeleton {
    block-size: 1rem;
  }

  .skeletons > .skeleton:first-of-type {
    inline-size: 40%;
    block-size: 1.6rem;
  }
`;
