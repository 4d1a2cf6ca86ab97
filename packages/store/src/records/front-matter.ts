/**
 * Front matter: YAML fields between two lines `---` at the start of a Markdown file. It is written with one
 * `name: value` on a line and the values in JSON, which every YAML program reads. When it is read, any form
 * is accepted in which these programs may write it.
 */

const FENCE = '---';

/** The first fence, if a field follows. With anything else after it, it is a thematic break. */
const OPENING = /^---[ \t]*\r?\n(?=(?:#.*\r?\n)*["']?[^\s#"':-][^:\n]*:\s)/;
/**
 * The first fence in a text that has the id of a note within its first lines, but begins with something that
 * is not a field.
 */
const OPENING_OF_NOTE =
  /^---[ \t]*\r?\n(?=(?:(?!---)[^\n]{0,200}\n){0,8}?["']?id["']?[ \t]*:[ \t]*["']?[0-7][0-9A-HJKMNP-TV-Z]{25}\b)/i;
const CLOSING = /^(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/gm;

/**
 * The name of a field. The lines of its value that follow are indented, or items of a list. Blanks in a name
 * are matched as a whole: one by one, a long row of them took seconds.
 */
const NAME = /^(["']?)([^\s#"':-](?:[^:\n \t]|[ \t]+(?![ \t:]))*?)\1[ \t]*:(?=\s|$)/gm;

/**
 * The maximum length of a field that is not a JSON string, in code units: enough for the largest tags. A
 * longer one could take seconds to parse.
 */
const MAX_FIELD_LENGTH = 64 * 1024;
/** The maximum length of a field that is not in JSON. It is lower, because a YAML parser is slower. */
const MAX_YAML_LENGTH = 16 * 1024;

/**
 * Parses YAML texts. Resolves with the value of each: objects and arrays of strings, in which numbers,
 * dates and so on stay as they are written; `undefined` if the text is not valid YAML.
 */
export type ParseYaml = (texts: string[]) => Promise<unknown[]>;

/**
 * A Markdown file that starts with fields. After the second fence comes exactly the body.
 *
 * @param others More fields, in YAML, each with a line end. Default: none.
 */
export function withFrontMatter(
  fields: readonly (readonly [name: string, value: unknown])[],
  body: string,
  others = '',
): string {
  const lines = fields
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}: ${toJson(value)}\n`);
  return `${FENCE}\n${lines.join('')}${others}${FENCE}\n${body}`;
}

/**
 * The front matter of a text without its fences, and the position at which the body begins; undefined without
 * front matter.
 */
export function findFrontMatter(text: string): { yaml: string; bodyStart: number } | undefined {
  const [opening] = OPENING.exec(text) ?? OPENING_OF_NOTE.exec(text) ?? [];
  if (opening === undefined) return undefined;
  CLOSING.lastIndex = opening.length;
  const closing = CLOSING.exec(text);
  if (!closing) return undefined;
  const yaml = text.slice(opening.length, closing.index);
  return { yaml, bodyStart: closing.index + closing[0].length };
}

/**
 * Splits front matter into the fields of these names, each still `name: value` in YAML, and all others.
 *
 * @param names The names in lower case; other programs may write them in capitals.
 */
export function splitFields<Name extends string>(
  yaml: string,
  names: readonly Name[],
): { fields: Map<Name, string>; others: string } {
  const fields = new Map<Name, string>();
  let others = '';
  let [start, name] = [0, ''];
  const take = (end?: number): void => {
    const whole = yaml.slice(start, end);
    const field = withoutStrayLines(whole);
    const known = names.find((one) => one === name);
    if (known) fields.set(known, field);
    // Lines before the first field are comments, or stray lines.
    else if (name !== '') others += field;
    else others += strayLines(field);
    others += whole.slice(field.length);
  };
  for (const { index, 2: next = '' } of yaml.matchAll(NAME)) {
    take(index);
    [start, name] = [index, next.toLowerCase()];
  }
  take();
  return { fields, others };
}

/**
 * A line that neither begins nor continues a field: it is not indented, not an item, not a comment, and not
 * the end of a list.
 */
const STRAY = /^(?![\s#\]}]|-(?:\s|$)).+$/m;

/**
 * The field up to the first line that does not belong to it, such as `title:Plan`, or a conflict marker of
 * git.
 */
function withoutStrayLines(field: string): string {
  const firstEnd = field.indexOf('\n') + 1;
  // Within quotes or brackets any text may follow.
  if (firstEnd === 0 || /^["'[{](?!.*["'\]}]$)/.test(valueOf(field.slice(0, firstEnd))))
    return field;
  const at = field.slice(firstEnd).search(STRAY);
  return at === -1 ? field : field.slice(0, firstEnd + at);
}

function strayLines(text: string): string {
  return text
    .split(/(?<=\n)/)
    .filter((line) => STRAY.test(line))
    .join('');
}

/**
 * The values of fields: strings, or objects and arrays of strings; `undefined` if a field is not valid or too
 * long. Each is parsed separately, so that an invalid one does not affect the others.
 *
 * @param parseYaml Called only if a field is neither in JSON nor a single word.
 */
export async function parseFields(
  fields: readonly string[],
  parseYaml: ParseYaml | undefined,
): Promise<unknown[]> {
  const values = fields.map(parseSimple);
  const others = fields.flatMap((field, index) =>
    values[index] === undefined && valueOf(field).length <= MAX_YAML_LENGTH ? index : [],
  );
  if (others.length === 0 || !parseYaml) return values;
  const parsed = await parseYaml(others.map((index) => fields[index]!));
  for (const [number, index] of others.entries()) {
    const [value] = Object.values(parsed[number] ?? {}) as unknown[];
    values[index] = value ?? plainTextOf(fields[index]!);
  }
  return values;
}

/** The value of a field that is in JSON, as it is written here, or a single word; `undefined` for any other. */
function parseSimple(field: string): unknown {
  const value = valueOf(field);
  if (/^[\w.+-]+(?::[\w.+-]+)*$/.test(value)) return value;
  const isString = value.startsWith('"');
  // Only a string may be long, because it takes no time to parse.
  if (!isString && (!value.startsWith('[') || value.length > MAX_FIELD_LENGTH)) return undefined;
  try {
    const parsed: unknown = JSON.parse(value);
    return isString || isStrings(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The value of a field that is not valid YAML, in forms that many users type: `Plans: the next week`, a title
 * such as `[x] done`, and tags such as `[@work, #plan]`.
 */
function plainTextOf(field: string): string | string[] | undefined {
  const value = valueOf(field);
  const list = /^["']?tags\b/i.test(field) ? /^\[([^\n[\]{}"']*)\]?$/.exec(value)?.[1] : undefined;
  if (list !== undefined) return list.split(',').map((tag) => tag.trim());
  const isTitle = /^["']?title\b/i.test(field);
  return (isTitle ? /^.*[\p{L}\p{N}].*$/u : /^[\p{L}\p{N}].*$/u).test(value) ? value : undefined;
}

function valueOf(field: string): string {
  return field.slice(field.indexOf(':') + 1).trim();
}

function isStrings(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

/** JSON escapes control characters; in YAML, these characters must be escaped as well. */
function toJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    /[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
