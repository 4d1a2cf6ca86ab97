/**
 * Front matter: the lines between two lines `---` at the start of a Markdown file. Each line is
 * `name: value`, the value in JSON, which is valid YAML for other programs. Only JSON is read back.
 */

const FENCE = '---';

/** A Markdown file that starts with fields. After the second fence comes exactly the body. */
export function withFrontMatter(
  fields: readonly (readonly [name: string, value: unknown])[],
  body: string,
): string {
  const lines = fields
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}: ${toJson(value)}\n`);
  return `${FENCE}\n${lines.join('')}${FENCE}\n${body}`;
}

/** The fields of a Markdown file, still in JSON, and its body; undefined if it has no fields. */
export function splitFrontMatter(
  content: string,
): { fields: ReadonlyMap<string, string>; body: string } | undefined {
  const fields = new Map<string, string>();
  let position = 0;
  for (let number = 0; ; number++) {
    const end = content.indexOf('\n', position);
    if (end === -1) return undefined;
    // An editor may have changed the line endings.
    const line = content.slice(position, end).replace(/\r$/, '');
    position = end + 1;
    if (number === 0) {
      if (line !== FENCE) return undefined;
    } else if (line === FENCE) {
      return { fields, body: content.slice(position) };
    } else {
      const colon = line.indexOf(': ');
      if (colon === -1) return undefined;
      fields.set(line.slice(0, colon), line.slice(colon + 2));
    }
  }
}

/** JSON escapes control characters; in YAML, these characters must be escaped as well. */
function toJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    /[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
