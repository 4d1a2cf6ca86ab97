import { css } from 'lit';

export const styles = css`
  :host {
    display: block;
    background: var(--_surface);
    font-size: 0.9375rem;
    overflow: auto;
  }

  .body {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 1.25rem;
    max-inline-size: 46rem;
    padding: 1.1rem 1.25rem 1.5rem;
  }

  form {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 1.25rem;
  }

  form.away {
    display: none;
  }

  /* A large form that comes back keeps its layout: without, hundreds of fields block the page. */
  @supports (content-visibility: hidden) {
    form.away {
      display: grid;
      block-size: 0;
      margin-block-end: -1.25rem;
      content-visibility: hidden;
    }
  }

  h3 {
    display: flex;
    gap: 0.5em;
    margin: 0;
    font-size: 1.05rem;
    line-height: 1.35;
    overflow-wrap: anywhere;
  }

  .title-line {
    display: flex;
    align-items: center;
    gap: 0.4rem;
  }

  h3 > .icon {
    margin-block-start: 0.05em;
  }

  h3:focus-visible {
    outline-offset: 4px;
  }

  .tool > .name {
    color: var(--_muted);
    font-family: var(--_mono);
    font-size: 0.8125rem;
    overflow-wrap: anywhere;
  }

  .about {
    margin: 0.6rem 0 0;
    overflow-wrap: anywhere;
    white-space: pre-line;
    inline-size: fit-content;
    unicode-bidi: plaintext;
    text-align: start;
  }

  .effects {
    display: flex;
    flex-wrap: wrap;
    gap: 0.4rem;
    margin: 0.8rem 0 0.3rem;
    padding: 0;
    list-style: none;
  }

  .effects > li {
    padding: 0.15rem 0.6rem;
    border: 1px solid var(--_line);
    border-radius: 1rem;
    background: var(--_raised);
    font-size: 0.8125rem;
  }

  button.danger {
    --_accent: var(--_danger);
    --_on-accent: var(--_surface);
  }

  .confirmation {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 0.8rem;
    padding: 1rem 1.1rem;
    border: 1px solid var(--_danger);
    border-radius: var(--_radius);
  }

  .confirmation > p {
    margin: 0;
  }

  .confirmation > h3 > .icon {
    color: var(--_danger);
  }

  .json {
    max-block-size: 24rem;
    padding: 0.7rem 0.9rem;
    border-radius: var(--_radius);
    background: var(--_raised);
    font-family: var(--_mono);
    font-size: 0.8125rem;
    overflow: auto;
  }

  .running {
    display: grid;
    justify-items: start;
    gap: 0.5rem;
  }

  .running > progress {
    inline-size: 100%;
    block-size: 0.6rem;
    accent-color: var(--_accent);
  }

  .progress-text {
    display: flex;
    flex-wrap: wrap;
    justify-content: space-between;
    gap: 0.2rem 1rem;
    inline-size: 100%;
    min-block-size: 1lh;
    margin: 0;
    font-variant-numeric: tabular-nums;
    overflow-wrap: anywhere;
  }

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
