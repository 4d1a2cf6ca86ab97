import { css } from 'lit';

export const styles = css`
  :host {
    display: block;
    min-inline-size: 0;
    font-size: 0.875rem;
  }

  p,
  h3,
  ul {
    margin: 0;
    padding: 0;
  }

  h3 {
    font-size: 0.9375rem;
  }

  :is(.state, .words, h3):focus {
    outline: none;
  }

  .muted {
    color: var(--_muted);
    font-size: 0.8125rem;
  }

  .muted:empty {
    display: none;
  }

  .words {
    max-inline-size: 40rem;
    color: var(--_muted);
  }

  .summary,
  .buttons,
  .copy,
  li {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.5rem 0.75rem;
  }

  /* The host page may let words break anywhere. */
  button {
    overflow-wrap: normal;
  }

  .about {
    flex: 1 1 10rem;
    min-inline-size: 0;
  }

  .mark {
    display: flex;
    font-size: 1.25rem;
    color: var(--_muted);
  }

  .mark.idle {
    color: var(--_success);
  }

  .mark:is(.waiting, .locked),
  .problem {
    color: var(--_danger);
  }

  @keyframes turn {
    to {
      rotate: 1turn;
    }
  }

  :is(.mark.syncing, .turning) .icon {
    animation: turn 1.2s linear infinite;
  }

  .turning {
    display: flex;
  }

  .state {
    font-size: 1rem;
    font-weight: 600;
  }

  .remark {
    margin-block-start: 0.5rem;
    border-radius: var(--_radius);
  }

  section,
  form {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    justify-items: start;
    gap: 0.75rem;
    margin-block-start: 1.25rem;
  }

  li > form,
  section > form,
  section.code {
    inline-size: 100%;
    margin-block-start: 0;
    padding: 0.9rem;
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
    background: var(--_raised);
  }

  section.code {
    margin-block-start: 1.25rem;
  }

  form > .field {
    inline-size: 100%;
    max-inline-size: 28rem;
  }

  .secret {
    display: flex;
    gap: 0.5rem;
    inline-size: 100%;
  }

  .problem {
    display: flex;
    gap: 0.4em;
    margin-block-start: 0.25rem;
    overflow-wrap: anywhere;
  }

  button[aria-disabled='true'],
  button.primary[aria-disabled='true'] {
    border-color: var(--_line);
    background: var(--_raised);
    color: var(--_muted);
    cursor: default;
  }

  ul {
    inline-size: 100%;
    max-block-size: 30rem;
    overflow: auto;
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
    list-style: none;
  }

  li {
    padding: 0.5rem 0.75rem;
  }

  li + li {
    border-block-start: 1px solid var(--_line);
  }

  code {
    padding: 0.5rem 0.75rem;
    border: 1px dashed var(--_field-line);
    border-radius: var(--_radius);
    background: var(--_surface);
    font: 600 0.9375rem/1.6 var(--_mono);
    overflow-wrap: anywhere;
    user-select: all;
  }

  .picture {
    inline-size: 12rem;
    max-inline-size: 100%;
    background: white;
    fill: black;
    forced-color-adjust: none;
  }
`;
