// What the search of the docs site looks through.
import MiniSearch from 'minisearch';

const options = {
  fields: ['heading', 'title', 'text'],
  storeFields: ['heading', 'title', 'url'],
};

/** The parts of the index, each for the pages of one folder. The first has the start page, too. */
export const searchParts = ['guides', 'elements', 'packages', 'details', 'decisions'];

/**
 * The parts of the index by their file names.
 * @param {readonly import('./layout.mjs').Page[]} pages
 */
export function searchFiles(pages) {
  /** @param {string} path */
  const partOf = (path) =>
    searchParts.find((part) => path.startsWith(`${part}/`)) ?? searchParts[0];
  return new Map(
    searchParts.map((part) => [
      searchFile(part),
      searchIndex(pages.filter(({ path }) => partOf(path) === part)),
    ]),
  );
}

/** @param {string} part */
export const searchFile = (part) => `search-${part}.json`;

/**
 * A document for each heading of each page.
 * @param {readonly import('./layout.mjs').Page[]} pages
 */
function searchIndex(pages) {
  const search = new MiniSearch(options);
  for (const page of pages) {
    for (const { heading, id, text } of partsOf(page)) {
      const url = id ? `${page.path}#${id}` : page.path;
      search.add({ id: url, url, title: page.title, heading, text });
    }
  }
  // The page that searches needs the same options.
  return JSON.stringify({ options, index: JSON.stringify(search) });
}

/** @param {import('./layout.mjs').Page} page */
function partsOf({ html, title }) {
  const parts = html.split(/(?=<h[2-4] id=")/);
  /** @type {Map<string, { heading: string, id: string, text: string }>} */
  const byId = new Map();
  for (const part of parts) {
    const [, id = '', heading = title] = /^<h[2-4] id="([^"]*)">(.*?)<\/h[2-4]>/s.exec(part) ?? [];
    const one = { heading: plain(heading), id, text: plain(part) };
    if (!byId.has(id)) byId.set(id, one);
  }
  return [...byId.values()];
}

/** @param {string} html */
const plain = (html) =>
  html
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ')
    .trim();
