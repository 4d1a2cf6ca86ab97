// The reference of a package: the exports of its entries, from its declarations.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { moduleAt, namesOf } from '../project/modules.mjs';
import { inRoot } from '../project/project.mjs';
import { withoutTags } from './markdown.mjs';

/**
 * @typedef {object} Symbol
 * @property {string} name
 * @property {string} kind of the declaration: function, class, interface, type, const
 * @property {string} code its declaration
 * @property {string} doc its docstring, as Markdown
 * @property {string[]} members the names of its properties and methods
 * @property {string} [from] the package that it comes from
 *
 * @typedef {{ entry: string, symbols: Symbol[] }} Entry
 */

const KINDS = {
  TSInterfaceDeclaration: 'interface',
  TSTypeAliasDeclaration: 'type',
  FunctionDeclaration: 'function',
  TSDeclareFunction: 'function',
  ClassDeclaration: 'class',
  VariableDeclaration: 'const',
};

/**
 * The entries of a package in the order of its `exports`, if the package is built.
 * @param {string} name
 * @returns {Entry[]}
 */
export function referenceOf(name) {
  const folder = inRoot('packages', name);
  const { exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return Object.entries(exports).flatMap(([path, target]) => {
    const types = target.types;
    if (!types || types.includes('*') || !existsSync(join(folder, types))) return [];
    const entry = path === '.' ? `@inpage-mcp/${name}` : `@inpage-mcp/${name}${path.slice(1)}`;
    return [{ entry, symbols: symbolsOf(join(folder, types)) }];
  });
}

/** @param {string} file @returns {Symbol[]} */
function symbolsOf(file) {
  return moduleAt(file).body.flatMap((statement) => {
    if (statement.type !== 'ExportNamedDeclaration') return [];
    if (statement.declaration) return [describe(file, statement)];
    const source = statement.source?.value;
    return statement.specifiers.map((/** @type {any} */ { local, exported }) =>
      find(source ? resolve(file, source) : file, local.name, exported.name, source),
    );
  });
}

/** @param {string} file @param {string} specifier */
const resolve = (file, specifier) =>
  specifier.startsWith('.') ? join(dirname(file), specifier.replace(/\.js$/, '.d.ts')) : specifier;

/**
 * @param {string} file or the name of a package
 * @param {string} name
 * @param {string} shownAs
 * @param {string} [source]
 * @returns {Symbol}
 */
function find(file, name, shownAs, source) {
  if (!existsSync(file)) {
    return elsewhere(shownAs, source ?? file);
  }
  for (const statement of moduleAt(file).body) {
    const imported = importOf(statement, name);
    if (imported) {
      const from = statement.source.value;
      return find(resolve(file, from), imported, shownAs, from);
    }
    const declaration = statement.declaration ?? statement;
    if (namesOf(declaration).includes(name)) return describe(file, statement, shownAs);
    if (statement.type !== 'ExportNamedDeclaration') continue;
    const specifier = statement.specifiers.find(
      (/** @type {any} */ { exported }) => exported.name === name,
    );
    if (specifier && statement.source) {
      const next = statement.source.value;
      return find(resolve(file, next), specifier.local.name, shownAs, next);
    }
  }
  return elsewhere(shownAs, source ?? file);
}

/** @param {string} name @param {string} from @returns {Symbol} */
const elsewhere = (name, from) => ({ name, kind: 'type', code: '', doc: '', members: [], from });

/**
 * The original name of a symbol that a statement imports under a name.
 * @param {any} statement
 * @param {string} name
 * @returns {string | undefined}
 */
function importOf(statement, name) {
  if (statement.type !== 'ImportDeclaration') return undefined;
  const specifier = statement.specifiers.find(
    (/** @type {any} */ { local }) => local.name === name,
  );
  return specifier?.imported?.name;
}

/**
 * @param {string} file
 * @param {any} statement
 * @param {string} [shownAs]
 * @returns {Symbol}
 */
function describe(file, statement, shownAs) {
  const { source, docstrings } = moduleAt(file);
  const declaration = statement.declaration ?? statement;
  const docstring = docstrings.get(statement.start);
  const kind = KINDS[/** @type {keyof typeof KINDS} */ (declaration.type)] ?? 'type';
  return {
    name: shownAs ?? namesOf(declaration)[0] ?? '',
    kind,
    code: withoutPrivateParts(source.slice(declaration.start, declaration.end)),
    doc: docstring ? docOf(docstring) : '',
    members: membersOf(declaration),
  };
}

/** @param {any} declaration @returns {string[]} */
function membersOf({ body, typeAnnotation }) {
  const members = body?.body ?? typeAnnotation?.members;
  if (!Array.isArray(members)) return [];
  const names = members
    .filter(({ key, accessibility }) => key?.type === 'Identifier' && accessibility !== 'private')
    .map(({ key }) => key.name);
  return [...new Set(names)];
}

/** @param {string} code */
const withoutPrivateParts = (code) =>
  code.replace(/^declare /, '').replaceAll(/^\s*(#private;|private .*;)\n/gm, '');

/** A docstring as Markdown. @param {string} comment */
function docOf(comment) {
  const text = comment
    .slice(1)
    .split('\n')
    .map((line) => line.replace(/^\s*\* ?/, ''))
    .join('\n')
    .trim();
  return withoutTags(text)
    .replaceAll(/^@param (\S+) /gm, '\n- `$1`: ')
    .replaceAll(/^@returns /gm, '\n- Returns ')
    .replaceAll(/^@throws \{([^}]*)\}/gm, '\n- Throws `$1`:')
    .replaceAll(/^@throws /gm, '\n- Throws ')
    .replaceAll(/^@see /gm, '\nSee ')
    .replaceAll(/^@(element|default|internal).*$/gm, '');
}
