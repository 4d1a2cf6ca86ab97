import { css } from 'lit';

export const styles = css`
  section {
    display: flex;
    align-items: center;
    gap: 0.5rem 1.5rem;
    padding: 0.8rem 1rem;
    background: var(--soft);
  }

  .words {
    flex: 1 1 26rem;
  }

  h2 {
    margin: 0;
    font-size: clamp(1.05rem, 0.8rem + 1vw, 1.6rem);
    line-height: 1.25;
    letter-spacing: -0.01em;
  }

  p {
    max-inline-size: 44rem;
    margin: 0.2rem 0 0;
    font-size: 0.875rem;
  }

  .links {
    display: flex;
    flex-wrap: wrap;
    gap: 0.2rem 1rem;
  }

  .links a {
    color: var(--accent);
  }

  ol {
    display: grid;
    flex: 0 1 auto;
    grid-template-columns: repeat(2, auto);
    gap: 0.1rem 0.6rem;
    margin: 0;
    padding: 0;
    list-style: none;
    counter-reset: step;
  }

  li button {
    justify-content: start;
    inline-size: 100%;
    min-block-size: 1.9rem;
    padding: 0.1rem 0.5rem;
    text-align: start;
    white-space: normal;
  }

  .mark {
    display: inline-grid;
    flex: none;
    place-items: center;
    inline-size: 1.35rem;
    block-size: 1.35rem;
    border: 1.5px solid var(--accent);
    border-radius: 999px;
    color: var(--accent);
    font-size: 0.75rem;
    font-weight: 700;
  }

  li {
    counter-increment: step;
  }

  li:not(.done) .mark::before {
    content: counter(step);
  }

  .done .mark {
    border-color: transparent;
    background: var(--good);
    color: var(--on-accent);
  }

  .hidden {
    position: absolute;
    overflow: hidden;
    inline-size: 1px;
    block-size: 1px;
    clip-path: inset(50%);
  }

  .close {
    align-self: start;
  }

  @media (max-width: 53.75em), (max-height: 30em) {
    section {
      gap: 0.5rem;
      padding: 0.35rem 0.75rem;
    }

    .words {
      flex: 1;
    }

    h2 {
      font-size: 0.9375rem;
    }

    p,
    .links,
    ol {
      display: none;
    }
  }

  @media (max-height: 26.25em) {
    section {
      display: none;
    }
  }
`;
