// Holds the texts of the elements to their translations: each id has one English text, and each
// language has a translation of it with the same values. For `npm run check`.
import { readdirSync, readFileSync } from 'node:fs';
import { inRoot } from './project.mjs';

const sources = 'packages/elements/src';
const LANGUAGES = ['ar', 'ja', 'zh'];

/** A call of `msg()` with its text and its id; the text may be a template with the tag `str`. */
const CALL =
  /msg\(\s*(?<text>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|str`(?:[^`\\]|\\.)*`),\s*\{\s*id: '(?<id>mcp\.[\w.-]+)',?\s*\}/g;
const ANY_CALL = /\bmsg\(/g;
const ANY_ID = /\bid: 'mcp\./g;
const TRANSLATION =
  /'(?<id>mcp\.[\w.-]+)':\s*(?<text>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|str`(?:[^`\\]|\\.)*`)/g;

/** @param {string} folder @returns {string[]} */
function filesIn(folder) {
  const entries = readdirSync(inRoot(folder), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => `${entry.parentPath}/${entry.name}`);
}

/** @param {string} text the source of a literal @returns {number} how many different values are in it */
function valuesIn(text) {
  return new Set(
    [...text.matchAll(/\$\{(?<value>(?:[^{}]|\{[^{}]*\})*)\}/g)].map((m) => m.groups?.['value']),
  ).size;
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
  /** @type {Map<string, string>} */
  const found = new Map();
  for (const file of filesIn(`${sources}/locales/${language}`)) {
    for (const { groups: { id = '', text = '' } = {} } of readFileSync(file, 'utf8').matchAll(
      TRANSLATION,
    )) {
      if (found.has(id)) problems.push(`${language}: ${id} is translated twice`);
      found.set(id, text);
    }
  }
  for (const [id, text] of english) {
    const translation = found.get(id);
    const count = text.split('${}').length - 1;
    if (translation === undefined) problems.push(`${language}: ${id} is not translated: ${text}`);
    else if (valuesIn(translation) !== count)
      problems.push(`${language}: ${id} does not have ${count} values`);
  }
  for (const id of found.keys())
    if (!english.has(id)) problems.push(`${language}: ${id} is not used`);
}
for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
