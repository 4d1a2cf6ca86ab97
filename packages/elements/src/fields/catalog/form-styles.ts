import { css } from 'lit';

/** The styles of a form that stands for one entry of a server. */
export const formStyles = css`
  :host {
    display: block;
  }

  form {
    display: grid;
    gap: 0.9rem;
  }

  .heading {
    display: flex;
    align-items: center;
    gap: 0.4rem;
    min-inline-size: 0;
    font-size: 1.0625rem;
  }

  form + .remark {
    margin-block-start: 0.9rem;
  }

  .about {
    inline-size: fit-content;
    margin: 0;
    color: var(--_muted);
    overflow-wrap: anywhere;
    unicode-bidi: plaintext;
    text-align: start;
  }

  .result {
    display: grid;
    gap: 0.2rem;
    min-inline-size: 0;
  }

  .result > .label {
    color: var(--_muted);
    font-size: 0.8125rem;
  }

  output {
    display: block;
    min-block-size: 2.2em;
    padding: 0.4em 0.6em;
    border-radius: var(--_radius);
    background: var(--_raised);
    font-family: var(--_mono);
    font-size: 0.875rem;
    overflow-wrap: anywhere;
    text-align: start;
  }

  @media (forced-colors: active) {
    output {
      border: 1px solid CanvasText;
    }
  }
`;
