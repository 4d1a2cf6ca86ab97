// Fails when a package knows what it must not: in an import of its sources, in a dependency, in a
// project reference, or in a word. The rules, and their reasons, are in arrows.mjs.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, relative, resolve, sep } from 'node:path';
import { rules } from './arrows.mjs';
import { importsOf, packageOf } from '../project/imports.mjs';
import { inRoot, root } from '../project/project.mjs';
import { sourceFiles } from '../project/source-files.mjs';

/** @typedef {import('./arrows.mjs').PackageRule} PackageRule */

const scope = '@inpage-mcp/';

/** @param {string} path */
const shown = (path) => relative(root, path).replaceAll('\\', '/');

/**
 * @param {string} name
 * @param {PackageRule} rule
 */
const reason = (name, rule) => `${name} ${rule.knows}`;

// Imports

/**
 * Every import that a package's rule refuses.
 * @param {string} name
 * @param {PackageRule} rule
 */
function refusedImports(name, rule) {
  const src = inRoot('packages', name, 'src');
  return sourceFiles(src).flatMap((file) =>
    importsOf(file).flatMap((found) => {
      const problem = problemWith(found, { name, rule, file, src });
      return problem
        ? [`${shown(file)}:${found.line} imports ${found.specifier}, but ${problem}.`]
        : [];
    }),
  );
}

/**
 * @param {import('../project/imports.mjs').Import} found
 * @param {{ name: string, rule: PackageRule, file: string, src: string }} context
 */
function problemWith({ specifier, typeOnly }, { name, rule, file, src }) {
  const imported = packageOf(specifier);
  if (imported === undefined) {
    const inside = resolve(file, '..', specifier).startsWith(src);
    return inside ? undefined : `${name} reaches other packages only by their names`;
  }
  if (rule.runsInNode && specifier.startsWith('node:')) return undefined;
  const arrow = rule.mayImport[imported];
  if (!arrow) return reason(name, rule);
  const typesOnly =
    arrow.allows === 'types' && !arrow.valuesIn?.includes(shown(file).split('/src/')[1] ?? '');
  return typesOnly && !typeOnly
    ? `${name} may import only its types (import type): ${reason(name, rule)}`
    : undefined;
}

/**
 * Every import by which code that is frozen would change together with other code.
 * @param {string} name
 * @param {PackageRule} rule
 */
function changingImports(name, { frozen }) {
  if (!frozen) return [];
  const { sources, folder, why } = frozen;
  const src = inRoot('packages', name, 'src');
  const isFrozen = (/** @type {string} */ file) =>
    sources.some((source) =>
      source.endsWith('/')
        ? file.startsWith(resolve(src, source) + sep)
        : file === resolve(src, source),
    );
  return sourceFiles(src)
    .filter(isFrozen)
    .flatMap((file) =>
      importsOf(file)
        .filter(({ specifier, typeOnly }) => {
          const isOwn = packageOf(specifier) === undefined;
          const isCopy = resolve(file, '..', specifier).startsWith(resolve(src, folder) + sep);
          return isOwn && !typeOnly && !isCopy;
        })
        .map(
          ({ specifier, line }) =>
            `${shown(file)}:${line} imports ${specifier}, but only ${folder} may be: ${why}.`,
        ),
    );
}

// Rooms

/**
 * Every import by which a room knows what it must not, and every circle of files.
 * @param {string} name
 * @param {PackageRule} rule
 */
function wrongRooms(name, { rooms }) {
  const src = inRoot('packages', name, 'src');
  const files = sourceFiles(src);
  /** @type {Map<string, { target: string, line: number }[]>} */
  const imports = new Map(files.map((file) => [file, importsInside(file, src)]));
  const problems = circlesOf(imports).map(
    (circle) => `${circle.map(shown).join(', ')} import each other in a circle.`,
  );
  if (!rooms) return problems;
  const order = Object.keys(rooms);
  for (const [file, found] of imports) {
    const room = roomOf(file, src, order);
    if (room === undefined) continue;
    if (!order.includes(room)) problems.push(`${shown(file)} is in no room of ${name}.`);
    for (const { target, line } of found) {
      const other = roomOf(target, src, order);
      if (other !== undefined && order.indexOf(other) <= order.indexOf(room)) continue;
      const why = other ? `${other} comes after ${room}` : 'it joins the rooms';
      problems.push(`${shown(file)}:${line} imports ${shown(target)}, but ${why}.`);
    }
  }
  return problems;
}

/**
 * The room that a file is in: of rooms in one another, the innermost. A folder that is no room counts,
 * too; a file outside all folders is in none.
 * @param {string} file
 * @param {string} src
 * @param {readonly string[]} rooms
 */
function roomOf(file, src, rooms) {
  const folders = relative(src, file).split(sep).slice(0, -1);
  const paths = folders.map((_, index) => folders.slice(0, index + 1).join('/'));
  return paths.findLast((path) => rooms.includes(path)) ?? paths[0];
}

/**
 * What a file imports of its own package, types included.
 * @param {string} file
 * @param {string} src
 */
function importsInside(file, src) {
  return importsOf(file)
    .filter(({ specifier }) => packageOf(specifier) === undefined)
    .map(({ specifier, line }) => {
      const target = resolve(file, '..', specifier).replace(/\.js$/, '.ts');
      return { target, line };
    })
    .filter(({ target }) => target.startsWith(src + sep));
}

/**
 * Files that import each other, directly or through others (Tarjan's algorithm).
 * @param {Map<string, { target: string }[]>} imports
 */
function circlesOf(imports) {
  /** @type {string[][]} */
  const circles = [];
  /** @type {string[]} */
  const path = [];
  /** @type {Map<string, number>} when each was met; Infinity once it is done */
  const met = new Map();
  /** @param {string} file @returns {number} */
  const visit = (file) => {
    const known = met.get(file);
    if (known !== undefined) return known;
    const index = met.size;
    met.set(file, index);
    path.push(file);
    const lowest = Math.min(index, ...(imports.get(file) ?? []).map(({ target }) => visit(target)));
    if (lowest < index) return lowest;
    const circle = path.splice(path.indexOf(file));
    for (const one of circle) met.set(one, Infinity);
    if (circle.length > 1) circles.push(circle);
    return Infinity;
  };
  for (const file of imports.keys()) visit(file);
  return circles;
}

// Dependencies

/**
 * @param {string} name
 * @param {PackageRule} rule
 */
function refusedDependencies(name, rule) {
  const file = inRoot('packages', name, 'package.json');
  const { dependencies, peerDependencies, optionalDependencies, devDependencies } = readJson(file);
  const all = { ...dependencies, ...peerDependencies, ...optionalDependencies, ...devDependencies };
  return Object.keys(all)
    .filter((dependency) => !(dependency in rule.mayImport))
    .map((dependency) => `${shown(file)} depends on ${dependency}, but ${reason(name, rule)}.`);
}

// Project references

/**
 * @param {string} name
 * @param {PackageRule} rule
 */
function wrongReferences(name, rule) {
  const folder = inRoot('packages', name);
  const configs = readdirSync(folder).filter((file) => /^tsconfig.*\.json$/.test(file));
  const referenced = new Set(configs.flatMap((config) => referencesOf(resolve(folder, config))));
  const allowed = Object.keys(rule.mayImport).filter((target) => target.startsWith(scope));
  const missing = allowed.filter((target) => !referenced.has(target));
  const refused = [...referenced].filter((target) => !allowed.includes(target));
  const where = `packages/${name}/tsconfig.json`;
  return [
    ...missing.map((target) => `${where} does not reference ${target}, which ${name} may import.`),
    ...refused.map((target) => `${where} references ${target}, but ${reason(name, rule)}.`),
  ];
}

/**
 * The packages that a tsconfig references, by name.
 * @param {string} file
 */
function referencesOf(file) {
  /** @type {{ path: string }[]} */
  const references = readJson(file).references ?? [];
  return references.map(({ path }) => `${scope}${basename(path)}`);
}

// Words

/**
 * @param {string} name
 * @param {PackageRule} rule
 */
function refusedWords(name, { neverSays }) {
  if (!neverSays) return [];
  const { words, butNot, why } = neverSays;
  return sourceFiles(inRoot('packages', name, 'src')).flatMap((file) =>
    linesOf(file).flatMap((line, index) => {
      const said = wordsIn(line.replaceAll(butNot, '')).find((word) => words.includes(word));
      return said
        ? [`${shown(file)}:${index + 1} says "${said}", but ${name} never does: ${why}.`]
        : [];
    }),
  );
}

/** @param {string} file */
const linesOf = (file) => readFileSync(file, 'utf8').split('\n');

/**
 * The words of a line in lower case, those inside camelCase and MIXEDCase names too.
 * @param {string} line
 */
const wordsIn = (line) =>
  (line.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g) ?? []).map((word) => word.toLowerCase());

/**
 * Parses JSON that may have whole lines of comments, as a tsconfig has.
 * @param {string} file
 */
const readJson = (file) => JSON.parse(readFileSync(file, 'utf8').replaceAll(/^\s*\/\/.*$/gm, ''));

/** Packages that nobody has thought about yet. */
function packagesWithoutRule() {
  const folders = readdirSync(inRoot('packages'), { withFileTypes: true });
  return folders
    .filter((folder) => folder.isDirectory() && !(folder.name in rules))
    .map(({ name }) => `packages/${name} has no rule in scripts/checks/arrows.mjs.`);
}

const problems = Object.entries(rules).flatMap(([name, rule]) => [
  ...refusedImports(name, rule),
  ...changingImports(name, rule),
  ...wrongRooms(name, rule),
  ...refusedDependencies(name, rule),
  ...wrongReferences(name, rule),
  ...refusedWords(name, rule),
]);
problems.push(...packagesWithoutRule());
for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
