/**
 * As much of RFC 6570 as tells where the uris of a template begin: `{var}`, `{+var}` and `{?var}`,
 * one variable each. What comes after another expression, or after a variable without a value, is
 * left out.
 */

const EXPRESSION = /\{([^{}]*)\}/;

/** What every uri of a template begins with. */
export function beginningOf(uriTemplate: string): string {
  return expandedWith(uriTemplate, {});
}

/** What the uris of a template begin with, once some of its variables are chosen. */
export function expandedWith(
  uriTemplate: string,
  values: { readonly [name: string]: string },
): string {
  let expanded = '';
  let rest = uriTemplate;
  for (;;) {
    const match = EXPRESSION.exec(rest);
    if (!match) return expanded + rest;
    expanded += rest.slice(0, match.index);
    const value = expansionOf(match[1]!, values);
    if (value === undefined) return expanded;
    expanded += value;
    rest = rest.slice(match.index + match[0].length);
  }
}

function expansionOf(
  expression: string,
  values: { readonly [name: string]: string },
): string | undefined {
  const operator = /^[+?]/.exec(expression)?.[0] ?? '';
  const name = expression.slice(operator.length);
  const value = Object.hasOwn(values, name) ? values[name] : undefined;
  if (value === undefined) return undefined;
  if (operator === '?') return `?${name}=${encoded(value)}`;
  // `{+var}` leaves reserved characters and what is escaped already (section 3.2.3).
  return operator === '+'
    ? value.replace(/%[0-9A-Fa-f]{2}|[^%]+|%/g, (part) =>
        /^%[0-9A-Fa-f]{2}$/.test(part) ? part : encodedBut(part),
      )
    : encoded(value);
}

function encoded(value: string): string {
  return encodeURIComponent(wellFormed(value));
}

function encodedBut(value: string): string {
  return encodeURI(wellFormed(value)).replace(/%5[BD]/g, decodeURIComponent);
}

/** Half a surrogate pair cannot be escaped, and is in no address. */
function wellFormed(value: string): string {
  return value.replace(/\p{Surrogate}/gu, '\uFFFD');
}
