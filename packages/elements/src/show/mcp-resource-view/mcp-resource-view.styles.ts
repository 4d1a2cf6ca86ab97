import { css } from 'lit';

export const styles = css`
  :host {
    display: block;
    background: var(--_surface);
    overflow: auto;
  }

  /* On a low screen, it would leave no room for the resource. */
  @media (min-height: 30rem) {
    .top {
      position: sticky;
      inset-block-start: 0;
      z-index: 1;
    }
  }

  .remark {
    margin: 0;
    padding: 0.5rem 1.25rem;
    color: var(--_muted);
    font-size: 0.8125rem;
  }

  .remark:has(> button) {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.5rem 1rem;
    padding-block: 0.4rem;
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
