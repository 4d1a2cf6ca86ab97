import { css } from 'lit';

export const styles = css`
  .actions {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5rem;
  }

  .preview > .facts {
    margin: 0 0 0.5rem;
    color: var(--_muted);
    font-size: 0.8125rem;
  }

  .preview > ol {
    display: grid;
    gap: 0.6rem;
    margin: 0;
    padding: 0;
    list-style: none;
  }

  .turn {
    display: grid;
    gap: 0.3rem;
    justify-items: start;
    min-inline-size: 0;
    padding: 0.6rem 0.8rem;
    border: 1px solid var(--_line);
    border-inline-start: 3px solid var(--_accent);
    border-radius: var(--_radius);
    background: var(--_surface);
  }

  .turn.assistant {
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

  .source {
    display: flex;
    align-items: center;
    gap: 0.4rem;
    min-inline-size: 0;
    max-inline-size: 100%;
    color: var(--_muted);
    font-family: var(--_mono);
    font-size: 0.8125rem;
  }

  .turn pre {
    max-inline-size: 100%;
    margin: 0;
    font-family: inherit;
    white-space: pre-wrap;
    overflow-wrap: anywhere;
    text-align: start;
  }

  .turn img {
    max-inline-size: 100%;
    max-block-size: 16rem;
    border-radius: 4px;
    object-fit: contain;
  }

  .turn .skeleton {
    inline-size: 8rem;
    block-size: 5rem;
  }

  .turn .file {
    display: flex;
    align-items: center;
    gap: 0.5rem;
    min-inline-size: 0;
    color: var(--_muted);
    overflow-wrap: anywhere;
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
    .turn.assistant {
      border-inline-start-color: CanvasText;
    }
  }
`;
