// All pages of the docs site, from the documents, the manifest of the elements and the declarations.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { elementsManifest, elementsOf } from '../elements/manifest.mjs';
import { inRoot, packageNames } from '../project/project.mjs';
import { apiOf, liveExample } from './element-page.mjs';
import { rootOf } from './layout.mjs';
import { escapeHtml, renderMarkdown, slugOf } from './markdown.mjs';
import { referenceOf } from './reference.mjs';

/**
 * @typedef {import('./layout.mjs').Page} Page
 * @typedef {{ file: string, path: string, section: string, title?: string }} Document
 */

/** The guides in the order in which a newcomer needs them. */
const guides = [
  'embed',
  'model',
  'frames',
  'desktop-apps',
  'webviews',
  'testing',
  'own-worker',
  'theming',
  'languages',
  'when-something-fails',
];

/** @returns {Document[]} */
function documents() {
  const inDetail = readdirSync(inRoot('docs'))
    .filter((file) => file.endsWith('.md'))
    .map((file) => `docs/${file}`);
  return [
    { file: 'docs/guides/index.md', path: 'index.html', section: 'Start' },
    {
      file: 'packages/elements/docs/renderers.md',
      path: 'elements/renderers.html',
      section: 'Elements',
    },
    ...guides.map((name) => ({
      file: `docs/guides/${name}.md`,
      path: `guides/${name}.html`,
      section: 'Guides',
    })),
    ...['ARCHITECTURE.md', 'SECURITY.md', ...inDetail].map((file) => ({
      file,
      path: `details/${slugOf(posix.basename(file, '.md'))}.html`,
      section: 'In detail',
    })),
    { file: 'docs/decisions/README.md', path: 'decisions/index.html', section: 'In detail' },
    ...readdirSync(inRoot('docs/decisions'))
      .filter((file) => /^\d/.test(file))
      .map((file) => ({
        file: `docs/decisions/${file}`,
        path: `decisions/${posix.basename(file, '.md')}.html`,
        section: '',
      })),
  ];
}

/** @returns {Page[]} */
export function allPages() {
  const listed = documents().filter(({ file }) => existsSync(inRoot(file)));
  const elements = elementsOf(elementsManifest());
  const paths = new Map([
    ...listed.map(({ file, path }) => /** @type {const} */ ([file, path])),
    ...elements.map(
      ({ tagName }) =>
        /** @type {const} */ ([`packages/elements/docs/${tagName}.md`, `elements/${tagName}.html`]),
    ),
    ...packageNames.map(
      (name) => /** @type {const} */ ([`packages/${name}/README.md`, `packages/${name}.html`]),
    ),
  ]);
  const [start, ...others] = listed.map((one) => documentPage(one, paths));
  return [
    ...(start ? [start] : []),
    ...others.filter(({ section }) => section === 'Guides'),
    ...elements.map((element) => elementPage(element, paths)),
    ...others.filter(({ section }) => section === 'Elements'),
    ...packageNames.map((name) => packagePage(name, paths)),
    ...others.filter(({ section }) => !['Guides', 'Elements'].includes(section)),
  ];
}

/** @param {Document} document @param {Map<string, string>} paths @returns {Page} */
function documentPage({ file, path, section }, paths) {
  const text = readFileSync(inRoot(file), 'utf8');
  const { html, headings } = renderMarkdown(text, linksIn(file, path, paths));
  const title = headings.find(({ level }) => level === 1)?.text ?? file;
  return { path, title, section, html, headings };
}

/**
 * @param {import('../elements/manifest-types.mjs').Element} element
 * @param {Map<string, string>} paths
 * @returns {Page}
 */
function elementPage(element, paths) {
  const { tagName, description = '' } = element;
  const file = `packages/elements/docs/${tagName}.md`;
  const path = `elements/${tagName}.html`;
  const text = existsSync(inRoot(file))
    ? readFileSync(inRoot(file), 'utf8')
    : `# \`<${tagName}>\`\n\n${description}\n`;
  const { html, headings } = renderMarkdown(text, linksIn(file, path, paths));
  const [first = '', ...rest] = html.split(/(?<=<\/h1>\n)/);
  const api = { level: 2, id: 'api', text: 'API' };
  return {
    path,
    title: `<${tagName}>`,
    section: 'Elements',
    html: `${first}${liveExample(element)}${rest.join('')}<h2 id="api">API</h2>${apiOf(element)}`,
    headings: [...headings, api],
  };
}

/** @param {string} folder of a package */
const packageName = (folder) =>
  JSON.parse(readFileSync(inRoot('packages', folder, 'package.json'), 'utf8')).name;

/** @param {string} name @param {Map<string, string>} paths @returns {Page} */
function packagePage(name, paths) {
  const file = `packages/${name}/README.md`;
  const path = `packages/${name}.html`;
  const { html, headings } = renderMarkdown(
    readFileSync(inRoot(file), 'utf8'),
    linksIn(file, path, paths),
  );
  const entries = referenceOf(name);
  const reference = entries
    .map(
      ({ entry, symbols }) =>
        `<h3 id="${slugOf(entry)}">${escapeHtml(entry)}</h3>${symbols.map(symbolHtml).join('\n')}`,
    )
    .join('\n');
  return {
    path,
    title: packageName(name),
    section: 'Packages',
    html: `${html}<h2 id="reference">Reference</h2>${reference}`,
    headings: [
      ...headings,
      { level: 2, id: 'reference', text: 'Reference' },
      // For the search.
      ...entries.flatMap(({ symbols }) =>
        symbols.map((one) => ({ level: 4, id: slugOf(one.name), text: one.name })),
      ),
    ],
  };
}

/** @param {import('./reference.mjs').Symbol} symbol */
function symbolHtml({ name, kind, code, doc, from }) {
  const heading = `<h4 id="${slugOf(name)}"><code>${escapeHtml(name)}</code> <small>${kind}</small></h4>`;
  if (from) return `${heading}<p>From <code>${escapeHtml(from)}</code>.</p>`;
  return `${heading}${renderMarkdown(doc).html}<pre tabindex="0"><code>${escapeHtml(code)}</code></pre>`;
}

/**
 * Links between documents lead to their pages. A link to a file that is not on the site becomes text.
 * @param {string} file
 * @param {string} path
 * @param {Map<string, string>} paths
 */
function linksIn(file, path, paths) {
  return (/** @type {string} */ href) => {
    if (/^(https?:|#|mailto:)/.test(href)) return href;
    const [target = '', fragment] = href.split('#');
    const page = paths.get(posix.join(posix.dirname(file), target));
    if (!page) return undefined;
    return `${rootOf(path)}${page}${fragment ? `#${fragment}` : ''}`;
  };
}
