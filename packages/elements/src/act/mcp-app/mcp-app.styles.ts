import { css } from 'lit';

export const styles = css`
  :host {
    display: block;
    font-size: 0.9375rem;
  }

  .app {
    display: flex;
    flex-direction: column;
    inline-size: 100%;
    margin: 0;
    padding: 0;
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
    background: var(--_surface);
    color: inherit;
    overflow: clip;
  }

  .bar {
    display: flex;
    align-items: center;
    gap: 0.75rem;
    padding-block: 0.45rem;
    padding-inline: 0.9rem 0.5rem;
    border-block-end: 1px solid var(--_line);
    background: var(--_raised);
  }

  .names {
    flex: 1;
    min-inline-size: 0;
  }

  h3 {
    margin: 0;
    font-size: 0.9375rem;
    line-height: 1.35;
    overflow-wrap: anywhere;
  }

  .names > .facts {
    font-size: 0.75rem;
  }

  .tools {
    display: flex;
    align-items: center;
    gap: 0.15rem;
  }

  .text {
    padding-inline: 0.6em;
    font-size: 0.8125rem;
  }

  .text[aria-pressed='true'] {
    border-color: var(--_accent);
    background: var(--_selected);
    color: var(--_on-selected);
  }

  .text:dir(rtl) > .icon {
    scale: -1 1;
  }

  .question {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 0.8rem;
    padding: 1rem 1.1rem;
    border-block-end: 1px solid var(--_line);
  }

  h4 {
    display: flex;
    gap: 0.5em;
    margin: 0;
    font-size: 0.9375rem;
    line-height: 1.4;
    overflow-wrap: anywhere;
  }

  h4 > .icon {
    color: var(--_danger);
  }

  h4:focus {
    outline: none;
  }

  .skeletons {
    padding: 1rem 1.1rem;
  }

  /* The app runs on while it is out of sight. */
  .away {
    block-size: 0;
    visibility: hidden;
    overflow: hidden;
  }

  .frame {
    block-size: var(--_height, 12rem);
    /* In a low window, there is room for the bar of the app and for some of the page. */
    max-block-size: var(--_max-height, min(800px, max(12rem, 100svb - 17rem)));
    transition: block-size 120ms ease-out;
  }

  iframe {
    display: block;
    inline-size: 100%;
    block-size: 100%;
    border: 0;
    color-scheme: normal;
  }

  iframe:focus-visible {
    outline-offset: -2px;
  }

  .outcome {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 0.8rem;
    max-block-size: 50rem;
    padding: 1rem 1.1rem;
    overflow: auto;
  }

  .outcome h3 {
    display: flex;
    gap: 0.5em;
  }

  .outcome .good > .icon {
    color: var(--_success);
  }

  .outcome .bad > .icon {
    color: var(--_danger);
  }

  .structured .json {
    margin-block-start: 0.5rem;
    font-family: var(--_mono);
    font-size: 0.8125rem;
  }

  .place::part(modal) {
    inset: 0;
    inline-size: 100%;
    block-size: 100%;
    max-inline-size: none;
    max-block-size: none;
    margin: 0;
    padding: 0;
    border: 0;
    background: var(--_surface);
    color: inherit;
  }

  .fullscreen {
    block-size: 100%;
    border: 0;
    border-radius: 0;
  }

  .pip:popover-open {
    position: fixed;
    inset-block: auto 1rem;
    inset-inline: auto 1rem;
    inline-size: min(24rem, 100vi - 2rem);
    block-size: min(20rem, 100vb - 2rem);
    box-shadow: 0 0.75rem 2.5rem rgb(0 0 0 / 25%);
  }

  :is(.fullscreen, .pip) .stage {
    flex: 1;
    min-block-size: 0;
  }

  :is(.fullscreen, .pip) .frame {
    block-size: 100%;
    max-block-size: none;
  }

  @media (prefers-reduced-motion: reduce) {
    .frame {
      transition: none;
    }
  }

  @media (width < 30rem) {
    .bar {
      flex-wrap: wrap;
      row-gap: 0;
    }

    .names {
      display: contents;
    }

    h3 {
      flex: 1;
    }

    .names > .facts {
      order: 1;
      flex-basis: 100%;
    }
  }
`;
