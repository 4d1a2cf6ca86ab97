import { css } from 'lit';

export const styles = css`
  :host {
    block-size: 24rem;
  }

  .row {
    block-size: calc(2.4rem * var(--_density));
    padding-inline: 0.9rem;
    font-size: 0.875rem;
  }

  .row.group {
    padding-block-start: 0.4rem;
  }

  .row.action {
    margin-inline-start: 0.9rem;
    border-inline-start: 2px solid var(--_line);
  }

  h3 {
    flex: 0 1 auto;
    margin: 0;
    font-size: inherit;
  }

  time {
    flex: none;
    color: var(--_muted);
    font-size: 0.8125rem;
    font-variant-numeric: tabular-nums;
  }

  .group > time {
    flex: 1 0 auto;
  }

  .group > button,
  .revert {
    flex: none;
    white-space: nowrap;
    padding-block: 0.1em;
    font-size: 0.8125rem;
  }

  .sentence {
    display: flex;
    flex: 1;
    min-inline-size: 0;
  }

  /* Its words may run the other way than the page. */
  .sentence > span {
    display: flex;
    min-inline-size: 0;
    overflow: hidden;
  }

  /* Only the name is shortened, as long as there is room for the words. */
  .sentence span.one-line {
    flex: none;
    max-inline-size: 100%;
    white-space: pre;
  }

  .outcome {
    flex: none;
    padding: 0.05em 0.6em;
    border: 1px solid currentColor;
    border-radius: 1em;
    color: var(--_muted);
    font-size: 0.75rem;
  }

  .outcome:is(.failed, .refused, .denied) {
    color: var(--_danger);
  }

  .revoked {
    flex: none;
    white-space: nowrap;
    color: var(--_muted);
    font-size: 0.8125rem;
  }

  .note.failed {
    color: var(--_danger);
  }

  @container (inline-size < 26rem) {
    .row {
      gap: 0.5rem;
    }

    .row.action {
      margin-inline-start: 0.5rem;
      padding-inline: 0.6rem;
    }

    /* The group has a time, too. */
    .action > time {
      display: none;
    }
  }
`;
