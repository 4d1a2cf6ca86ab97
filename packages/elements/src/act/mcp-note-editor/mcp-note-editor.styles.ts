import { css } from 'lit';

export const styles = css`
  :host {
    display: block;
    block-size: 24rem;
    container-type: inline-size;
    background: var(--_surface);
  }

  .editor {
    display: flex;
    flex-direction: column;
    gap: calc(0.6rem * var(--_density));
    block-size: 100%;
    overflow: auto;
    padding: calc(0.9rem * var(--_density));
  }

  /* It only has the focus while there is nothing else to have it. */
  .editor:focus {
    outline: none;
  }

  .remark {
    flex: none;
    border-radius: var(--_radius);
  }

  slot[name='actions'] {
    display: flex;
    flex: none;
    flex-wrap: wrap;
    justify-content: end;
    gap: 0.5rem;
  }

  slot[name='actions']:not(:has-slotted) {
    display: none;
  }

  .title {
    flex: none;
    inline-size: 100%;
    font-size: 1.125rem;
    font-weight: 600;
  }

  .versions {
    display: grid;
    grid-auto-columns: minmax(0, 1fr);
    grid-auto-flow: column;
    flex: 1 0 auto;
    gap: 0.6rem;
    min-block-size: 8rem;
  }

  .version {
    display: flex;
    flex-direction: column;
    gap: 0.25rem;
    min-block-size: 0;
    margin: 0;
  }

  .version > h3 {
    margin: 0;
    color: var(--_muted);
    font-size: 0.8125rem;
    font-weight: 600;
    overflow-wrap: anywhere;
  }

  /* However long the title above it is, some lines stay in sight. */
  textarea,
  pre {
    flex: 1 1 0px;
    min-block-size: 6rem;
    inline-size: 100%;
    margin: 0;
    padding: 0.6rem 0.75rem;
    font-family: var(--_mono);
    font-size: 0.875rem;
    line-height: 1.6;
    resize: none;
  }

  .title:read-only,
  textarea:read-only,
  pre {
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
    background: var(--_raised);
  }

  pre {
    overflow: auto;
    white-space: pre-wrap;
    overflow-wrap: anywhere;
  }

  pre > span {
    display: block;
    min-block-size: 1lh;
    unicode-bidi: plaintext;
  }

  pre > .other {
    background: var(--_updated);
    /* Not colour alone; also in forced colours. */
    text-decoration: underline dotted;
  }

  /* In sight, however long the versions above it are. */
  .question {
    position: sticky;
    inset-block-end: 0;
    flex: none;
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.5rem;
    padding: 0.6rem 0.8rem;
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
    background: var(--_updated);
    font-size: 0.875rem;
  }

  .question > span {
    flex: 1 1 14rem;
    overflow-wrap: anywhere;
  }

  .state {
    margin: 0;
    color: var(--_muted);
    font-size: 0.8125rem;
    overflow-wrap: anywhere;
  }

  @container (inline-size < 30rem) {
    .versions > .version {
      grid-column: 1;
      min-block-size: 8rem;
    }
  }
`;
