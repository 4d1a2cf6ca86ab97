import { css } from 'lit';

/**
 * The colours of highlighted code, for a shadow root with spans of {@link tokenClass}. A page sets
 * `--mcp-code-comment`, `-keyword`, `-string`, `-number`, `-type`, `-name`, `-property` and `-tag`.
 */
export const tokenStyles = css`
  .tok-comment {
    color: var(--mcp-code-comment, light-dark(#5b6472, #9aa3b2));
    font-style: italic;
  }

  .tok-keyword {
    color: var(--mcp-code-keyword, light-dark(#9d1f86, #e79fdc));
  }

  .tok-string {
    color: var(--mcp-code-string, light-dark(#126a2d, #8fd6a0));
  }

  .tok-number {
    color: var(--mcp-code-number, light-dark(#8a4600, #f0b67f));
  }

  .tok-type {
    color: var(--mcp-code-type, light-dark(#0a6570, #7fd4de));
  }

  .tok-name {
    color: var(--mcp-code-name, light-dark(#1d4ed8, #9dbcff));
  }

  .tok-property {
    color: var(--mcp-code-property, light-dark(#4f46a8, #bdb6ff));
  }

  .tok-tag {
    color: var(--mcp-code-tag, light-dark(#ab2116, #ffa49a));
  }

  @media (forced-colors: active) {
    [class^='tok-'] {
      color: inherit;
    }

    .tok-keyword {
      font-weight: bold;
    }
  }
`;

/** The classes of token names, by their first word; `definition` is a modifier of variables. */
const CLASSES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    comment: 'comment meta documentMeta quote',
    keyword: 'keyword controlKeyword operatorKeyword modifier processingInstruction',
    string: 'string string2 regexp character inserted url link',
    number: 'number integer float bool atom unit color escape constant',
    type: 'typeName className namespace builtin standard type self',
    name: 'definition function labelName macroName heading def',
    property: 'propertyName attributeName attribute property',
    tag: 'tagName tag deleted invalid error',
  }).flatMap(([name, tokens]) => tokens.split(' ').map((token) => [token, `tok-${name}`])),
);

/** The class for a token of a stream parser, such as `variableName.definition`; '' for none. */
export function tokenClass(token: string | null): string {
  if (!token) return '';
  for (const word of token.split(/[ .]/).toReversed()) {
    const found = CLASSES.get(word);
    if (found !== undefined) return found;
  }
  return '';
}
