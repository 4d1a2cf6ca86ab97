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

/** The rules by which an operator expands (RFC 6570, appendix A). */
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
  /** Whether each member of a list is written by itself (`*`). */
  readonly isExploded: boolean;
  /** The maximum number of characters that are written (`:3`). */
  readonly maxLength: number;
}

interface Expression extends Operator {
  readonly variables: readonly Variable[];
}

/** The characters of a literal, or an expression. */
type Part = readonly string[] | Expression;

const isLiteral = (part: Part): part is readonly string[] => Array.isArray(part);

/**
 * A template of uris (RFC 6570), which makes a uri from values, and finds the values in a uri. Values are
 * texts and lists of texts; RFC 6570 has objects, too.
 *
 * Matching takes time in proportion to the length of the uri, for any template, because it has no regular
 * expression that could backtrack. If several values fit, the last variables get the longest ones: of
 * `{/owner}{+path}`, all is the path.
 */
export class UriTemplate {
  readonly #parts: readonly Part[];

  /**
   * Parses a template.
   *
   * @throws {TypeError} if it is not a template of RFC 6570.
   */
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

  /** The values of a uri; `undefined` if it does not match. A variable that occurs twice has one value. */
  match(uri: string): { [name: string]: string | string[] } | undefined {
    // A uri contains no `%` without two hexadecimal digits after it.
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
  /** The decoded value; `undefined` if it cannot be decoded. */
  readonly value: string | undefined;
}

/**
 * The parts of a template, in which adjacent expressions with the same operator, such as `{/owner}{/repo}`,
 * are joined into one.
 */
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

/**
 * All ways to match a part of a template in a uri: the places where the part can end, and then the values of
 * its variables.
 */
class Reading {
  /** The places between the characters of the uri where the part can end. */
  readonly ends: boolean[];
  readonly #part: Part;
  readonly #uri: readonly string[];
  readonly #starts: readonly boolean[];
  /** The places, for each variable, that can be inside its value, or at the end of it. */
  readonly #inside: boolean[][] = [];
  /** The places, for each variable, where a value can start. */
  readonly #begun: boolean[][] = [];

  /** @param starts The places where the part before can end. */
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

  /**
   * Adds the values of the part that ends at a place, from the last to the first. Returns the place where the
   * part starts.
   */
  take(end: number, pieces: Piece[]): number | undefined {
    const part = this.#part;
    if (isLiteral(part)) return end - part.length;
    let at = end;
    for (let index = this.#inside.findLastIndex((inside) => inside[end]); index >= 0;) {
      const variable = part.variables[index]!;
      const start = this.#startOfPiece(part, index, at);
      if (start === undefined) return undefined;
      const text = this.#uri.slice(start, at).join('');
      // If reserved characters are written as they are, so are texts that only look encoded.
      pieces.push({ variable, value: decode(text) ?? (part.isReserved ? text : undefined) });
      at = part.isNamed ? start - this.#lengthOfName(variable, start) : start;
      const before =
        this.#uri[at - 1] === part.separator ? this.#indexBefore(part, index, at - 1) : -1;
      if (before >= 0 || part.first !== '') at -= 1;
      index = before;
    }
    return at;
  }

  /** Marks the places that are reached from this place. */
  #readOn(part: Expression, at: number): void {
    const { first, separator, variables } = part;
    const next = this.#uri[at];
    if (this.#starts[at] && first !== '' && next === first) this.#begin(part, [0], at + 1);
    if (this.#starts[at] && first === '') {
      this.#begun[0]![at] = true;
      // An empty value does not count, unless another value follows.
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

  /** Continues a value by one character. */
  #read(part: Expression, index: number, at: number): void {
    const next = this.#uri[at];
    if (next !== undefined && isOfValue(part, index, next)) this.#inside[index]![at + 1] = true;
  }

  /** Begins a value: of one of these variables, or of the variable that is named at this place. */
  #begin(part: Expression, indexes: Iterable<number>, at: number): void {
    for (const index of part.isNamed ? part.variables.keys() : indexes) {
      const variable = part.variables[index];
      const start = variable && (part.isNamed ? this.#behindName(part, variable, at) : at);
      if (start === undefined) continue;
      this.#begun[index]![start] = this.#inside[index]![start] = true;
    }
  }

  /** The start of the value of a variable whose name is at a place. With `;`, an empty value has no `=`. */
  #behindName(part: Expression, { characters }: Variable, at: number): number | undefined {
    if (!this.#isAt(characters, at)) return undefined;
    const end = at + characters.length;
    const next = this.#uri[end];
    if (next === '=') return end + 1;
    return next === undefined || next === part.separator || part.end.includes(next)
      ? end
      : undefined;
  }

  /** The first place where the value that ends here can start; `undefined` if each is too long. */
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

  /** The variable of the value that ends before a separator; -1 if no value ends there. */
  #indexBefore(part: Expression, index: number, at: number): number {
    if (part.isNamed) return this.#inside.findLastIndex((inside) => inside[at]);
    if (part.variables[index]!.isExploded && this.#inside[index]![at]) return index;
    return index > 0 && this.#inside[index - 1]![at] ? index - 1 : -1;
  }

  #isAt(characters: readonly string[], at: number): boolean {
    return characters.every((character, index) => isSame(character, this.#uri[at + index]));
  }
}

/** The characters of a uri, of which those are encoded that have to be. */
const charactersOf = (text: string): readonly string[] =>
  encodeReserved(text).match(CHARACTER) ?? [];

/** Whether two characters are the same, regardless of the case of the letters that encode them. */
const isSame = (a: string, b: string | undefined): boolean =>
  a === b || (a.startsWith('%') && a.toUpperCase() === b?.toUpperCase());

/**
 * Whether a character can be in a value of a variable. The separator can be in it if it is not encoded in a
 * value, or if a list is written as one text.
 */
function isOfValue(part: Expression, index: number, character: string): boolean {
  const { end, isNamed, isReserved, separator, variables } = part;
  if (character !== separator) return !end.includes(character);
  const isOnly = variables.length === 1 && separator === ',' && !isNamed;
  return !variables[index]!.isExploded && (isOnly || isReserved === true || separator === '.');
}

/** The values of the variables; `undefined` if they contradict each other, or cannot be decoded. */
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

/** Whether two pieces can come from one value: that of `{id:2}` is the beginning of that of `{id}`. */
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

/** The syntax of a variable with its modifier: a name, whose parts are separated by dots, and `:3` or `*`. */
const VARIABLE = /^((?:\w|%[\dA-Fa-f]{2})+(?:\.(?:\w|%[\dA-Fa-f]{2})+)*)(?::([1-9]\d{0,3})|(\*))?$/;

const isWritable = (value: unknown): value is string | number | boolean =>
  ['string', 'number', 'boolean'].includes(typeof value);

/**
 * The text, or texts, of a value.
 *
 * @throws {TypeError} for a value that is not a text. It would be left out, so that different resources would
 *   have the same uri.
 */
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
