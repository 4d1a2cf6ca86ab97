/** The values of the variables of a uri template: texts, and lists for those with a `*`. */
export interface UriValues {
  readonly [name: string]: string | readonly string[] | undefined;
}

/** The variables of a template, as its literal type states them: `note:///{id}` has an `id`. */
export type UriVariables<Template extends string> =
  Template extends `${string}{${infer Source}}${infer Rest}`
    ? InExpression<Source> & UriVariables<Rest>
    : unknown;

type InExpression<Source> = Source extends `+${infer Specs}`
  ? InSpecs<Specs>
  : Source extends `${'#' | '.' | '/' | ';' | '?' | '&'}${infer Specs}`
    ? Partial<InSpecs<Specs>>
    : InSpecs<Source>;

type InSpecs<Specs> = Specs extends `${infer First},${infer Rest}`
  ? InSpec<First> & InSpecs<Rest>
  : InSpec<Specs>;

type InSpec<Spec> = Spec extends `${infer Name}*`
  ? { readonly [name in Name]: readonly string[] }
  : Spec extends `${infer Name}:${string}`
    ? { readonly [name in Name]: string }
    : { readonly [name in Spec & string]: string };

/** How an operator expands (RFC 6570, appendix A). */
interface Operator {
  readonly first: string;
  readonly separator: string;
  /** Whether each value is written with the name of its variable. */
  readonly isNamed?: boolean;
  /** Whether reserved characters are written as they are. */
  readonly isReserved?: boolean;
  /** The characters at which the expression ends when a uri is matched. */
  readonly end: string;
  /** Whether the expression may be empty. */
  readonly isOptional?: boolean;
}

const SIMPLE: Operator = { first: '', separator: ',', end: '/?#' };
const QUERY = { separator: '&', isNamed: true, end: '#', isOptional: true };

const OPERATORS: { readonly [operator: string]: Operator } = {
  '+': { first: '', separator: ',', isReserved: true, end: '' },
  '#': { first: '#', separator: ',', isReserved: true, end: '', isOptional: true },
  '.': { first: '.', separator: '.', end: '/?#', isOptional: true },
  '/': { first: '/', separator: '/', end: '?#', isOptional: true },
  ';': { first: ';', separator: ';', isNamed: true, end: '/?#', isOptional: true },
  '?': { ...QUERY, first: '?' },
  '&': { ...QUERY, first: '&' },
};

interface Variable {
  readonly name: string;
  /** `*`: each member of a list is written by itself. */
  readonly isExploded: boolean;
  /** `:3`: only this many characters are written. */
  readonly maxLength: number;
}

interface Expression extends Operator {
  readonly variables: readonly Variable[];
}

/**
 * A template of uris (RFC 6570), which makes a uri of values, and finds the values in a uri. Values
 * are texts and lists of texts; RFC 6570 has objects, too.
 *
 * Matching takes time in proportion to the length of the uri, whatever the template is: it has no
 * regular expression that could backtrack. Where several values fit, the last variables get the
 * longest ones.
 */
export class UriTemplate {
  readonly #parts: readonly (string | Expression)[];

  /** @throws {TypeError} if it is not a template of RFC 6570. */
  constructor(template: string) {
    this.#parts = template
      .split(/(\{[^{}]*\})/)
      .filter((part) => part !== '')
      .map((part) => {
        if (part.startsWith('{')) return expressionOf(part.slice(1, -1));
        if (/[{}]/.test(part)) throw new TypeError(`${template} is not a uri template.`);
        return part;
      });
  }

  /** The uri for these values. A variable without a value is left out. */
  expand(values: UriValues): string {
    return this.#parts
      .map((part) => (typeof part === 'string' ? part : expand(part, values)))
      .join('');
  }

  /** The values of a uri; `undefined` if it does not match. */
  match(uri: string): { [name: string]: string | string[] } | undefined {
    const ends = [Array.from({ length: uri.length + 1 }, (_, end) => end === 0)];
    for (const part of this.#parts) ends.push(endsOf(part, uri, ends.at(-1)!));
    let end = uri.length;
    if (!ends.at(-1)![end]) return undefined;
    const found: [name: string, value: string | string[]][] = [];
    for (const [index, part] of [...this.#parts.entries()].toReversed()) {
      const start =
        typeof part === 'string' ? end - part.length : startOf(part, uri, ends[index]!, end);
      if (typeof part !== 'string') {
        const values = valuesIn(part, uri.slice(start, end));
        if (!values) return undefined;
        found.unshift(...values);
      }
      end = start;
    }
    return Object.fromEntries(found);
  }
}

function expressionOf(source: string): Expression {
  const operator = Object.hasOwn(OPERATORS, source[0] ?? '') ? OPERATORS[source[0]!]! : undefined;
  const variables = source
    .slice(operator ? 1 : 0)
    .split(',')
    .map((spec) => {
      const [, name, prefix, explode] = /^([\w%.]+)(?::([1-9]\d{0,3})|(\*))?$/.exec(spec) ?? [];
      if (name === undefined) throw new TypeError(`{${source}} is not an expression of RFC 6570.`);
      return { name, isExploded: explode === '*', maxLength: Number(prefix ?? Infinity) };
    });
  return { ...(operator ?? SIMPLE), variables };
}

function expand(expression: Expression, values: UriValues): string {
  const { first, separator, isNamed, isReserved, variables } = expression;
  const encode = isReserved ? encodeReserved : encodeUnreserved;
  const written = variables.flatMap(({ name, isExploded, maxLength }) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined || (value.length === 0 && typeof value !== 'string')) return [];
    const texts = [value]
      .flat()
      .map((text) => encode(Array.from(text).slice(0, maxLength).join('')));
    const whole = isExploded ? texts : [texts.join(',')];
    if (!isNamed) return whole;
    return whole.map((text) => (text === '' && separator === ';' ? name : `${name}=${text}`));
  });
  return written.length === 0 ? '' : first + written.join(separator);
}

function encodeUnreserved(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.codePointAt(0)!.toString(16).toUpperCase()}`,
  );
}

function encodeReserved(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[^\w\-.~:/?#[\]@!$&'()*+,;=%]|%(?![\dA-Fa-f]{2})/gu, encodeURIComponent);
}

/** The places of a uri where a part can end, if the part before can end at `starts`. */
function endsOf(part: string | Expression, uri: string, starts: readonly boolean[]): boolean[] {
  if (typeof part === 'string') {
    return starts.map((_, end) => {
      const start = end - part.length;
      return start >= 0 && starts[start]! && uri.startsWith(part, start);
    });
  }
  let isInside = false;
  return starts.map((isStart, end) => {
    if (end > 0) {
      const begins = starts[end - 1]! && isFirst(part, uri, end - 1);
      isInside = (isInside || begins) && !part.end.includes(uri[end - 1]!);
    }
    return isInside || (part.isOptional === true && isStart);
  });
}

/** The first place where an expression can start that ends at `end`. */
function startOf(part: Expression, uri: string, starts: readonly boolean[], end: number): number {
  let start = end;
  for (let at = end - 1; at >= 0 && !part.end.includes(uri[at]!); at -= 1) {
    if (starts[at] && isFirst(part, uri, at)) start = at;
  }
  return start;
}

function isFirst({ first }: Expression, uri: string, at: number): boolean {
  return uri.startsWith(first, at);
}

/** The values in the text of an expression; `undefined` if it does not fit. */
function valuesIn(
  { first, separator, isNamed, isOptional, variables }: Expression,
  text: string,
): [name: string, value: string | string[]][] | undefined {
  if (text === '') return [];
  const [only] = variables;
  // A comma or a dot may be a part of a value; a slash never is.
  const isWhole = variables.length === 1 && !only!.isExploded && !isNamed && separator !== '/';
  const pieces = isWhole ? [text.slice(first.length)] : text.slice(first.length).split(separator);
  const found = new Map<string, string | string[]>();
  for (const [index, piece] of pieces.entries()) {
    const [name, ...rest] = piece.split('=');
    const variable = isNamed
      ? variables.find((one) => one.name === name)
      : variables[Math.min(index, variables.length - 1)];
    const value = decode(isNamed ? rest.join('=') : piece);
    if (!variable || value === undefined || isLonger(value, variable.maxLength)) return undefined;
    const known = found.get(variable.name);
    if (variable.isExploded) found.set(variable.name, [...[known ?? []].flat(), value]);
    else if (known === undefined) found.set(variable.name, value);
    else return undefined;
  }
  return isOptional || found.size === variables.length ? [...found] : undefined;
}

/** Whether a text has more characters than that. */
function isLonger(text: string, maxLength: number): boolean {
  return text.length > maxLength && Array.from(text).length > maxLength;
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
