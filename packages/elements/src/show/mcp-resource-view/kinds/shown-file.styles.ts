import { css } from 'lit';

/** Images and downloads. */
export const styles = css`
  .one > :is(.image, .download) {
    padding-block: 1.1rem;
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

  .download > .actions {
    display: flex;
    flex-wrap: wrap;
    justify-content: center;
    gap: 0.5rem;
  }

  .facts {
    color: var(--_muted);
    font-size: 0.875rem;
  }
`;
