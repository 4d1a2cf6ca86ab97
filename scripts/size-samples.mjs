// The sizes of the code that the examples of the documents make a page load before it shows anything: built
// by Vite as they are written, from the packages as they are published. `docs/sizes.md` has the table, and is
// the budget.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { appDocuments } from './project/documents.mjs';
import { inRoot } from './project/project.mjs';
import { sizeInVite } from './size-in-vite.mjs';

/** Matches the packages that run in the page, not in a worker or in Node. */
const PAGE_PACKAGES = /^@inpage-mcp\/(elements|runtime|client|models|transport)(\/|$)/;

/**
 * The number of bytes by which an example may be smaller than its row before the row has to be written again.
 */
const SLACK = 500;

const TABLE = 'docs/sizes.md';

/** The example whose scripts are those of a page each. */
const PAGES = 'ideas';

/**
 * The sources of each example, as one text, and those of each page.
 * @returns {[name: string, code: string][]}
 */
const examples = () =>
  readdirSync(inRoot('examples'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'plain-html')
    .flatMap(({ name }) => {
      const files = readdirSync(inRoot('examples', name), { recursive: true, encoding: 'utf8' });
      const sources = files.filter(
        (file) =>
          /^(src|app)\/.*\.(tsx?|vue|svelte)$/.test(file) && !/worker|bookmark|weather/.test(file),
      );
      /** @param {string} file */
      const codeOf = (file) => readFileSync(inRoot('examples', name, file), 'utf8');
      return name === PAGES
        ? sources.map((file) => [`examples/${name}/${file}`, codeOf(file)])
        : [[`examples/${name}`, sources.map(codeOf).join('\n')]];
    });

/** The code of the blocks of a document. @param {string} document */
function blocksOf(document) {
  const text = readFileSync(inRoot(document), 'utf8');
  return [...text.matchAll(/^```(?:ts|tsx|js|vue|svelte)\n(.*?)^```$/gms)].map(
    (match) => match[1] ?? '',
  );
}

/**
 * The imports of our packages in a code, each as a line that uses what it imports, sorted.
 * @param {string} code
 */
function importsOf(code) {
  const found = new Set();
  for (const [, names, from = ''] of code.matchAll(
    /^\s*import (?!type\b)(?:(\{[^}]*\}) from )?'([^']+)';/gm,
  )) {
    if (!PAGE_PACKAGES.test(from)) continue;
    const values = (names ?? '')
      .replaceAll(/[{}\s]+/g, ' ')
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name && !name.startsWith('type '));
    if (names && values.length === 0) continue;
    found.add(
      names
        ? `export { ${values.toSorted((a, b) => a.localeCompare(b)).join(', ')} } from '${from}';`
        : `import '${from}';`,
    );
  }
  return [...found].toSorted((a, b) => a.localeCompare(b)).join('\n');
}

/** The imports for an app, which uses the imported names. @param {string} imports */
const usesOf = (imports) =>
  imports.replaceAll(
    /^export (\{ (.*) \}) from (.*);$/gm,
    'import $1 from $3;\nglobalThis.used = [globalThis.used, $2];',
  );

/** Each different set of imports, with the places that have it. */
function samples() {
  /** @type {Map<string, Set<string>>} */
  const places = new Map();
  /** @param {string} code @param {string} place */
  const add = (code, place) => {
    const imports = importsOf(code);
    if (imports) places.set(imports, (places.get(imports) ?? new Set()).add(place));
  };
  for (const document of appDocuments) for (const code of blocksOf(document)) add(code, document);
  for (const [name, code] of examples()) add(code, name);
  return [...places].map(([imports, where]) => ({ imports, where: [...where].toSorted() }));
}

/** @param {string} imports */
const inWords = (imports) =>
  imports
    .split('\n')
    .map((line) => {
      const [, names, from = ''] = /^(?:export \{ (.*) \} from|import) '(.*)';$/.exec(line) ?? [];
      const entry = `\`${from.slice('@inpage-mcp/'.length)}\``;
      return names ? `${names} of ${entry}` : entry;
    })
    .join(', ');

/** A link from the table. @param {string} place */
const linkTo = (place) =>
  `[${place.replace(/^docs\/guides\//, '')}](${place.replace(/^docs\//, '').replace(/^(?=README|packages|examples)/, '../')})`;

/** @param {number} bytes */
const kilobytes = (bytes) => `${(Math.ceil(bytes / 100) / 10).toFixed(1)} kB`;

/** @param {{ imports: string, where: string[], bytes: number }} sample */
const rowOf = ({ imports, where, bytes }) =>
  `| ${inWords(imports)} | ${kilobytes(bytes)} | ${where.map(linkTo).join(', ')} |`;

/** The kilobytes of each row of the table, by what it imports. */
function budgets() {
  const rows = readFileSync(inRoot(TABLE), 'utf8').matchAll(/^\| (.+?) +\| +([\d.]+) kB +\|/gm);
  return new Map([...rows].map(([, words = '', size]) => [words, Number(size) * 1000]));
}

/**
 * Measures all examples. Writes the table, or resolves to its faults.
 * @param {{ writes: boolean }} options
 */
export async function checkSamples({ writes }) {
  const measured = [];
  for (const sample of samples())
    measured.push({ ...sample, bytes: await sizeInVite(usesOf(sample.imports)) });
  measured.sort((a, b) => b.bytes - a.bytes);
  if (writes) {
    const [head = ''] = readFileSync(inRoot(TABLE), 'utf8').split('\n| what');
    const rows = [
      '',
      '| what it imports | at once | where |',
      '| --- | --- | --- |',
      ...measured.map(rowOf),
      '',
    ];
    writeFileSync(inRoot(TABLE), `${head}${rows.join('\n')}`);
    return [];
  }
  const known = budgets();
  return measured.flatMap(({ imports, where, bytes }) => {
    const budget = known.get(inWords(imports));
    const name = `The example of ${where.join(', ')} with ${inWords(imports)}`;
    if (budget === undefined) return [`${name} has no row in ${TABLE}.`];
    if (bytes > budget) return [`${name} loads ${kilobytes(bytes)}, of ${kilobytes(budget)}.`];
    return bytes < budget - SLACK
      ? [`${name} loads only ${kilobytes(bytes)}: write its row again.`]
      : [];
  });
}
