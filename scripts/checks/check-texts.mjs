// Holds the texts of the elements to their translations: each id has one English text, and each
// language has a translation of it with the same values. For `npm run check`.
import { readdirSync, readFileSync } from 'node:fs';
import { inRoot } from '../project/project.mjs';

const sources = 'packages/elements/src';
const LANGUAGES = ['ar', 'ja', 'zh'];

/** A call of `msg()` with its text and its id; the text may be a template with the tag `str`. */
const CALL =
  /msg\(\s*(?<text>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|str`(?:[^`\\]|\\.)*`),\s*\{\s*id: '(?<id>mcp\.[\w.-]+)',?\s*\}/g;
const ANY_CALL = /\bmsg\(/g;
const ANY_ID = /\bid: 'mcp\./g;

/** @param {string} folder @returns {string[]} */
function filesIn(folder) {
  const entries = readdirSync(inRoot(folder), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => `${entry.parentPath}/${entry.name}`);
}

/** @type {string[]} */
const problems = [];
/** @type {Map<string, string>} */
const english = new Map();
for (const file of filesIn(sources).filter((name) => !name.includes('/locales/'))) {
  const code = readFileSync(file, 'utf8');
  const calls = [...code.matchAll(CALL)];
  const name = file.slice(file.indexOf(sources));
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
for (const language of LANGUAGES) {
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
    if (!english.has(id)) problems.push(`${language}: ${id} is not used`);
}
for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
