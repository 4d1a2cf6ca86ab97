/**
 * The part of RFC 6570 for the prefix of a template's uris: `{var}`, `{+var}` and `{?var}`, with one variable
 * each. The expansion stops at any other expression, and at a variable without a value.
 */

const EXPRESSION = /\{([^{}]*)\}/;

/** The prefix of every uri of a template. */
export function beginningOf(uriTemplate: string): string {
  return expandTemplate(uriTemplate, {});
}

/** The prefix of the uris of a template after some of its variables are chosen. */
export function expandTemplate(
  uriTemplate: string,
  values: { readonly [name: string]: string },
): string {
  let expanded = '';
  let rest = uriTemplate;
  for (;;) {
    const match = EXPRESSION.exec(rest);
    if (!match) return expanded + rest;
    expanded += rest.slice(0, match.index);
    const value = expandExpression(match[1]!, values);
    if (value === undefined) return expanded;
    expanded += value;
    rest = rest.slice(match.index + match[0].length);
  }
}

function expandExpression(
  expression: string,
  values: { readonly [name: string]: string },
): string | undefined {
  const operator = /^[+?]/.exec(expression)?.[0] ?? '';
  const name = expression.slice(operator.length);
  const value = Object.hasOwn(values, name) ? values[name] : undefined;
  if (value === undefined) return undefined;
  if (operator === '?') return `?${name}=${encode(value)}`;
  // `{+var}` keeps reserved characters and existing escapes (section 3.2.3).
  return operator === '+'
    ? value.replace(/%[0-9A-Fa-f]{2}|[^%]+|%/g, (part) =>
        /^%[0-9A-Fa-f]{2}$/.test(part) ? part : encodeKeepingReserved(part),
      )
    : encode(value);
}

function encode(value: string): string {
  return encodeURIComponent(replaceSurrogates(value));
}

function encodeKeepingReserved(value: string): string {
  return encodeURI(replaceSurrogates(value)).replace(/%5[BD]/g, decodeURIComponent);
}

/** Replaces lone surrogates, which cannot be escaped: no address contains one. */
function replaceSurrogates(value: string): string {
  return value.replace(/\p{Surrogate}/gu, '\uFFFD');
}
