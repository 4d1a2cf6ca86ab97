import { css } from 'lit';

export const styles = css`
  form,
  .choice {
    display: grid;
    gap: 0.6rem;
    margin-block-start: 0.6rem;
    font-size: 0.875rem;
  }

  label {
    display: grid;
    gap: 0.2rem;
  }

  label.check {
    display: flex;
    align-items: center;
    gap: 0.5rem;
  }

  input:not([type='checkbox']) {
    box-sizing: border-box;
    inline-size: 100%;
    min-block-size: 2.1rem;
    padding-inline: 0.6rem;
    border: 1px solid var(--line);
    border-radius: 8px;
    background: var(--surface);
    color: inherit;
    font: inherit;
  }

  p {
    margin: 0;
  }

  .problem {
    color: var(--danger);
  }

  .buttons {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5rem;
  }
`;
