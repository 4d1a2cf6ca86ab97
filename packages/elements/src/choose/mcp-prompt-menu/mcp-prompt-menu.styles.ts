import { css } from 'lit';

export const styles = css`
  .actions {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5rem;
  }

  .preview > .facts {
    margin-block-end: 0.5rem;
  }

  .preview > ol {
    display: grid;
    gap: 0.6rem;
    margin: 0;
    padding: 0;
    list-style: none;
  }

  .block {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 0.3rem;
    border-inline-start: 3px solid var(--_accent);
  }

  .block.assistant {
    border-inline-start-color: var(--_field-line);
    background: var(--_raised);
  }

  .from {
    display: flex;
    flex-wrap: wrap;
    justify-content: space-between;
    gap: 0 0.8rem;
    inline-size: 100%;
    color: var(--_muted);
    font-size: 0.8125rem;
  }

  .from > strong {
    color: var(--_text);
  }

  .options .end {
    font-family: var(--_mono);
  }

  @container (max-width: 26rem) {
    .options .end {
      display: none;
    }
  }

  .chooser,
  .popup.commands {
    container-type: inline-size;
  }

  @media (forced-colors: active) {
    .block.assistant {
      border-inline-start-color: CanvasText;
    }
  }
`;
