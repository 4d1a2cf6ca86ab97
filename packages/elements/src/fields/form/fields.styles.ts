import { css, type CSSResultGroup } from 'lit';

/** The style sheet of a field with its label, description and problem; after that of the theme. */
export const labelStyles = css`
  .field {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    justify-items: start;
    gap: 0.3rem;
    min-inline-size: 0;
    margin: 0;
    padding: 0;
    border: 0;
  }

  .field :is(label, legend) {
    padding: 0;
    font-size: 0.9375rem;
    overflow-wrap: anywhere;
  }

  .field .title {
    font-weight: 600;
    unicode-bidi: isolate;
  }

  .field .required {
    margin-inline-start: 0.25em;
    color: var(--_muted);
    font-size: 0.8125rem;
    font-weight: 400;
  }

  .field :is(.description, .problem) {
    margin: 0;
    font-size: 0.8125rem;
    overflow-wrap: anywhere;
    white-space: pre-line;
  }

  .field .description {
    color: var(--_muted);
    unicode-bidi: plaintext;
    text-align: start;
  }

  .field .problem {
    display: flex;
    gap: 0.4em;
    color: var(--_danger);
  }

  .field :is(input:not([type='checkbox']), textarea) {
    inline-size: 100%;
  }

  .field [aria-invalid='true']:not(fieldset) {
    border-color: var(--_danger);
    box-shadow: inset 0 0 0 1px var(--_danger);
  }
`;

/** The style sheets of the fields of a schema; after that of the theme. */
export const fieldStyles: CSSResultGroup = [
  labelStyles,
  css`
    .field .check .title {
      font-weight: inherit;
    }

    .fields {
      display: grid;
      grid-template-columns: minmax(0, 1fr);
      gap: 1.1rem;
    }

    /* Without fields, there would be a gap on both sides. */
    .fields:empty {
      display: none;
    }

    .field input:is([type='number'], [type='date'], [type='datetime-local']) {
      max-inline-size: 16rem;
    }

    .field select {
      inline-size: auto;
      min-inline-size: min(16rem, 100%);
    }

    .field textarea {
      min-block-size: 2.4rem;
      max-block-size: 24rem;
      field-sizing: content;
      resize: vertical;
    }

    .field textarea.code,
    .field pre {
      font-family: var(--_mono);
      font-size: 0.8125rem;
    }

    .check {
      display: inline-flex;
      align-items: baseline;
      gap: 0.6em;
      min-block-size: 24px;
      cursor: pointer;
    }

    .check > input {
      flex: none;
      inline-size: 1.1rem;
      block-size: 1.1rem;
      margin: 0;
      accent-color: var(--_accent);
      translate: 0 0.2rem;
    }

    .field .checks {
      display: grid;
      gap: 0.1rem;
      inline-size: 100%;
    }

    fieldset.field > legend {
      margin-block-end: 0.3rem;
    }

    fieldset.field .fields {
      inline-size: 100%;
      margin-block-start: 0.4rem;
      padding-inline-start: 0.9rem;
      border-inline-start: 2px solid var(--_line);
    }

    .field .items {
      display: grid;
      gap: 0.5rem;
      inline-size: 100%;
      margin: 0;
      padding: 0;
      list-style: none;
    }

    .field .items > li {
      display: flex;
      align-items: flex-start;
      gap: 0.25rem;
    }

    .field .items > li > .field {
      flex: 1;
    }

    .field details {
      inline-size: 100%;
      font-size: 0.8125rem;
    }

    .field summary {
      inline-size: fit-content;
      min-block-size: 24px;
      color: var(--_muted);
      cursor: pointer;
    }

    .field pre {
      max-block-size: 16rem;
      margin: 0.3rem 0 0;
      padding: 0.6rem 0.8rem;
      border-radius: var(--_radius);
      background: var(--_raised);
      overflow: auto;
      white-space: pre-wrap;
      overflow-wrap: anywhere;
      direction: ltr;
    }
  `,
];
