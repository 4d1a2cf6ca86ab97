// URI templates (RFC 6570, all four levels). The form needs the variables of a template, and an error for a
// malformed one. url-template (0.8 kB) and uri-template-lite provide neither, so they would need a parser in
// addition.

/** A variable of an expression. */
export interface Variable {
  name: string;
  /** Whether each value of a list is written by itself (`*`). */
  isExploded: boolean;
  /** The number of characters that are used (`:n`); `undefined` for all. */
  maxLength: number | undefined;
}

/** A part of a template between braces. */
export interface Expression {
  /** The operator: `+`, `#`, `.`, `/`, `;`, `?` or `&`; empty for `{var}`. */
  operator: Operator;
  variables: readonly Variable[];
}

/** A literal text, or an expression. */
export type Part = string | Expression;

/** The value of a variable; `undefined` for one that is not defined. */
export type Value = string | readonly string[] | { readonly [key: string]: string } | undefined;

type Operator = keyof typeof OPERATORS;

/** The rules of each operator (section 3.2.1 and appendix A). */
const OPERATORS = {
  '': { first: '', separator: ',', isNamed: false, empty: '', keepsReserved: false },
  '+': { first: '', separator: ',', isNamed: false, empty: '', keepsReserved: true },
  '#': { first: '#', separator: ',', isNamed: false, empty: '', keepsReserved: true },
  '.': { first: '.', separator: '.', isNamed: false, empty: '', keepsReserved: false },
  '/': { first: '/', separator: '/', isNamed: false, empty: '', keepsReserved: false },
  ';': { first: ';', separator: ';', isNamed: true, empty: '', keepsReserved: false },
  '?': { first: '?', separator: '&', isNamed: true, empty: '=', keepsReserved: false },
  '&': { first: '&', separator: '&', isNamed: true, empty: '=', keepsReserved: false },
} as const;

type Rules = (typeof OPERATORS)[Operator];

/**
 * A variable with its modifier (section 2.3 and 2.4). Names may contain hyphens: the RFC does not
 * allow these, but servers use them.
 */
const VARIABLE =
  /^(?<name>(?:\.?(?:[\w-]|%[0-9A-Fa-f]{2}))+)(?:(?<star>\*)|:(?<length>[1-9]\d{0,3}))?$/;

/** The limits of a template: its length, and the number of its expressions. Others are refused. */
const MAX_LENGTH = 8_192;
const MAX_EXPRESSIONS = 200;

/**
 * The parts of a template.
 *
 * @throws {SyntaxError} if it is malformed, longer than 8,192 characters, or has more than 200
 *   expressions.
 */
export function parseTemplate(template: string): readonly Part[] {
  if (template.length > MAX_LENGTH) throw new SyntaxError('The URI template is too long.');
  const pieces = template.split(/\{([^{}]*)\}/);
  if (pieces.length > 2 * MAX_EXPRESSIONS + 1)
    throw new SyntaxError('The URI template is too long.');
  return pieces.map((piece, index) => (index % 2 === 1 ? parseExpression(piece) : literal(piece)));
}

/**
 * The uri of a template.
 *
 * @param valueOf The value of a variable.
 * @throws {TypeError} if a list or an object is the value of a variable with `:n`.
 */
export function expandTemplate(parts: readonly Part[], valueOf: (name: string) => Value): string {
  return parts
    .map((part) => (typeof part === 'string' ? part : expandExpression(part, valueOf)))
    .join('');
}

function literal(text: string): string {
  if (/[{}]/.test(text)) throw new SyntaxError('The URI template has a brace too many.');
  return encodeReserved(text);
}

function parseExpression(text: string): Expression {
  const operator = /^[+#./;?&]/.exec(text)?.[0] ?? '';
  const variables = text.slice(operator.length).split(',').map(parseVariable);
  return { operator: operator as Operator, variables };
}

function parseVariable(text: string): Variable {
  const { name, star, length } = VARIABLE.exec(text)?.groups ?? {};
  if (name === undefined)
    throw new SyntaxError('The URI template has an expression that RFC 6570 does not define.');
  return {
    name,
    isExploded: star !== undefined,
    maxLength: length === undefined ? undefined : Number(length),
  };
}

function expandExpression(
  { operator, variables }: Expression,
  valueOf: (name: string) => Value,
): string {
  const rules = OPERATORS[operator];
  const expanded = variables
    .map((variable) => expandVariable(variable, valueOf(variable.name), rules))
    .filter((text) => text !== undefined);
  return expanded.length === 0 ? '' : rules.first + expanded.join(rules.separator);
}

/** Expands a variable; `undefined` if it is not defined. */
function expandVariable(variable: Variable, value: Value, rules: Rules): string | undefined {
  if (value === undefined) return undefined;
  const { name, maxLength } = variable;
  if (typeof value === 'string') {
    const text = maxLength === undefined ? value : Array.from(value).slice(0, maxLength).join('');
    return named(name, encode(text, rules), rules);
  }
  if (maxLength !== undefined) throw new TypeError(`${name} has several values.`);
  return expandSeveral(variable, value, rules);
}

function expandSeveral(
  { name, isExploded }: Variable,
  value: readonly string[] | { readonly [key: string]: string },
  rules: Rules,
): string | undefined {
  const pairs = Array.isArray(value)
    ? (value as readonly string[]).map((one) => [undefined, encode(one, rules)] as const)
    : Object.entries(value).map(([key, one]) => [encode(key, rules), encode(one, rules)] as const);
  // An empty list is not defined (section 2.3).
  if (pairs.length === 0) return undefined;
  if (!isExploded) {
    const all = pairs.flatMap(([key, one]) => (key === undefined ? [one] : [key, one]));
    return named(name, all.join(','), rules);
  }
  return pairs
    .map(([key, one]) => {
      if (key === undefined) return named(name, one, rules);
      return rules.isNamed ? named(key, one, rules) : `${key}=${one}`;
    })
    .join(rules.separator);
}

function named(name: string, text: string, rules: Rules): string {
  if (!rules.isNamed) return text;
  return text === '' ? `${name}${rules.empty}` : `${name}=${text}`;
}

function encode(text: string, { keepsReserved }: Rules): string {
  return keepsReserved ? encodeReserved(text) : encodeUnreserved(text);
}

/** Encodes a text and keeps only unreserved characters (section 3.2.2). A lone surrogate cannot be encoded. */
function encodeUnreserved(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** Encodes a text and also keeps reserved characters and escapes (section 3.2.3). */
function encodeReserved(text: string): string {
  return text
    .split(/(%[0-9A-Fa-f]{2})/)
    .map((part, index) =>
      index % 2 === 1
        ? part
        : encodeURI(part.toWellFormed()).replace(/%5[BD]/g, decodeURIComponent),
    )
    .join('');
}
