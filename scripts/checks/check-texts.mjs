// Compares the texts of the elements with their translations: each id has one English text, each language has
// a translation of it with the same values, and no template has a text that is not translated.
// For `npm run check`.
import { readdirSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';
import { inRoot, root } from '../project/project.mjs';
import { sourceFiles } from '../project/source-files.mjs';

const sources = 'packages/elements/src';
const LANGUAGES = readdirSync(inRoot(sources, 'locales'))
  .filter((name) => name.endsWith('.json'))
  .map((name) => name.replace('.json', ''));

/** A call of `msg()` with its text and its id; the text may be a template with the tag `str`. */
const CALL =
  /msg\(\s*(?<text>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|str`(?:[^`\\]|\\.)*`),\s*\{\s*id: '(?<id>mcp\.[\w.-]+)',?\s*\}/g;
/**
 * The call for the texts of a server; test/scenarios/server-texts.test.ts compares them with their
 * translations.
 */
const OF_SERVER = 'msg(text, { id: `mcp.server.${text}` })';
const ANY_CALL = /\bmsg\(/g;
const ANY_ID = /\bid: 'mcp\./g;

/** Attributes and properties with a text for people. */
const TEXT_ATTRIBUTE =
  /\s(?:aria-label|aria-description|aria-roledescription|title|placeholder|alt|label)="([^"]*)"/g;
const TEXT_PROPERTIES = ['textContent', 'innerText', 'ariaLabel', 'title', 'placeholder', 'alt'];

/** Names that are the same in every language. */
const NAMES = ['JSON', 'MCP'];

/** @param {string} text */
const needsTranslation = (text) => /\p{L}{2}/u.test(text) && !NAMES.includes(text);

/**
 * The texts that a file shows without msg(): in a template, or in a property of an element.
 * @param {string} file
 * @param {string} code
 */
function untranslated(file, code) {
  /** @type {string[]} */
  const found = [];
  new Visitor({
    TaggedTemplateExpression({ tag, quasi: { quasis } }) {
      if (tag.type !== 'Identifier' || tag.name !== 'html') return;
      const html = quasis.map(({ value }) => value.cooked).join('\u{fffc}');
      for (const [, text = ''] of html.matchAll(TEXT_ATTRIBUTE)) found.push(text);
      const plain = html.replaceAll(/<!--.*?-->|<style>.*?<\/style>/gs, '');
      for (const text of plain.split(/<[^>]*>|\u{fffc}/u)) found.push(text.trim());
    },
    AssignmentExpression({ left, right }) {
      if (left.type !== 'MemberExpression' || left.property.type !== 'Identifier') return;
      const isText = TEXT_PROPERTIES.includes(left.property.name);
      if (isText && right.type === 'Literal') found.push(String(right.value));
    },
  }).visit(parseSync(file, code).program);
  return found.filter(needsTranslation);
}

/** @type {string[]} */
const problems = [];
/** @type {Map<string, string>} */
const english = new Map();
for (const file of sourceFiles(inRoot(sources)).filter((path) => !/[\\/]locales[\\/]/.test(path))) {
  const code = readFileSync(file, 'utf8').replace(OF_SERVER, '');
  const calls = [...code.matchAll(CALL)];
  const name = relative(root, file).replaceAll('\\', '/');
  for (const text of untranslated(file, code))
    problems.push(`${name}: a text is not in msg(): ${text}`);
  if (calls.length !== [...code.matchAll(ANY_CALL)].length)
    problems.push(`${name}: a call of msg() is not of the form msg('Text', { id: 'mcp.id' })`);
  if (calls.length !== [...code.matchAll(ANY_ID)].length)
    problems.push(`${name}: an id is not that of a call of msg()`);
  for (const { groups: { id = '', text = '' } = {} } of calls) {
    const plain = text.replaceAll(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, '${}');
    if ((english.get(id) ?? plain) !== plain) problems.push(`${name}: ${id} has two texts`);
    english.set(id, plain);
  }
}
const ofPackage = readFileSync(inRoot('packages/elements/package.json'), 'utf8');
const ofLanguages = readFileSync(inRoot(sources, 'localize.ts'), 'utf8');
for (const language of LANGUAGES) {
  if (!ofLanguages.includes(`'./locales/${language}.js'`))
    problems.push(`${language}: localize.ts does not load it`);
  if (ofPackage.split(`"./locales/${language}"`).length < 3)
    problems.push(`${language}: package.json lacks it in \`exports\` or \`alias\``);
  /** @type {Record<string, string>} */
  const translations = JSON.parse(
    readFileSync(inRoot(sources, 'locales', `${language}.json`), 'utf8'),
  );
  for (const [id, text] of english) {
    const translation = translations[id];
    const count = text.split('${}').length - 1;
    if (translation === undefined) problems.push(`${language}: ${id} is not translated: ${text}`);
    else if (new Set(translation.match(/\{\d+\}/g)).size !== count)
      problems.push(`${language}: ${id} does not have ${count} values`);
  }
  for (const id of Object.keys(translations))
    if (!english.has(id) && !id.startsWith('mcp.server.'))
      problems.push(`${language}: ${id} is not used`);
}
for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
