// All pages of the docs site, from the documents, the manifest of the elements and the declarations.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { elementsManifest, elementsOf } from '../elements/manifest.mjs';
import { markdownIn } from '../project/documents.mjs';
import { inRoot, packageNames } from '../project/project.mjs';
import { apiOf, liveExample } from './element-page.mjs';
import { rootOf } from './layout.mjs';
import { escapeHtml, renderMarkdown, slugOf } from './markdown.mjs';
import { referenceOf } from './reference.mjs';

/**
 * @typedef {import('./layout.mjs').Page} Page
 * @typedef {{ file: string, path: string, section: string }} Document
 */

/** Pictures of the documents, and where they are on the site. */
export const pictures = new Map([['docs/demo-small.webp', 'demo-small.webp']]);

/** The guides in the order in which a new user needs them. */
const guides = [
  'embed',
  'frameworks',
  'notes-and-files',
  'sync',
  'folders',
  'model',
  'show-apps',
  'build-an-app',
  'frames',
  'desktop-apps',
  'webviews',
  'testing',
  'own-worker',
  'theming',
  'languages',
  'when-something-fails',
];

const projectDocuments = ['ARCHITECTURE.md', 'SECURITY.md', 'CHANGELOG.md', 'CONTRIBUTING.md'];

/** The documents whose examples can be edited and run, in addition to those of elements. */
const withExamples = ['index', 'embed', 'notes-and-files', 'theming'].map(
  (name) => `docs/guides/${name}.md`,
);

/** @returns {Document[]} */
function documents() {
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
    ...[...projectDocuments, ...markdownIn('docs')].map((file) => ({
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

/**
 * The page that a host shows for any address that does not exist, so its links begin at the site.
 * @param {string} site the path of the demo
 * @returns {Page}
 */
export const missingPage = (site) => ({
  path: '404.html',
  root: `${site}docs/`,
  title: 'There is no such page',
  section: '',
  html: `<h1>There is no such page</h1><p>It may have been moved. The search above finds it, or begin with <a href="${site}docs/index.html">the first page</a>.</p>`,
  headings: [],
});

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
    ...packageNames.flatMap((name) => packagePages(name, paths)),
    ...others.filter(({ section }) => !['Guides', 'Elements'].includes(section)),
  ];
}

/** @param {Document} document @param {Map<string, string>} paths @returns {Page} */
function documentPage({ file, path, section }, paths) {
  const text = readFileSync(inRoot(file), 'utf8');
  const hasExamples = withExamples.includes(file);
  const { html, headings } = renderMarkdown(text, linksIn(file, path, paths), { hasExamples });
  const title = headings.find(({ level }) => level === 1)?.text ?? file;
  // The start page has the elements of its sample live, below the sample.
  const [before, ...after] = html.split(/(?=<h2 )/);
  const isStart = path === 'index.html';
  const shown = isStart ? [before, liveExample({ tagName: 'mcp-provider' }), ...after] : [html];
  return { path, title, section, html: shown.join(''), headings };
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
  const { html, headings } = renderMarkdown(text, linksIn(file, path, paths), {
    hasExamples: true,
  });
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

/**
 * The page of its README, and the separate page of its exports.
 * @param {string} name
 * @param {Map<string, string>} paths
 * @returns {Page[]}
 */
function packagePages(name, paths) {
  const file = `packages/${name}/README.md`;
  const path = `packages/${name}.html`;
  const title = packageName(name);
  const text = readFileSync(inRoot(file), 'utf8');
  const { html, headings } = renderMarkdown(text, linksIn(file, path, paths));
  const reference = referencePage(name, title);
  if (!reference) return [{ path, title, section: 'Packages', html, headings }];
  const link = `<h2 id="reference">Reference</h2><p>What it exports, with types: <a href="${name}-reference.html">reference of ${title}</a>.</p>`;
  return [
    {
      path,
      title,
      section: 'Packages',
      html: `${html}${link}`,
      headings: [...headings, { level: 2, id: 'reference', text: 'Reference' }],
    },
    reference,
  ];
}

/** @param {string} name @param {string} title @returns {Page | undefined} */
function referencePage(name, title) {
  const entries = referenceOf(name);
  if (entries.length === 0) return undefined;
  // An export of several entries is described at the first of them.
  /** @type {Map<string, string>} */
  const described = new Map();
  const parts = entries.map(({ entry, symbols }) => {
    const id = slugOf(entry);
    const named = symbols.map((symbol) => {
      const slug = slugOf(symbol.name);
      const code = described.get(slug);
      if (code === undefined) described.set(slug, symbol.code);
      const isKnown = code === symbol.code;
      // This is another symbol with the same name.
      return { symbol, isKnown, id: code === undefined || isKnown ? slug : `${id}-${slug}` };
    });
    const links = named
      .filter(({ isKnown }) => isKnown)
      .map((one) => `<a href="#${one.id}"><code>${escapeHtml(one.symbol.name)}</code></a>`);
    const own = named.filter(({ isKnown }) => !isKnown);
    const also = links.length > 0 ? `<p>Also ${links.join(', ')}.</p>` : '';
    const html = own.map((one) => symbolHtml(one.symbol, one.id)).join('\n');
    return { id, entry, own, html: `<h2 id="${id}">${escapeHtml(entry)}</h2>${html}${also}` };
  });
  return {
    path: `packages/${name}-reference.html`,
    title: `Reference of ${title}`,
    section: '',
    html: `<h1>Reference of ${title}</h1><p><a href="${name}.html">What the package is for</a></p>${parts.map(({ html }) => html).join('\n')}`,
    headings: parts.map(({ id, entry }) => ({ level: 2, id, text: entry })),
    members: parts.flatMap(({ own }) =>
      own.flatMap((one) =>
        one.symbol.members.map((member) => ({ name: `${one.symbol.name}.${member}`, id: one.id })),
      ),
    ),
  };
}

/** @param {import('./reference.mjs').Symbol} symbol @param {string} id */
function symbolHtml({ name, kind, code, doc, from }, id) {
  const summary = `<summary><code>${escapeHtml(name)}</code> <small>${kind}</small></summary>`;
  const content = from
    ? `<p>From <code>${escapeHtml(from)}</code>.</p>`
    : `${renderMarkdown(doc).html}<pre tabindex="0"><code>${escapeHtml(code)}</code></pre>`;
  // The search knows the symbol by its first description.
  const attributes = from || id !== slugOf(name) ? 'class="again" id' : 'id';
  return `<details ${attributes}="${id}">${summary}${content}</details>`;
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
    const source = posix.join(posix.dirname(file), target);
    const page = paths.get(source) ?? pictures.get(source);
    if (!page) return undefined;
    return `${rootOf(path)}${page}${fragment ? `#${fragment}` : ''}`;
  };
}
