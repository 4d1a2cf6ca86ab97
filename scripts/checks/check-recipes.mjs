// What the recipes of CONTRIBUTING.md ask for by hand, and neither a type nor a test notices: a tool, a
// prompt or a limit that the documents do not list, and a property of an element that nothing gives a value.
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { parseSync } from 'oxc-parser';
import { inRoot, root } from '../project/project.mjs';
import { sourceFiles } from '../project/source-files.mjs';

/** Documents, with what stands around the name of a tool or prompt where it is listed. */
const LISTS = [
  { document: 'README.md', line: /^Tools: .*$/m },
  { document: 'docs/resources.md', line: /^\| `\w+` .*$/gm },
];

/** @param {string} path */
const read = (path) => readFileSync(path, 'utf8');

function unlisted() {
  const folders = ['packages/server/src/tools', 'packages/server/src/prompts'];
  const code = folders.flatMap((folder) => sourceFiles(inRoot(folder)).map(read)).join('\n');
  const names = [...code.matchAll(/^ {2}name: '(\w+)',$/gm)].map(([, name = '']) => name);
  return LISTS.flatMap(({ document, line }) => {
    const listed = (read(inRoot(document)).match(line) ?? []).join('\n');
    return names
      .filter((name) => !listed.includes(`\`${name}\``))
      .map((name) => `${document} does not list \`${name}\`.`);
  });
}

/** Limits that an app can set, and the document does not describe. */
function undescribed() {
  const code = read(inRoot('packages/protocol/src/fairness/limits.ts'));
  const [, members = ''] = /interface ConnectionLimits \{(.*?)\n\}/s.exec(code) ?? [];
  const text = read(inRoot('docs/limits.md'));
  return [...members.matchAll(/^ {2}(\w+)\??:/gm)]
    .map(([, name = '']) => name)
    .filter((name) => !text.includes(`\`${name}\``))
    .map((name) => `docs/limits.md does not describe \`${name}\`.`);
}

/** @param {string} source @param {{ start: number, end: number } | undefined} node */
const textOf = (source, node) => (node ? source.slice(node.start, node.end) : '');

/**
 * The public properties of an element that its constructor does not set. One that may be undefined needs
 * no value, and one with an accessor gets it there.
 * @param {string} file
 */
function unset(file) {
  const source = read(file);
  const { program } = parseSync(file, source);
  return program.body.flatMap((/** @type {any} */ node) => {
    const declaration = node.declaration ?? node;
    if (declaration.type !== 'ClassDeclaration') return [];
    const members = declaration.body.body;
    const list = members.find((/** @type {any} */ { key }) => key?.name === 'properties');
    const constructor = members.find((/** @type {any} */ { kind }) => kind === 'constructor');
    const code = textOf(source, constructor);
    return (list?.value?.properties ?? []).flatMap((/** @type {any} */ { key }) => {
      const found = members.filter(
        (/** @type {any} */ one) => !one.static && one.key?.name === key?.name,
      );
      const [field] = found;
      const isFine =
        found.some(
          (/** @type {any} */ { kind, accessibility }) =>
            kind === 'set' || accessibility === 'private',
        ) ||
        /\bundefined$/.test(textOf(source, field?.typeAnnotation)) ||
        new RegExp(`\\bthis\\.${key?.name} =`).test(code);
      if (!key || isFine) return [];
      const place = `${relative(root, file).replaceAll('\\', '/')}: ${declaration.id.name}`;
      return [`${place}.${key.name} has no default: set it in the constructor.`];
    });
  });
}

const elements = sourceFiles(inRoot('packages/elements/src'));
const problems = [...unlisted(), ...undescribed(), ...elements.flatMap(unset)];
for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
