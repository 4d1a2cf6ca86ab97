// Reads the imports of a source file: their specifiers, and whether only types are imported.
import { readFileSync } from 'node:fs';
import { parseSync, Visitor } from 'oxc-parser';

/**
 * @typedef {object} Import
 * @property {string} specifier as written
 * @property {boolean} typeOnly whether nothing of it is left at run time
 * @property {number} line
 */

/**
 * Every import and re-export of a file: static, dynamic and inside a type.
 * @param {string} path
 * @returns {Import[]}
 */
export function importsOf(path) {
  const source = readFileSync(path, 'utf8');
  const { program, module, errors } = parseSync(path, source);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`);
  const found = [
    ...module.staticImports.map(fromStatement),
    ...module.staticExports.flatMap(fromReexport),
    ...fromExpressions(program),
  ];
  return found.map(({ start, ...rest }) => ({ ...rest, line: lineAt(source, start) }));
}

/** @typedef {Omit<Import, 'line'> & { start: number }} Found */

/**
 * @param {import('oxc-parser').StaticImport} statement
 * @returns {Found}
 */
function fromStatement({ start, moduleRequest, entries }) {
  return {
    specifier: moduleRequest.value,
    // `import 'x'` has no entries, and runs.
    typeOnly: entries.length > 0 && entries.every((entry) => entry.isType),
    start,
  };
}

/**
 * @param {import('oxc-parser').StaticExport} statement
 * @returns {Found[]}
 */
function fromReexport({ start, entries }) {
  return entries.flatMap(({ moduleRequest, isType }) =>
    moduleRequest ? [{ specifier: moduleRequest.value, typeOnly: isType, start }] : [],
  );
}

/**
 * @param {import('oxc-parser').Program} program
 * @returns {Found[]}
 */
function fromExpressions(program) {
  /** @type {Found[]} */
  const found = [];
  new Visitor({
    ImportExpression({ source, start }) {
      if (source.type !== 'Literal' || typeof source.value !== 'string') return;
      found.push({ specifier: source.value, typeOnly: false, start });
    },
    TSImportType({ source, start }) {
      found.push({ specifier: source.value, typeOnly: true, start });
    },
  }).visit(program);
  return found;
}

/**
 * @param {string} source
 * @param {number} offset
 */
const lineAt = (source, offset) => source.slice(0, offset).split('\n').length;

/**
 * The package that a bare specifier belongs to, or undefined for a relative one.
 * @param {string} specifier
 */
export function packageOf(specifier) {
  if (specifier.startsWith('.') || specifier.startsWith('/')) return undefined;
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
}
