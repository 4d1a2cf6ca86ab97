// The frame of each page of the docs site.
import { readFileSync } from 'node:fs';
import { inRoot } from '../project/project.mjs';
import { escapeHtml } from './markdown.mjs';
import { searchFile, searchParts } from './search-index.mjs';

/**
 * @typedef {object} Page
 * @property {string} path below docs/, such as `guides/embed.html`
 * @property {string} title
 * @property {string} section of the navigation; empty for a page that is not in it
 * @property {string} html the content
 * @property {string} [root] the address of the docs, unless it follows from the path
 * @property {{ level: number, id: string, text: string }[]} headings
 * @property {{ name: string, id: string }[]} [members] of what it describes, for the search
 */

const { version } = JSON.parse(readFileSync(inRoot('package.json'), 'utf8'));

/** The address of the source code, if the build knows it. */
const source = process.env['SOURCE_URL'] && new URL(process.env['SOURCE_URL']).href;

/** The relative path from a page to the root of the docs. @param {string} path */
export const rootOf = (path) => '../'.repeat(path.split('/').length - 1) || './';

/**
 * @param {Page} page
 * @param {readonly Page[]} pages
 * @param {{ policy: string | undefined, script: string, style: string }} assets addresses as seen from
 *   the root of the docs
 */
export function renderPage(page, pages, { policy, script, style }) {
  const root = page.root ?? rootOf(page.path);
  const meta = policy
    ? `<meta http-equiv="Content-Security-Policy" content="${escapeHtml(policy)}">`
    : '';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
${meta}
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${descriptionOf(page)}">
<title>${escapeHtml(page.title)} · inpage-mcp</title>
<link rel="icon" href="${root}../icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${root}${style}">
<script type="module" src="${root}${script}"></script>
</head>
<body data-search="${searchParts.map(searchFile).join(' ')}" data-root="${root}">
<a class="skip" href="#content">Skip to the content</a>
<header>
<a class="brand" href="${root}index.html">inpage-mcp</a>
<search><input type="search" id="search" placeholder="Search" aria-label="Search the documentation" autocomplete="off" role="combobox" aria-expanded="false" aria-controls="results"><ul id="results" role="listbox" aria-label="Results" hidden></ul></search>
<a href="${root}../index.html">Demo</a>
<button type="button" id="theme">Light or dark</button>
</header>
<div class="columns">
<nav aria-label="Pages"><details open><summary>Pages</summary>${navigation(page, pages, root)}</details></nav>
<main id="content" tabindex="-1">
${page.html}
${neighbours(page, pages, root)}
</main>
${onThisPage(page)}
</div>
<footer>inpage-mcp ${version}, under the MIT licence${source ? `. <a href="${source}">Source code</a>` : ''}</footer>
</body>
</html>
`;
}

/** The first sentences of the page, as attribute values are written. @param {Page} page */
function descriptionOf({ html, title }) {
  const paragraphs = [...html.matchAll(/<p>(.*?)<\/p>/gs)];
  const texts = paragraphs.map(([, text = '']) => text.replaceAll(/<[^>]*>/g, '').trim());
  const text = texts.find((one) => one.length > 40) ?? `${escapeHtml(title)} of inpage-mcp`;
  const [short = ''] = /^.{1,155}(?= |$)/s.exec(text.replaceAll(/\s+/g, ' ')) ?? [];
  return short.length < text.length ? `${short} …` : short;
}

/** @param {Page} page @param {readonly Page[]} pages @param {string} root */
function navigation(page, pages, root) {
  const sections = [...new Set(pages.map(({ section }) => section))].filter(Boolean);
  return sections
    .map((section) => {
      const links = pages
        .filter((one) => one.section === section)
        .map((one) => {
          const current = one === page ? ' aria-current="page"' : '';
          return `<li><a href="${root}${one.path}"${current}>${escapeHtml(one.title)}</a></li>`;
        });
      return `<h2>${escapeHtml(section)}</h2><ul>${links.join('')}</ul>`;
    })
    .join('');
}

/**
 * The links to the previous and the next page, in the order of the navigation.
 * @param {Page} page
 * @param {readonly Page[]} pages
 * @param {string} root
 */
function neighbours(page, pages, root) {
  const listed = pages.filter(({ section }) => section);
  const at = listed.indexOf(page);
  if (at < 0) return '';
  const link = (/** @type {Page | undefined} */ to, /** @type {string} */ rel) =>
    to
      ? `<a rel="${rel}" href="${root}${to.path}"><small>${rel === 'prev' ? 'Previous' : 'Next'}</small> ${escapeHtml(to.title)}</a>`
      : '';
  return `<div class="neighbours">${link(listed[at - 1], 'prev')}${link(listed[at + 1], 'next')}</div>`;
}

/** @param {Page} page */
function onThisPage({ headings }) {
  const shown = headings.filter(({ level }) => level === 2 || level === 3);
  if (shown.length < 2) return '';
  const links = shown.map(
    ({ id, text, level }) =>
      `<li class="level-${level}"><a href="#${id}">${escapeHtml(text)}</a></li>`,
  );
  return `<aside aria-label="On this page"><h2>On this page</h2><ul>${links.join('')}</ul></aside>`;
}
