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
  /** The characters of the name in a uri. */
  readonly characters: readonly string[];
  /** `*`: each member of a list is written by itself. */
  readonly isExploded: boolean;
  /** `:3`: only this many characters are written. */
  readonly maxLength: number;
}

interface Expression extends Operator {
  readonly variables: readonly Variable[];
}

/** The characters of a literal, or an expression. */
type Part = readonly string[] | Expression;

const isLiteral = (part: Part): part is readonly string[] => Array.isArray(part);

/**
 * A template of uris (RFC 6570), which makes a uri of values, and finds the values in a uri. Values
 * are texts and lists of texts; RFC 6570 has objects, too.
 *
 * Matching takes time in proportion to the length of the uri, whatever the template is: it has no
 * regular expression that could backtrack. Where several values fit, the last variables have the longest: of
 * `{/owner}{+path}`, all is the path.
 */
export class UriTemplate {
  readonly #parts: readonly Part[];

  /** @throws {TypeError} if it is not a template of RFC 6570. */
  constructor(template: string) {
    this.#parts = template
      .split(/(\{[^{}]*\})/)
      .filter((part) => part !== '')
      .map((part) => {
        if (/^\{.*\}$/.test(part)) return expressionOf(part.slice(1, -1));
        if (/[{}]/.test(part)) throw new TypeError(`${template} is not a uri template.`);
        return charactersOf(part);
      });
  }

  /** The uri for these values. A variable without a value is left out. */
  expand(values: UriValues): string {
    return this.#parts
      .map((part) => (isLiteral(part) ? part.join('') : expand(part, values)))
      .join('');
  }

  /** The values of a uri; `undefined` if it does not match. A variable that is there twice has one value. */
  match(uri: string): { [name: string]: string | string[] } | undefined {
    // An encoded character that is none is in no uri.
    if (/%(?![\dA-Fa-f]{2})/.test(uri)) return undefined;
    const characters = charactersOf(uri);
    let starts = [true, ...characters.map(() => false)];
    const readings = withoutNeighbours(this.#parts).map((part) => {
      const reading = new Reading(part, characters, starts);
      starts = reading.ends;
      return reading;
    });
    let end: number | undefined = characters.length;
    if (!starts[end]) return undefined;
    const pieces: Piece[] = [];
    for (const reading of readings.toReversed()) {
      end = reading.take(end, pieces);
      if (end === undefined) return undefined;
    }
    return valuesOf(pieces.toReversed());
  }
}

/** A part of a uri that is a value of a variable. */
interface Piece {
  readonly variable: Variable;
  /** Undefined where it cannot be decoded. */
  readonly value: string | undefined;
}

/** Expressions with one operator behind each other, such as `{/owner}{/repo}`, as the one that they are. */
function withoutNeighbours(parts: readonly Part[]): Part[] {
  const result: Part[] = [];
  for (const part of parts) {
    const last = result.at(-1);
    const isNeighbour =
      last &&
      !isLiteral(last) &&
      !isLiteral(part) &&
      part.first === last.first &&
      part.first === part.separator;
    if (isNeighbour)
      result.splice(-1, 1, { ...last, variables: [...last.variables, ...part.variables] });
    else result.push(part);
  }
  return result;
}

/** A character of a uri, encoded or not. */
const CHARACTER =
  /%[cd][\da-f]%[\da-f]{2}|%e[\da-f](?:%[\da-f]{2}){2}|%f[\da-f](?:%[\da-f]{2}){3}|%[\da-f]{2}|[^]/gi;

/** All ways to read a part of a template in a uri: where it can end, and then what its variables are. */
class Reading {
  /** The places between the characters of the uri where the part can end. */
  readonly ends: boolean[];
  readonly #part: Part;
  readonly #uri: readonly string[];
  readonly #starts: readonly boolean[];
  /** For each variable, the places that can be in a value of it, or at its end. */
  readonly #inside: boolean[][] = [];
  /** Those where a value can start. */
  readonly #begun: boolean[][] = [];

  /** @param starts the places where the part before can end */
  constructor(part: Part, uri: readonly string[], starts: readonly boolean[]) {
    this.#part = part;
    this.#uri = uri;
    this.#starts = starts;
    this.ends = starts.map(() => false);
    if (isLiteral(part)) {
      for (const [at, isStart] of starts.entries())
        if (isStart && this.#isAt(part, at)) this.ends[at + part.length] = true;
      return;
    }
    for (const places of [this.#inside, this.#begun])
      places.push(...part.variables.map(() => starts.map(() => false)));
    for (let at = 0; at <= uri.length; at += 1) {
      this.#readOn(part, at);
      this.ends[at] = part.isOptional
        ? starts[at]! || this.#inside.some((inside) => inside[at])
        : this.#inside.at(-1)![at]!;
    }
  }

  /** Adds the values of the part that ends at a place, from the last to the first; returns where it starts. */
  take(end: number, pieces: Piece[]): number | undefined {
    const part = this.#part;
    if (isLiteral(part)) return end - part.length;
    let at = end;
    for (let index = this.#inside.findLastIndex((inside) => inside[end]); index >= 0;) {
      const variable = part.variables[index]!;
      const start = this.#startOfPiece(part, index, at);
      if (start === undefined) return undefined;
      const text = this.#uri.slice(start, at).join('');
      // Where reserved characters are written as they are, so is what looks encoded.
      pieces.push({ variable, value: decode(text) ?? (part.isReserved ? text : undefined) });
      at = part.isNamed ? start - this.#lengthOfName(variable, start) : start;
      const before =
        this.#uri[at - 1] === part.separator ? this.#indexBefore(part, index, at - 1) : -1;
      if (before >= 0 || part.first !== '') at -= 1;
      index = before;
    }
    return at;
  }

  /** Marks what can come after a place. */
  #readOn(part: Expression, at: number): void {
    const { first, separator, variables } = part;
    const next = this.#uri[at];
    if (this.#starts[at] && first !== '' && next === first) this.#begin(part, [0], at + 1);
    if (this.#starts[at] && first === '') {
      this.#begun[0]![at] = true;
      // An empty value is none, unless another one follows.
      if (next === separator && variables.length > 1) this.#inside[0]![at] = true;
      else this.#read(part, 0, at);
    }
    for (const [index, { isExploded }] of variables.entries()) {
      if (!this.#inside[index]![at]) continue;
      this.#read(part, index, at);
      if (next !== separator) continue;
      this.#begin(part, isExploded ? [index, index + 1] : [index + 1], at + 1);
    }
  }

  /** Goes on in a value by one character. */
  #read(part: Expression, index: number, at: number): void {
    const next = this.#uri[at];
    if (next !== undefined && isOfValue(part, index, next)) this.#inside[index]![at + 1] = true;
  }

  /** Begins a value: of one of these variables, or of the one that is named there. */
  #begin(part: Expression, indexes: Iterable<number>, at: number): void {
    for (const index of part.isNamed ? part.variables.keys() : indexes) {
      const variable = part.variables[index];
      const start = variable && (part.isNamed ? this.#behindName(part, variable, at) : at);
      if (start === undefined) continue;
      this.#begun[index]![start] = this.#inside[index]![start] = true;
    }
  }

  /** Where the value of a variable starts whose name is at a place; `;` has none where it is empty. */
  #behindName(part: Expression, { characters }: Variable, at: number): number | undefined {
    if (!this.#isAt(characters, at)) return undefined;
    const end = at + characters.length;
    const next = this.#uri[end];
    if (next === '=') return end + 1;
    return next === undefined || next === part.separator || part.end.includes(next)
      ? end
      : undefined;
  }

  /** The first place where a value can start that is read at its end; `undefined` if each is too long. */
  #startOfPiece(part: Expression, index: number, end: number): number | undefined {
    const { maxLength } = part.variables[index]!;
    const [inside, begun] = [this.#inside[index]!, this.#begun[index]!];
    let start = begun[end] ? end : undefined;
    for (let at = end - 1; at >= 0 && end - at <= maxLength; at -= 1) {
      if (!isOfValue(part, index, this.#uri[at]!) || !(inside[at] || begun[at])) break;
      if (begun[at]) start = at;
    }
    return start;
  }

  #lengthOfName({ characters }: Variable, start: number): number {
    const { length } = characters;
    return this.#uri[start - 1] === '=' && this.#isAt(characters, start - 1 - length)
      ? length + 1
      : length;
  }

  /** The variable of the value that ends before a separator; -1 if there is none. */
  #indexBefore(part: Expression, index: number, at: number): number {
    if (part.isNamed) return this.#inside.findLastIndex((inside) => inside[at]);
    if (part.variables[index]!.isExploded && this.#inside[index]![at]) return index;
    return index > 0 && this.#inside[index - 1]![at] ? index - 1 : -1;
  }

  #isAt(characters: readonly string[], at: number): boolean {
    return characters.every((character, index) => isSame(character, this.#uri[at + index]));
  }
}

/** The characters of a uri, with those encoded that have to be. */
const charactersOf = (text: string): readonly string[] =>
  encodeReserved(text).match(CHARACTER) ?? [];

/** Whether two characters are the same, whichever letters encode them. */
const isSame = (a: string, b: string | undefined): boolean =>
  a === b || (a.startsWith('%') && a.toUpperCase() === b?.toUpperCase());

/**
 * Whether a character can be in a value of a variable. So can the separator where it is not encoded in a value,
 * and in a list that is written as one text.
 */
function isOfValue(part: Expression, index: number, character: string): boolean {
  const { end, isNamed, isReserved, separator, variables } = part;
  if (character !== separator) return !end.includes(character);
  const isOnly = variables.length === 1 && separator === ',' && !isNamed;
  return !variables[index]!.isExploded && (isOnly || isReserved === true || separator === '.');
}

/** The values of the variables; `undefined` where they contradict each other, or are none. */
function valuesOf(pieces: readonly Piece[]): { [name: string]: string | string[] } | undefined {
  const lists = new Map<string, string[]>();
  const texts = new Map<string, Piece>();
  for (const piece of pieces) {
    const { variable, value } = piece;
    const { name, isExploded } = variable;
    if (value === undefined) return undefined;
    const known = texts.get(name);
    if (isExploded)
      lists
        .set(name, lists.get(name) ?? [])
        .get(name)!
        .push(value);
    else if (known && !areOfOne(known, piece)) return undefined;
    else if (!known || known.variable.maxLength < variable.maxLength) texts.set(name, piece);
  }
  const values = [...texts].map(([name, { value }]) => [name, value!] as const);
  return Object.fromEntries([...values, ...lists]);
}

/** Whether two pieces can be written of one value: the one of `{id:2}` is the beginning of that of `{id}`. */
function areOfOne(a: Piece, b: Piece): boolean {
  const [short, long] = a.variable.maxLength < b.variable.maxLength ? [a, b] : [b, a];
  const { maxLength } = short.variable;
  return (
    Array.from(long.value ?? '')
      .slice(0, maxLength)
      .join('') === short.value
  );
}

function expressionOf(source: string): Expression {
  const operator = Object.hasOwn(OPERATORS, source[0] ?? '') ? OPERATORS[source[0]!]! : undefined;
  const variables = source
    .slice(operator ? 1 : 0)
    .split(',')
    .map((spec) => {
      const [, name, prefix, explode] = VARIABLE.exec(spec) ?? [];
      if (name === undefined) throw new TypeError(`{${source}} is not an expression of RFC 6570.`);
      const characters = charactersOf(name);
      const maxLength = Number(prefix ?? Infinity);
      return { name, characters, isExploded: explode === '*', maxLength };
    });
  return { ...(operator ?? SIMPLE), variables };
}

/** A variable with its modifier: a name, whose parts are separated by dots, and `:3` or `*`. */
const VARIABLE = /^((?:\w|%[\dA-Fa-f]{2})+(?:\.(?:\w|%[\dA-Fa-f]{2})+)*)(?::([1-9]\d{0,3})|(\*))?$/;

const isWritable = (value: unknown): value is string | number | boolean =>
  ['string', 'number', 'boolean'].includes(typeof value);

/** @throws {TypeError} for what is no text: it would be left out, and different resources had one uri. */
function textOf(name: string, value: unknown): string | string[] | undefined {
  if (value === undefined || value === null) return undefined;
  if (isWritable(value)) return String(value);
  if (Array.isArray(value) && value.every(isWritable)) return value.map(String);
  throw new TypeError(`${name} is no value of a uri template: expected a text or a list of texts.`);
}

function expand(expression: Expression, values: UriValues): string {
  const { first, separator, isNamed, isReserved, variables } = expression;
  const encode = isReserved ? encodeReserved : encodeUnreserved;
  const written = variables.flatMap(({ name, isExploded, maxLength }) => {
    const value = textOf(name, Object.hasOwn(values, name) ? values[name] : undefined);
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

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
