// Reads the statements of TypeScript modules with their docstrings, for the check and for the reference.
import { readFileSync } from 'node:fs';
import { parseSync } from 'oxc-parser';

/**
 * @typedef {object} Module
 * @property {string} path
 * @property {string} source
 * @property {any[]} body
 * @property {Map<number, string>} docstrings by the position of the statement or member that they describe
 */

/** @type {Map<string, Module>} */
const modules = new Map();

/**
 * A module, which is parsed once.
 * @param {string} path
 * @returns {Module}
 */
export function moduleAt(path) {
  const known = modules.get(path);
  if (known) return known;
  const source = readFileSync(path, 'utf8');
  const { program, comments } = parseSync(path, source);
  const docstrings = comments
    .filter(({ type, value }) => type === 'Block' && value.startsWith('*'))
    .map(({ end, value }) => /** @type {const} */ ([end + blankLength(source.slice(end)), value]));
  const module = { path, source, body: program.body, docstrings: new Map(docstrings) };
  modules.set(path, module);
  return module;
}

/** @param {string} text */
const blankLength = (text) => text.length - text.trimStart().length;

/** The names that a declaration declares. @param {any} declaration @returns {string[]} */
export const namesOf = ({ declarations, id }) =>
  (declarations ?? [{ id }]).flatMap((/** @type {any} */ one) => one.id?.name ?? []);
