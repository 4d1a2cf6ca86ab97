import { css } from 'lit';

export const styles = css`
  :host {
    display: block;
    padding: 0.2rem 0.9rem 0.9rem;
  }

  :host([hidden]) {
    display: none;
  }

  form {
    display: grid;
    gap: 0.5rem;
  }

  label {
    font-size: 0.875rem;
  }

  textarea {
    inline-size: 100%;
    resize: vertical;
  }

  .actions,
  .heading {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.5rem;
  }

  .actions > select {
    flex: 0 1 auto;
  }

  .actions > button {
    margin-inline-start: auto;
  }

  .heading > h2 {
    flex: 1;
  }

  p,
  ul {
    margin: 0.5rem 0 0;
    font-size: 0.8125rem;
  }

  ul {
    padding-inline-start: 1.2rem;
    overflow-wrap: anywhere;
  }

  h2 {
    margin: 0.7rem 0 0;
    font-size: 0.875rem;
  }

  .heading {
    margin-block-start: 0.4rem;
  }

  .heading > h2 {
    margin: 0;
  }

  pre {
    max-block-size: 22rem;
    margin: 0.5rem 0 0;
    padding: 0.8rem;
    overflow: auto;
    border-radius: 8px;
    background: var(--raised);
    font: 0.78rem/1.6 var(--mono);
    overflow-wrap: anywhere;
    white-space: pre-wrap;
  }
`;
