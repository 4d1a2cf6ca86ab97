import { css } from 'lit';

/** The styles that the fields need. */
export const completedFieldStyles = css`
  .field {
    display: grid;
    gap: 0.2rem;
    min-inline-size: 0;
  }

  .field label {
    overflow-wrap: anywhere;
    font-weight: 600;
  }

  .field .required,
  .field .description {
    color: var(--_muted);
    font-size: 0.8125rem;
    font-weight: 400;
    overflow-wrap: anywhere;
  }

  .field .description {
    inline-size: fit-content;
    unicode-bidi: plaintext;
    text-align: start;
  }

  .field :is(input, textarea) {
    inline-size: 100%;
  }

  .field [aria-invalid='true'] {
    border-color: var(--_danger);
  }

  .field .error {
    color: var(--_danger);
    font-size: 0.8125rem;
  }

  .popup.values .row {
    block-size: max(24px, 1.75rem, 2.25rem * var(--_density));
  }

  .popup.values .remark {
    flex: none;
  }
`;
