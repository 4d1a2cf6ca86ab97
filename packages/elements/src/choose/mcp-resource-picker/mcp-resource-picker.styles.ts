import { css } from 'lit';

export const styles = css`
  :host {
    display: block;
    position: relative;
  }

  input {
    inline-size: 100%;
  }

  input:disabled {
    border-color: var(--_line);
    background: var(--_raised);
    color: var(--_muted);
    cursor: not-allowed;
  }

  .chips {
    display: flex;
    flex-wrap: wrap;
    gap: 0.4rem;
    margin: 0.5rem 0 0;
    padding: 0;
    list-style: none;
  }

  .chip {
    display: inline-flex;
    align-items: center;
    gap: 0.4rem;
    max-inline-size: 100%;
    min-inline-size: 0;
    padding: 0.1rem 0.15rem 0.1rem 0.5rem;
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
    background: var(--_raised);
    font-size: 0.875rem;
  }

  .chip:dir(rtl) {
    padding: 0.1rem 0.5rem 0.1rem 0.15rem;
  }

  .chip.automatic {
    border-style: dashed;
    border-color: var(--_field-line);
    background: var(--_surface);
  }

  .chip > .icon {
    color: var(--_muted);
  }

  .chip > .words {
    display: flex;
    flex-wrap: wrap;
    align-items: baseline;
    gap: 0 0.5rem;
    min-inline-size: 0;
  }

  .chip .title {
    max-inline-size: 16rem;
  }

  .tokens,
  .badge {
    flex: none;
    color: var(--_muted);
    font-size: 0.75rem;
  }

  .badge {
    color: var(--_accent);
  }

  .note {
    margin: 0.4rem 0 0;
    color: var(--_muted);
    font-size: 0.8125rem;
  }

  .missing {
    color: var(--_danger);
  }

  input[aria-invalid='true'] {
    border-color: var(--_danger);
  }

  .budget {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.2rem 0.7rem;
    margin-block-start: 0.6rem;
    color: var(--_muted);
    font-size: 0.8125rem;
  }

  .budget.over {
    color: var(--_danger);
  }

  .bar {
    flex: 1 1 8rem;
    block-size: 0.4rem;
    border-radius: 1rem;
    background: var(--_line);
    overflow: hidden;
  }

  .bar > span {
    display: block;
    block-size: 100%;
    border-radius: inherit;
    background: var(--_accent);
  }

  .over > .bar > span {
    background: var(--_danger);
  }

  .left-out {
    margin-block-start: 0.4rem;
    color: var(--_muted);
    font-size: 0.8125rem;
  }

  .left-out > summary {
    min-block-size: 24px;
    cursor: pointer;
  }

  .left-out > ul {
    margin: 0;
    padding: 0;
    list-style: none;
  }

  .left-out li {
    display: flex;
    align-items: center;
    gap: 0.6rem;
    max-inline-size: 30rem;
  }

  .left-out .title {
    flex: 1;
  }

  .popup .remark {
    flex: none;
  }

  .popup .message {
    padding-block: 1rem;
  }

  .popup .skeletons {
    inline-size: 16rem;
  }

  @media (forced-colors: active) {
    input:disabled,
    input:disabled::placeholder {
      border-color: GrayText;
      color: GrayText;
    }

    .options .row.active[aria-selected='true'] {
      outline-color: HighlightText;
    }

    .badge {
      color: inherit;
    }

    .bar {
      border: 1px solid CanvasText;
      background: Canvas;
    }

    .bar > span {
      background: Highlight;
      forced-color-adjust: none;
    }
  }
`;
