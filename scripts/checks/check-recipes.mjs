// What the recipes of CONTRIBUTING.md ask for by hand, and neither a type nor a test notices: a tool, a
// prompt, a limit or an element that the documents do not describe, a property of an element that has no
// value or an attribute of another name, a renderer without a budget, a schema version without a fixture.
import { existsSync, readFileSync } from 'node:fs';
import { basename, relative } from 'node:path';
import { parseSync } from 'oxc-parser';
import { inRoot, root } from '../project/project.mjs';
import { sourceFiles } from '../project/source-files.mjs';
import { budgets } from '../size-budgets.mjs';

/** Documents, with what stands around the name of a tool or prompt where it is listed. */
const LISTS = [
  { document: 'README.md', line: /^Tools: .*$/m },
  { document: 'docs/resources.md', line: /^\| `\w+` .*$/gm },
];

/** Has a file for each element. */
const DEFINITIONS = 'packages/elements/src/define';

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
 * The classes of a file that have `static properties`, with their members.
 * @param {string} file
 */
function elementsIn(file) {
  const source = read(file);
  return parseSync(file, source).program.body.flatMap((/** @type {any} */ node) => {
    const declaration = node.declaration ?? node;
    if (declaration.type !== 'ClassDeclaration') return [];
    const members = declaration.body.body;
    const list = members.find((/** @type {any} */ { key }) => key?.name === 'properties');
    const properties = (list?.value?.properties ?? []).filter((/** @type {any} */ one) => one.key);
    const place = `${relative(root, file).replaceAll('\\', '/')}: ${declaration.id.name}`;
    return [{ source, place, members, properties }];
  });
}

/**
 * The public properties of an element that its constructor does not set. One that may be undefined needs
 * no value, and one with an accessor gets it there.
 * @param {string} file
 */
function unset(file) {
  return elementsIn(file).flatMap(({ source, place, members, properties }) => {
    const constructor = members.find((/** @type {any} */ { kind }) => kind === 'constructor');
    const code = textOf(source, constructor);
    return properties.flatMap((/** @type {any} */ { key }) => {
      const found = members.filter(
        (/** @type {any} */ one) => !one.static && one.key?.name === key.name,
      );
      const [field] = found;
      const isFine =
        found.some(
          (/** @type {any} */ { kind, accessibility }) =>
            kind === 'set' || accessibility === 'private',
        ) ||
        /\bundefined$/.test(textOf(source, field?.typeAnnotation)) ||
        new RegExp(`\\bthis\\.${key.name} =`).test(code);
      return isFine ? [] : [`${place}.${key.name} has no default: set it in the constructor.`];
    });
  });
}

/**
 * The properties whose attribute would be their name in small letters, as one word.
 * @param {string} file
 */
function misnamed(file) {
  return elementsIn(file).flatMap(({ source, place, properties }) =>
    properties
      .filter(
        (/** @type {any} */ { key, value }) =>
          /[A-Z]/.test(key.name) && !/\b(attribute|state):/.test(textOf(source, value)),
      )
      .map((/** @type {any} */ { key }) => `${place}.${key.name} needs an \`attribute\`.`),
  );
}

/**
 * What the document of an element does not name in its code: the properties of the element.
 * @param {string} file
 */
function unnamed(file) {
  const tag = basename(file, '.ts');
  const isElement = tag.startsWith('mcp-') && existsSync(inRoot(`${DEFINITIONS}/${tag}.ts`));
  if (!isElement) return [];
  const document = `packages/elements/docs/${tag}.md`;
  if (!existsSync(inRoot(document))) return [`${document} does not exist.`];
  const codes = read(inRoot(document)).match(/```.*?```|`[^`\n]+`/gs) ?? [];
  const words = new Set(codes.join(' ').match(/[\w-]+/g));
  return elementsIn(file).flatMap(({ source, properties }) =>
    properties
      .filter((/** @type {any} */ { key, value }) => {
        const [, attribute = key.name] =
          /\battribute: '([\w-]+)'/.exec(textOf(source, value)) ?? [];
        return !words.has(key.name) && !words.has(attribute);
      })
      .map((/** @type {any} */ { key }) => `${document} does not describe \`${key.name}\`.`),
  );
}

const elements = sourceFiles(inRoot('packages/elements/src'));

const unbudgeted = () =>
  elements
    .map((file) => basename(file, '.ts'))
    .filter((name) => /^mcp-view-\w+$/.test(name) && !budgets[`elements, ${name} later`])
    .map((name) => `scripts/size-budgets.mjs has no budget for ${name}.`);

/** Versions of the schema before the current one of which there is no database, or no test. */
function withoutFixture() {
  const schema = read(inRoot('packages/store/src/schema/schema.ts'));
  const { program } = parseSync('schema.ts', schema);
  const declared = program.body.flatMap((/** @type {any} */ one) => one.declarations ?? []);
  const list = declared.find((/** @type {any} */ { id }) => id.name === 'MIGRATIONS');
  const test = read(inRoot('test/store/migration.test.ts'));
  const [, tested = ''] = /EARLIER_VERSIONS = \[(.*)\]/.exec(test) ?? [];
  const earlier = list.init.elements
    .slice(1)
    .map((/** @type {any} */ _, /** @type {number} */ index) => index + 1);
  return earlier.flatMap((/** @type {number} */ version) => {
    const fixture = `test/fixtures/databases/v${version}.json`;
    if (!existsSync(inRoot(fixture))) return [`${fixture} does not exist.`];
    return tested.split(', ').includes(String(version))
      ? []
      : [`test/store/migration.test.ts does not test the upgrade from version ${version}.`];
  });
}

const ofElements = [unset, misnamed, unnamed].flatMap((check) => elements.flatMap(check));
const problems = [
  ...unlisted(),
  ...undescribed(),
  ...ofElements,
  ...unbudgeted(),
  ...withoutFixture(),
];
for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
