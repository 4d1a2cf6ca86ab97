// Every public symbol has a docstring: what a package exports, and the members of exported interfaces,
// object types and classes. Members that a class has from an interface have the docstring of that one.
import { existsSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { moduleAt, namesOf } from '../project/modules.mjs';
import { entriesOf } from '../project/package-entries.mjs';
import { inRoot, root } from '../project/project.mjs';

const packages = [
  'transport',
  'protocol',
  'store',
  'server',
  'client',
  'models',
  'runtime',
  'elements',
];

/** @typedef {import('../project/modules.mjs').Module} Module */

/**
 * The file of a relative specifier.
 * @param {string} specifier
 * @param {string} from
 */
function fileOf(specifier, from) {
  const path = resolve(from, '..', specifier.replace(/\.js$/, '.ts'));
  return existsSync(path) ? path : undefined;
}

/**
 * @typedef {object} Symbol_
 * @property {string} name
 * @property {any} node the statement
 * @property {any} declaration
 * @property {Module} module
 * @property {boolean} [isBase] whether only another symbol that extends it is exported
 */

/**
 * The symbols that a module exports, where they are declared. The exports of another package are checked
 * there.
 * @param {string} path
 * @returns {Symbol_[]}
 */
function exportsOf(path) {
  const module = moduleAt(path);
  return module.body.flatMap((node) => {
    if (node.type === 'ExportAllDeclaration') {
      const file = fileOf(node.source.value, path);
      return file ? exportsOf(file) : [];
    }
    if (node.type !== 'ExportNamedDeclaration') return [];
    if (node.declaration) return declaredBy(node, module);
    return node.specifiers.flatMap((/** @type {any} */ { local }) => {
      const file = node.source ? fileOf(node.source.value, path) : path;
      return file ? symbolsNamed(local.name, file) : [];
    });
  });
}

/**
 * The symbols of a name that a module declares, imports or passes on.
 * @param {string} name
 * @param {string} path
 * @returns {Symbol_[]}
 */
function symbolsNamed(name, path) {
  const module = moduleAt(path);
  const own = module.body.flatMap((node) => declaredBy(node, module));
  const found = own.filter((symbol) => symbol.name === name);
  return found.length > 0 ? found : module.body.flatMap((node) => passedOn(name, node, path));
}

/**
 * The symbols of a name that a statement imports, or exports from another module.
 * @param {string} name
 * @param {any} node
 * @param {string} path
 * @returns {Symbol_[]}
 */
function passedOn(name, { type, source, specifiers }, path) {
  const file = source && fileOf(source.value, path);
  if (!file) return [];
  if (type === 'ExportAllDeclaration') return symbolsNamed(name, file);
  return specifiers
    .filter((/** @type {any} */ { local, exported = local }) => exported.name === name)
    .flatMap((/** @type {any} */ { local, imported = local }) => symbolsNamed(imported.name, file));
}

/**
 * The symbols that a statement declares, regardless of whether it exports them.
 * @param {any} node
 * @param {Module} module
 * @returns {Symbol_[]}
 */
function declaredBy(node, module) {
  const declaration = node.declaration ?? node;
  return namesOf(declaration).map((name) => ({ name, node, declaration, module }));
}

/**
 * The members that need a docstring.
 * @param {any} declaration
 * @returns {any[]}
 */
function membersOf({ type, body, typeAnnotation }) {
  if (type === 'TSInterfaceDeclaration') return body.body;
  if (type === 'TSTypeAliasDeclaration')
    return typeAnnotation.type === 'TSTypeLiteral' ? typeAnnotation.members : [];
  if (type === 'ClassDeclaration') return body.body;
  return [];
}

/** @param {any} member */
const nameOf = ({ key }) => key?.name ?? key?.value;

/** @param {any} member */
function isPublic({ type, kind, key, accessibility, override }) {
  if (kind === 'constructor' || kind === 'set' || override) return false;
  // This is the name of an event, which its value already describes.
  if (key?.name === 'eventName') return false;
  if (key === undefined || key.type === 'PrivateIdentifier') return false;
  return type !== 'StaticBlock' && accessibility !== 'private' && accessibility !== 'protected';
}

/**
 * A symbol, and the interfaces or classes that it extends, which may not be exported.
 * @param {Symbol_} symbol
 * @returns {Symbol_[]}
 */
function withBases(symbol) {
  const { extends: bases = [], superClass } = symbol.declaration;
  const names = [...bases.map((/** @type {any} */ { expression }) => expression), superClass];
  const found = names.flatMap((name) => (name ? symbolsNamed(name.name, symbol.module.path) : []));
  return [symbol, ...found.flatMap(withBases).map((base) => ({ ...base, isBase: true }))];
}

/**
 * The names of the members that a class has from its interfaces.
 * @param {Symbol_} symbol
 */
function inheritedNames({ declaration, module }) {
  const interfaces = declaration.implements ?? [];
  return new Set(
    interfaces
      .flatMap((/** @type {any} */ { expression }) => symbolsNamed(expression.name, module.path))
      .flatMap((/** @type {Symbol_} */ one) => membersOf(one.declaration).map(nameOf)),
  );
}

/**
 * @param {Module} module
 * @param {{ start: number }} node
 */
const place = ({ path, source }, { start }) =>
  `${relative(root, path).replaceAll('\\', '/')}:${source.slice(0, start).split('\n').length}`;

/**
 * The problems of a symbol.
 * @param {Symbol_} symbol
 * @returns {string[]}
 */
function undocumented(symbol) {
  const { name, node, declaration, module } = symbol;
  const inherited = inheritedNames(symbol);
  const members = membersOf(declaration)
    .filter((member) => isPublic(member) && !inherited.has(nameOf(member)))
    .filter(({ start }) => !module.docstrings.has(start))
    // A second signature has the docstring of the first.
    .filter((member) => !isOverload(member, declaration, module))
    .map((member) => `${place(module, member)} ${name}.${nameOf(member)} has no docstring.`);
  if (symbol.isBase || module.docstrings.has(node.start)) return members;
  return [`${place(module, node)} ${name} has no docstring.`, ...members];
}

/**
 * @param {any} member
 * @param {any} declaration
 * @param {Module} module
 */
function isOverload(member, declaration, module) {
  return membersOf(declaration).some(
    (other) =>
      other !== member &&
      nameOf(other) === nameOf(member) &&
      other.start < member.start &&
      module.docstrings.has(other.start),
  );
}

const symbols = packages.flatMap((name) => {
  const folder = inRoot('packages', name);
  return entriesOf(folder).flatMap(({ source }) => exportsOf(join(folder, source)));
});
const problems = new Set(symbols.flatMap(withBases).flatMap(undocumented));
for (const problem of problems) console.error(problem);
process.exitCode = problems.size > 0 ? 1 : 0;
